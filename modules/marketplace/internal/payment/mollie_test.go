package payment

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/source"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/mollietest"
)

type stubMollie struct{ *mollietest.Stub }

func newStubMollie(t *testing.T) stubMollie { return stubMollie{mollietest.New(t)} }

func (m stubMollie) client() *mollie { return newMollie(m.Client(), m.URL+"/v2/", mollietest.Key) }

var stubRequest = Request{Key: "p1", Order: "B-1", Amount: 12550, Description: "B-1", Locale: "en",
	Return: "https://x.example/thank-you?n=a", Cancel: "https://x.example/payment-cancelled", Webhook: "https://x.example/hook"}

func TestMollie(t *testing.T) {
	t.Run("a payment is made once, however often it is asked for", func(t *testing.T) {
		stub := newStubMollie(t)
		made, err := stub.client().Create(t.Context(), stubRequest)
		require.NoError(t, err)
		second, err := stub.client().Create(t.Context(), stubRequest)
		require.NoError(t, err)
		assert.Equal(t, made, second)
		assert.Len(t, stub.Payments, 1)
		assert.Equal(t, stub.URL+"/checkout/"+made.ID, made.URL)
		want := `{"amount":{"currency":"EUR","value":"125.50"},"description":"B-1","redirectUrl":"https://x.example/thank-you?n=a",
			"cancelUrl":"https://x.example/payment-cancelled","webhookUrl":"https://x.example/hook","locale":"en_GB","metadata":{"payment":"p1","order":"B-1"}}`
		got, err := json.Marshal(stub.Payments[made.ID].Sent)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(got))
	})
	t.Run("what became of it", func(t *testing.T) {
		stub := newStubMollie(t)
		made, err := stub.client().Create(t.Context(), stubRequest)
		require.NoError(t, err)
		for status, want := range map[string]State{"open": Open, "pending": Open, "authorized": Open, "paid": Paid, "failed": Failed,
			"canceled": Cancelled, "expired": Expired} {
			stub.SetStatus(made.ID, status)
			found, err := stub.client().Get(t.Context(), made.ID)
			require.NoError(t, err)
			assert.Equal(t, want, found.State, status)
			assert.Equal(t, value.Cents(12550), found.Amount)
			assert.Equal(t, "p1", found.Key)
		}
	})
	t.Run("money goes back once", func(t *testing.T) {
		stub := newStubMollie(t)
		made, err := stub.client().Create(t.Context(), stubRequest)
		require.NoError(t, err)
		back := Refund{Payment: made.ID, Key: "p1", Amount: 12550, Description: "B-1"}
		_, err = stub.client().Refund(t.Context(), back)
		require.Error(t, err, "nothing is paid yet")
		stub.SetStatus(made.ID, "paid")
		id, err := stub.client().Refund(t.Context(), back)
		require.NoError(t, err)
		assert.Equal(t, "re_1", id)
		_, err = stub.client().Refund(t.Context(), back)
		require.NoError(t, err)
		clear(stub.Keys) // Mollie forgets keys after an hour
		_, err = stub.client().Refund(t.Context(), back)
		require.NoError(t, err, "it is refused, because it is done")
		assert.Equal(t, 1, stub.Payments[made.ID].RefundsAccepted)
		found, err := stub.client().Get(t.Context(), made.ID)
		require.NoError(t, err)
		assert.Equal(t, []any{Paid, value.Cents(12550)}, []any{found.State, found.Refunded})
	})
	t.Run("9-money-back-news", func(t *testing.T) {
		for name, c := range map[string]struct {
			of   mollietest.Payment
			want Returned
		}{
			"nothing":                  {mollietest.Payment{}, Returned{}},
			"a chargeback, as a total": {mollietest.Payment{ChargedBack: "125.50"}, Returned{0, 12550}},
			"a refund, as a total":     {mollietest.Payment{Refunded: "25.00"}, Returned{2500, 0}},
			"both":                     {mollietest.Payment{Refunded: "25.00", ChargedBack: "100.50"}, Returned{2500, 10050}},
			"a chargeback in the list": {mollietest.Payment{ChargedBack: "125.50",
				Chargebacks: []mollietest.Reversal{{ID: "chb_1", Value: "125.50"}}}, Returned{0, 12550}},
			"a chargeback given up": {mollietest.Payment{ChargedBack: "125.50",
				Chargebacks: []mollietest.Reversal{{ID: "chb_1", Value: "125.50", Reversed: true}}}, Returned{}},
			"refunds under way": {mollietest.Payment{Refunded: "35.00",
				Refunds: []mollietest.Reversal{{ID: "re_1", Value: "25.00", Status: "queued"}, {ID: "re_2", Value: "10.00", Status: "refunded"}}},
				Returned{3500, 0}},
			"a refund that failed": {mollietest.Payment{Refunded: "35.00",
				Refunds: []mollietest.Reversal{{ID: "re_1", Value: "25.00", Status: "failed"}, {ID: "re_2", Value: "10.00", Status: "refunded"}}},
				Returned{1000, 0}},
			"a refund that was cancelled": {mollietest.Payment{Refunds: []mollietest.Reversal{{ID: "re_1", Value: "25.00", Status: "canceled"}}},
				Returned{}},
		} {
			stub := newStubMollie(t)
			made, err := stub.client().Create(t.Context(), stubRequest)
			require.NoError(t, err)
			stub.Change(made.ID, func(p *mollietest.Payment) {
				p.Status, p.Refunded, p.ChargedBack, p.Refunds, p.Chargebacks = "paid", c.of.Refunded, c.of.ChargedBack, c.of.Refunds, c.of.Chargebacks
			})
			found, err := stub.client().Get(t.Context(), made.ID)
			require.NoError(t, err, name)
			assert.Equal(t, c.want, found.Returned, name)
			assert.Len(t, found.Refunds, len(c.of.Refunds), name)
		}
	})
	t.Run("9-money-back-refund-failed", func(t *testing.T) {
		stub := newStubMollie(t)
		made, err := stub.client().Create(t.Context(), stubRequest)
		require.NoError(t, err)
		stub.SetStatus(made.ID, "paid")
		first, err := stub.client().Refund(t.Context(), Refund{Payment: made.ID, Key: "p1", Amount: 12550})
		require.NoError(t, err)
		stub.Change(made.ID, func(p *mollietest.Payment) { p.Refunded, p.Refunds[0].Status = "", "failed" })
		second, err := stub.client().Refund(t.Context(), Refund{Payment: made.ID, Key: "p1", Try: 1, Amount: 12550})
		require.NoError(t, err)
		assert.NotEqual(t, first, second)
	})
	t.Run("ids that are none are not put into a path", func(t *testing.T) {
		stub := newStubMollie(t)
		for _, id := range []string{"", "tr_", "../customers", "tr_1/refunds", "ord_1", "tr_" + strings.Repeat("a", 100), "tr_é"} {
			_, err := stub.client().Get(t.Context(), id)
			assert.ErrorIs(t, err, ErrUnknown, id)
			_, err = stub.client().Refund(t.Context(), Refund{Payment: id})
			assert.ErrorIs(t, err, ErrUnknown, id)
		}
		assert.Zero(t, stub.Asked.Load())
		_, err := stub.client().Get(t.Context(), "tr_nobody")
		assert.ErrorIs(t, err, ErrUnknown)
	})
	t.Run("a key that is refused", func(t *testing.T) {
		stub := newStubMollie(t)
		_, err := newMollie(stub.Client(), stub.URL+"/v2", "test_wrong").Create(t.Context(), stubRequest)
		assert.ErrorIs(t, err, ErrKey)
		assert.NotContains(t, err.Error(), "test_wrong")
	})
	t.Run("a failure that passes is not noticed, and makes one payment", func(t *testing.T) {
		stub := newStubMollie(t)
		var calls atomic.Int64
		how := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if calls.Add(1) == 1 { // the payment was created, and the response was lost
				stub.Create(httptest.NewRecorder(), r)
				panic(http.ErrAbortHandler)
			}
			stub.How.Store(nil)
			stub.Create(w, r)
		})
		stub.How.Store(&how)
		_, err := stub.client().Create(t.Context(), stubRequest)
		require.NoError(t, err)
		assert.Len(t, stub.Payments, 1)
	})
	t.Run("refused refunds leave checkout open", func(t *testing.T) {
		stub := newStubMollie(t)
		client := stub.client()
		made, err := client.Create(t.Context(), stubRequest)
		require.NoError(t, err)
		for i := range 2 * source.BreakAfter {
			_, err := client.Refund(t.Context(), Refund{Payment: made.ID, Key: fmt.Sprint("p", i), Amount: 12550})
			require.ErrorAs(t, err, new(*source.Refused), "nothing is paid")
		}
		_, err = client.Get(t.Context(), made.ID)
		require.NoError(t, err)
		request := stubRequest
		request.Key = "p2"
		_, err = client.Create(t.Context(), request)
		require.NoError(t, err)
	})
	for name, how := range map[string]http.HandlerFunc{
		"500":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"429":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(429) },
		"html":  func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"empty": func(http.ResponseWriter, *http.Request) {},
		"null":  func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "null") },
		"another thing": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"resource":"order","id":"ord_1"}`)
		},
		"another payment": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"resource":"payment","id":"tr_2","status":"paid","amount":{"currency":"EUR","value":"1.00"}}`)
		},
		"dollars that came back": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"resource":"payment","id":"tr_1","status":"paid","amount":{"currency":"EUR","value":"125.50"},"amountChargedBack":{"currency":"USD","value":"125.50"}}`)
		},
		"no amount": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"resource":"payment","id":"tr_1","status":"paid"}`)
		},
		"dollars": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"resource":"payment","id":"tr_1","status":"paid","amount":{"currency":"USD","value":"125.50"}}`)
		},
		"unknown status": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"resource":"payment","id":"tr_1","status":"golden","amount":{"currency":"EUR","value":"125.50"}}`)
		},
		"script": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"resource":"payment","id":"tr_1","status":"golden","amount":{"currency":"EUR","value":"125.50"},"_links":{"checkout":{"href":"javascript:alert(1)"}}}`)
		},
		"hangs up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run("no answer that can be used: "+name, func(t *testing.T) {
			t.Parallel()
			stub := newStubMollie(t)
			stub.How.Store(&how)
			_, err := stub.client().Create(t.Context(), stubRequest)
			assert.ErrorIs(t, err, source.ErrDown)
			_, err = stub.client().Get(t.Context(), "tr_1")
			assert.ErrorIs(t, err, source.ErrDown)
			_, err = stub.client().Refund(t.Context(), Refund{Payment: "tr_1", Key: "p1", Amount: 1})
			assert.ErrorIs(t, err, source.ErrDown)
			assert.NotErrorAs(t, err, new(*source.Refused), "it is tried again")
		})
	}
	t.Run("who leaves is no failure", func(t *testing.T) {
		gone, leave := context.WithCancel(t.Context())
		leave()
		_, err := newStubMollie(t).client().Create(gone, stubRequest)
		assert.ErrorIs(t, err, context.Canceled)
	})
}

func FuzzReadMollie(f *testing.F) {
	for _, seed := range []string{"", "null", `{}`,
		`{"resource":"payment","id":"tr_1","status":"paid","amount":{"currency":"EUR","value":"1.00"},"metadata":{"payment":"p"}}`,
		`{"resource":"payment","id":"tr_1","status":"paid","amount":{"currency":"EUR","value":"-1.00"},"metadata":[1],"amountRefunded":{"currency":"EUR","value":"9"}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := readMollie(data)
		if err != nil {
			return
		}
		if _, err := p.found(); err == nil && p.Amount == nil {
			t.Error("taken without an amount")
		}
	})
}
