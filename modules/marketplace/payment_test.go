package marketplace_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules/marketplace/mollietest"
	"github.com/wattle-portal/wattle/test/fixture"
)

func payingOrders(t *testing.T, s *fixture.Shop) {
	seller, buyer := s.With(t, 100), s.With(t, 0)
	offer := s.Offer(t, seller, 20, 40, nil)
	t.Run("7.6-paylink-return,2.4-thank-you-encoding", func(t *testing.T) {
		o := buyer.Buy(t, offer, 3, nil)
		link := buyer.Link(t, o.ID)
		to := fixture.Choose(t, s.Portal, link, "pay")
		n, ok := strings.CutPrefix(to, "/thank-you?n=")
		require.True(t, ok, to)
		raw, err := base64.RawURLEncoding.DecodeString(n)
		require.NoError(t, err)
		assert.JSONEq(t, fmt.Sprintf(`[%q,120.00]`, o.Reference), string(raw))
		o = buyer.Order(t, o.ID, "BOUGHT")
		assert.False(t, o.Paid.IsZero())
		assert.Equal(t, "2026-12-04", o.Withdraw)
		share, offered := seller.Balance(t)
		assert.Equal(t, []int64{100, 20}, []int64{share, offered})
		buyer.Mailed(t, "betaling ontvangen")
		seller.Mailed(t, "verkocht")
		assert.Equal(t, "marketplace.not_payable", buyer.Do(http.MethodGet, "/sustainable/orders/"+o.ID+"/paylink", nil).Code())

		cancelled := buyer.Buy(t, offer, 1, nil)
		link = buyer.Link(t, cancelled.ID)
		assert.Equal(t, "/payment-cancelled", fixture.Choose(t, s.Portal, link, "cancel"))
		buyer.Order(t, cancelled.ID, "AWAITING_PAYMENT")
		next := buyer.Link(t, cancelled.ID)
		assert.NotEqual(t, link, next, "it can be tried again")
		assert.Contains(t, fixture.Choose(t, s.Portal, next, "fail"), "/sandbox/")
		fixture.Choose(t, s.Portal, buyer.Link(t, cancelled.ID), "pay")
		buyer.Order(t, cancelled.ID, "BOUGHT")
	})
	t.Run("9-participation-parts", func(t *testing.T) {
		parts := func() (out [][]int64) {
			for _, p := range seller.Participations(t) {
				out = append(out, []int64{p.Offered, p.Reserved, p.Sold})
			}
			return out
		}
		assert.Equal(t, [][]int64{{20, 0, 4}}, parts(), "3 and 1 are paid and wait for their day")
		o := buyer.Buy(t, offer, 2, nil)
		assert.Equal(t, [][]int64{{20, 2, 4}}, parts(), "2 are ordered")
		fixture.Body[fixture.Order](t, buyer.Do(http.MethodDelete, "/sustainable/orders/"+o.ID, nil), 200)
		assert.Equal(t, [][]int64{{20, 0, 4}}, parts())
	})
	t.Run("7.6-paylink-status", func(t *testing.T) {
		o := buyer.Buy(t, offer, 1, nil)
		fixture.Body[fixture.Order](t, buyer.Do(http.MethodDelete, "/sustainable/orders/"+o.ID, nil), 200)
		a := buyer.Do(http.MethodGet, "/sustainable/orders/"+o.ID+"/paylink", nil)
		assert.Equal(t, []any{409, "marketplace.not_payable"}, []any{a.Status, a.Code()})
	})
	t.Run("4-order-status-other-set", func(t *testing.T) {
		o := buyer.Buy(t, offer, 2, nil)
		fixture.Choose(t, s.Portal, buyer.Link(t, o.ID), "pay")
		buyer.Order(t, o.ID, "BOUGHT")
		gone := buyer.Buy(t, offer, 1, nil)
		cancelled := fixture.Body[fixture.Order](t, buyer.Do(http.MethodDelete, "/sustainable/orders/"+gone.ID, nil), 200)
		assert.Equal(t, "CANCELLED", cancelled.Status)
		s.Later(t, 30*day, &buyer, &seller)
		buyer.Order(t, o.ID, "BOUGHT")
		s.Later(t, day, &buyer, &seller)
		o = buyer.Order(t, o.ID, "COMPLETED")
		assert.Equal(t, "CANCELLED", buyer.Order(t, gone.ID, "CANCELLED").Status)
		share, _ := seller.Balance(t)
		assert.EqualValues(t, 94, share, "3, 1 and 2 have been handed over")
		assert.EqualValues(t, 6, buyer.Participations(t)["Molenweg 7"].Share)
		buyer.Mailed(t, "De delen zijn van jou")
		a := buyer.Do(http.MethodDelete, "/sustainable/orders/"+o.ID, nil)
		assert.Equal(t, []any{409, "marketplace.transition"}, []any{a.Status, a.Code()})
	})
}

func endingOrders(t *testing.T, s *fixture.Shop) {
	seller, buyer := s.With(t, 100), s.With(t, 0)
	offer := s.Offer(t, seller, 20, 40, nil)
	cancel := func(o fixture.Order) portaltest.Answer {
		return buyer.Do(http.MethodDelete, "/sustainable/orders/"+o.ID, nil)
	}
	t.Run("7.6-delete-order,4-order-release-shares,4-order-cancel-statuses,9-order-reservation", func(t *testing.T) {
		other := s.Offer(t, s.With(t, 100), 5, 25, nil) // an offer of another seller
		left := func() []int64 { return []int64{s.SharesLeft(t, buyer, offer), s.SharesLeft(t, buyer, other)} }
		buyer.Adds(t, other, 2)
		o := buyer.Buy(t, offer, 3, nil)
		require.Len(t, o.Offers, 2)
		assert.Equal(t, []int64{17, 3}, left())
		assert.Equal(t, 404, seller.Do(http.MethodDelete, "/sustainable/orders/"+o.ID, nil).Status, "another one's")
		assert.Equal(t, "CANCELLED", fixture.Body[fixture.Order](t, cancel(o), 200).Status)
		assert.Equal(t, []int64{20, 5}, left(), "to the offer that they came from")
		buyer.Mailed(t, "is geannuleerd")
		assert.Equal(t, []any{409, "marketplace.transition"}, []any{cancel(o).Status, cancel(o).Code()})

		buyer.Adds(t, other, 4)
		expired := buyer.Buy(t, offer, 20, fixture.Object{"start_date": "2027-06-01"})
		assert.Equal(t, []int64{0, 1}, left())
		s.Later(t, 12*day, &buyer, &seller)
		buyer.Mailed(t, "Vergeet je bestelling")
		s.Later(t, 2*day-time.Minute, &buyer, &seller)
		buyer.Order(t, expired.ID, "AWAITING_PAYMENT")
		assert.Equal(t, []int64{0, 1}, left(), "until its 14 days are over")
		s.Later(t, time.Minute, &buyer, &seller)
		buyer.Order(t, expired.ID, "EXPIRED")
		assert.Equal(t, []int64{20, 5}, left(), "they are for sale again")
		buyer.Mailed(t, "is verlopen")
		assert.Equal(t, "marketplace.transition", cancel(expired).Code())
		_, offered := seller.Balance(t)
		assert.EqualValues(t, 20, offered)
	})
	pays := func(t *testing.T, n int, start string) fixture.Order {
		t.Helper()
		o := buyer.Buy(t, offer, n, fixture.Object{"start_date": start})
		fixture.Choose(t, s.Portal, buyer.Link(t, o.ID), "pay")
		return buyer.Order(t, o.ID, "BOUGHT")
	}
	t.Run("9-withdrawal-period,9-withdrawal-reconcile,9-withdrawal-function", func(t *testing.T) {
		o := pays(t, 4, "2027-06-01")
		s.Later(t, 14*day, &buyer, &seller)
		r := fixture.Body[struct {
			Reference, At, Refund string
			Amount                json.Number
		}](t, buyer.Post("/sustainable/orders/"+o.ID+"/withdrawal", nil), 200)
		assert.Equal(t, []any{o.Reference, "160.00"}, []any{r.Reference, r.Amount.String()})
		assert.Contains(t, []string{"REFUNDING", "REFUNDED"}, r.Refund)
		second := fixture.Body[fixture.Object](t, buyer.Post("/sustainable/orders/"+o.ID+"/withdrawal", nil), 200)
		assert.Equal(t, r.At, second["at"], "asked again it is the same receipt")
		buyer.Order(t, o.ID, "CANCELLED")
		buyer.Mailed(t, "Bewijs dat je van de koop afziet")
		seller.Mailed(t, "ziet van de koop af")
		s.Portal.Eventually(func() bool { return s.PaymentsOf(t, o.ID)[0].State == "REFUNDED" })
		assert.EqualValues(t, 20, s.SharesLeft(t, buyer, offer))

		late := pays(t, 1, "2027-06-01")
		deleted := pays(t, 1, "2027-06-01")
		assert.Equal(t, "CANCELLED", fixture.Body[fixture.Order](t, cancel(deleted), 200).Status, "cancelling a paid order undoes it too")
		s.Portal.Eventually(func() bool { return s.PaymentsOf(t, deleted.ID)[0].State == "REFUNDED" })
		s.Later(t, 15*day, &buyer, &seller)
		assert.Empty(t, buyer.Order(t, late.ID, "BOUGHT").Withdraw)
		for _, a := range []portaltest.Answer{cancel(late), buyer.Post("/sustainable/orders/"+late.ID+"/withdrawal", nil)} {
			assert.Equal(t, []any{409, "marketplace.withdrawal_over"}, []any{a.Status, a.Code()})
		}
		unpaid := buyer.Buy(t, offer, 1, fixture.Object{"start_date": "2027-06-01"})
		assert.Equal(t, "marketplace.transition", buyer.Post("/sustainable/orders/"+unpaid.ID+"/withdrawal", nil).Code(),
			"there is nothing to withdraw from")
	})
	t.Run("a sold out offer that is undone stays sold", func(t *testing.T) {
		last := s.Offer(t, seller, 2, 30, nil)
		o := buyer.Buy(t, last, 2, fixture.Object{"start_date": "2027-06-01"})
		fixture.Choose(t, s.Portal, buyer.Link(t, o.ID), "pay")
		buyer.Order(t, o.ID, "BOUGHT")
		_, before := seller.Balance(t)
		fixture.Body[fixture.Object](t, buyer.Post("/sustainable/orders/"+o.ID+"/withdrawal", nil), 200)
		assert.EqualValues(t, 0, s.SharesLeft(t, buyer, last))
		_, after := seller.Balance(t)
		assert.Equal(t, before-2, after, "they are the seller's, and no longer offered")
	})
}

func latePayments(t *testing.T, s *fixture.Shop) {
	seller, buyer, rival := s.With(t, 100), s.With(t, 0), s.With(t, 0)
	t.Run("completed when the shares are still there", func(t *testing.T) {
		offer := s.Offer(t, seller, 5, 40, nil)
		o := buyer.Buy(t, offer, 5, fixture.Object{"start_date": "2027-06-01"})
		link := buyer.Link(t, o.ID)
		s.Later(t, 14*day, &buyer, &seller, &rival)
		buyer.Order(t, o.ID, "EXPIRED")
		fixture.Choose(t, s.Portal, link, "pay")
		all := fixture.Body[[]fixture.Order](t, buyer.Do(http.MethodGet, "/sustainable/orders", nil), 200)
		require.Len(t, all, 2)
		assert.Equal(t, []any{"BOUGHT", int64(5), "200.00", "2027-06-01"}, []any{all[0].Status, all[0].Shares, all[0].Amount.String(),
			all[0].TransferDate})
		assert.Equal(t, "EXPIRED", all[1].Status, "an ended order stays ended")
		p := s.PaymentsOf(t, all[0].ID)
		require.Len(t, p, 1)
		assert.Equal(t, []any{"PAID", true, "HONOURED"}, []any{p[0].State, p[0].Late, p[0].Note})
		waiting := s.Payments(t, "attention=true")
		require.Len(t, waiting, 1, "staff see it")
		assert.True(t, waiting[0].MaySee)
		assert.Equal(t, 404, s.MarkHandled("nobody").Status)
		require.Equal(t, 200, s.MarkHandled(p[0].ID).Status)
		assert.Empty(t, s.Payments(t, "attention=true"), "until somebody has")
		assert.Equal(t, []any{409, "marketplace.transition"}, []any{s.MarkHandled(p[0].ID).Status, s.MarkHandled(p[0].ID).Code()})
		log := fixture.Body[struct{ Items []struct{ Who, What string } }](t, buyer.Do(http.MethodGet, "/account/access-log", nil), 200).Items
		assert.Contains(t, fmt.Sprint(log), "{staff marketplace.payment_seen}")
		fixture.Body[fixture.Object](t, buyer.Post("/sustainable/orders/"+all[0].ID+"/withdrawal", nil), 200)
		s.Portal.Eventually(func() bool { return s.PaymentsOf(t, all[0].ID)[0].State == "REFUNDED" })
	})
	t.Run("refunded when they are gone", func(t *testing.T) {
		offer := s.Offer(t, seller, 5, 40, nil)
		o := buyer.Buy(t, offer, 5, fixture.Object{"start_date": "2027-06-01"})
		link := buyer.Link(t, o.ID)
		s.Later(t, 14*day, &buyer, &seller, &rival)
		rival.Buy(t, offer, 1, fixture.Object{"start_date": "2027-06-01"})
		fixture.Choose(t, s.Portal, link, "pay")
		s.Portal.Eventually(func() bool { return s.PaymentsOf(t, o.ID)[0].State == "REFUNDED" })
		p := s.PaymentsOf(t, o.ID)[0]
		assert.Equal(t, []any{true, "SHARES_GONE"}, []any{p.Late, p.Note})
		require.Len(t, s.Payments(t, "attention=true"), 1)
		require.Equal(t, 200, s.MarkHandled(p.ID).Status)
		assert.Empty(t, s.Payments(t, "attention=true"))
		buyer.Order(t, o.ID, "EXPIRED")
		assert.EqualValues(t, 4, s.SharesLeft(t, buyer, offer))
		buyer.Mailed(t, "terug")
	})
	t.Run("refunded when its order was cancelled, or paid already", func(t *testing.T) {
		offer := s.Offer(t, seller, 5, 40, nil)
		o := buyer.Buy(t, offer, 1, fixture.Object{"start_date": "2027-06-01"})
		link := buyer.Link(t, o.ID)
		fixture.Body[fixture.Object](t, buyer.Do(http.MethodDelete, "/sustainable/orders/"+o.ID, nil), 200)
		fixture.Choose(t, s.Portal, link, "pay")
		s.Portal.Eventually(func() bool { return s.PaymentsOf(t, o.ID)[0].State == "REFUNDED" })
		assert.Equal(t, "ORDER_CANCELLED", s.PaymentsOf(t, o.ID)[0].Note)

		o = buyer.Buy(t, offer, 1, fixture.Object{"start_date": "2027-06-01"})
		first := buyer.Link(t, o.ID)
		s.Later(t, 8*day, &buyer, &seller, &rival)
		second := buyer.Link(t, o.ID)
		require.NotEqual(t, first, second)
		fixture.Choose(t, s.Portal, first, "pay")
		fixture.Choose(t, s.Portal, second, "pay")
		buyer.Order(t, o.ID, "BOUGHT")
		states := map[string]string{}
		s.Portal.Eventually(func() bool {
			for _, p := range s.PaymentsOf(t, o.ID) {
				states[p.State] = p.Note
			}
			return states["REFUNDED"] != ""
		})
		assert.Equal(t, "PAID_TWICE", states["REFUNDED"])
		assert.Contains(t, states, "PAID")
	})
}

// TestMollieOrders pays at a provider with Mollie's interface, whose responses are sometimes late, repeated or wrong.
func TestMollieOrders(t *testing.T) {
	t.Parallel()
	stub := mollietest.New(t)
	secrets := filepath.Join(t.TempDir(), "secrets")
	require.NoError(t, os.WriteFile(secrets, []byte("MOLLIE_KEY="+mollietest.Key+"\n"), 0o600))
	fixture.Shops(t, portaltest.Options{SecretFile: secrets, Demo: true, AtOnce: true,
		Labels: []portaltest.Label{{Key: "alpha",
			CUE: fmt.Sprintf(`modules: marketplace: payment: {provider: "mollie", key: "MOLLIE_KEY", url: %q}`, stub.URL+"/v2")},
			{Key: "beta", CUE: `modules: marketplace: payment: provider: "sandbox"`}}}, func(t *testing.T, s *fixture.Shop) {
		seller, buyer := s.With(t, 100), s.With(t, 0)
		offer := s.Offer(t, seller, 50, 40, nil)
		hook := func(body string) int {
			return s.Do(portaltest.Call{Method: http.MethodPost, Path: "/sustainable/payments/webhook", Body: body,
				Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}).Status
		}
		paid := func(t *testing.T) (fixture.Order, string) {
			t.Helper()
			o := buyer.Buy(t, offer, 1, nil)
			return o, s.PaymentsOf(t, o.ID)[0].Provider
		}
		t.Run("a webhook is asked about and never believed", func(t *testing.T) {
			o, id := paid(t)
			sent := stub.Payments[id].Sent
			assert.Equal(t, fixture.Object{"currency": "EUR", "value": "40.00"}, sent["amount"])
			home := s.LabelURL("alpha")
			assert.Equal(t, home+"/api/v0/sustainable/payments/webhook", sent["webhookUrl"])
			assert.Equal(t, home+"/payment-cancelled", sent["cancelUrl"])
			assert.True(t, strings.HasPrefix(sent["redirectUrl"].(string), home+"/thank-you?n="))
			assert.Equal(t, stub.URL+"/checkout/"+id, buyer.Link(t, o.ID))
			assert.Equal(t, 200, hook("id="+id+"&status=paid"))
			buyer.Order(t, o.ID, "AWAITING_PAYMENT")
			stub.SetStatus(id, "paid")
			var wg sync.WaitGroup
			for range 8 { // concurrent duplicates
				wg.Go(func() { assert.Equal(t, 200, hook("id="+id)) })
			}
			wg.Wait()
			assert.Equal(t, "BOUGHT", buyer.Order(t, o.ID, "BOUGHT").Status)
			stub.SetStatus(id, "expired") // an older state that arrives later changes nothing
			assert.Equal(t, 200, hook("id="+id))
			buyer.Order(t, o.ID, "BOUGHT")
		})
		t.Run("wrong ids and junk change nothing", func(t *testing.T) {
			requests := stub.Asked.Load()
			for _, body := range []string{"id=tr_unknown", "id=", "id=../../x", "%", "id=" + strings.Repeat("a", 500), "{\"id\":\"tr_1\"}",
				"id=tr_1%00"} {
				assert.Equal(t, 200, hook(body), body)
			}
			assert.Equal(t, requests, stub.Asked.Load(), "a stranger does not make us ask")
			assert.Equal(t, 200, s.Do(portaltest.Call{Method: http.MethodPost, Host: "beta.localhost", Path: "/sustainable/payments/webhook",
				Body: "id=tr_0000000001", Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}).Status, "another label's")
		})
		t.Run("states in any order", func(t *testing.T) {
			o, id := paid(t)
			for _, status := range []string{"failed", "open", "expired", "paid", "canceled"} {
				stub.SetStatus(id, status)
				require.Equal(t, 200, hook("id="+id))
			}
			buyer.Order(t, o.ID, "BOUGHT")
		})
		t.Run("another amount is for staff", func(t *testing.T) {
			o, id := paid(t)
			stub.Payments[id].Sent["amount"] = fixture.Object{"currency": "EUR", "value": "0.01"}
			stub.SetStatus(id, "paid")
			require.Equal(t, 200, hook("id="+id))
			buyer.Order(t, o.ID, "AWAITING_PAYMENT")
			p := s.PaymentsOf(t, o.ID)[0]
			assert.Equal(t, []any{"PAID", true, "AMOUNT_DIFFERS", true}, []any{p.State, p.Late, p.Note, p.MayRefund})
			assert.Len(t, s.Payments(t, "attention=true"), 1)
			assert.True(t, p.MaySee)
			a := s.Do(portaltest.Call{Method: http.MethodPost, Path: "/sustainable/staff/payments/" + p.ID + "/refund",
				Bearer: s.Staff("alpha").Bearer})
			require.Equal(t, 200, a.Status, string(a.Body))
			s.Portal.Eventually(func() bool { return s.PaymentsOf(t, o.ID)[0].State == "REFUNDED" })
			assert.Equal(t, 1, stub.Payments[id].RefundsAccepted)
			assert.Empty(t, s.Payments(t, "attention=true"), "who had it given back has seen it")
			p = s.PaymentsOf(t, o.ID)[0]
			assert.Equal(t, []any{"BY_STAFF", false}, []any{p.Note, p.MaySee})
			assert.Contains(t, string(buyer.Do(http.MethodGet, "/account/access-log", nil).Body), "marketplace.payment_refunded")
		})
		t.Run("9-money-back-before-transfer,9-money-back-told", func(t *testing.T) {
			o, id := paid(t)
			stub.SetStatus(id, "paid")
			require.Equal(t, 200, hook("id="+id))
			buyer.Order(t, o.ID, "BOUGHT")
			stub.Change(id, func(p *mollietest.Payment) { p.ChargedBack = "40.00" })
			var wg sync.WaitGroup
			for range 8 { // concurrent duplicates
				wg.Go(func() { assert.Equal(t, 200, hook("id="+id)) })
			}
			wg.Wait()
			buyer.Order(t, o.ID, "CANCELLED")
			p := s.PaymentsOf(t, o.ID)[0]
			assert.Equal(t, []any{"CHARGED_BACK", "CHARGED_BACK", true}, []any{p.State, p.Note, p.MaySee})
			buyer.Mailed(t, "is geannuleerd")
			seller.Mailed(t, "verkoop gaat niet door")
			assert.Zero(t, stub.Payments[id].RefundsAccepted, "the bank has given it back already")
			require.Equal(t, 200, s.MarkHandled(p.ID).Status)
		})
		t.Run("9-money-back-refund-failed", func(t *testing.T) {
			o, id := paid(t)
			stub.SetStatus(id, "paid")
			require.Equal(t, 200, hook("id="+id))
			buyer.Order(t, o.ID, "BOUGHT")
			fixture.Body[fixture.Object](t, buyer.Post("/sustainable/orders/"+o.ID+"/withdrawal", nil), 200)
			s.Portal.Eventually(func() bool { return s.PaymentsOf(t, o.ID)[0].State == "REFUNDED" })
			stub.Change(id, func(p *mollietest.Payment) { p.Refunded, p.Refunds = "", nil })
			require.Equal(t, 200, hook("id="+id))
			assert.Equal(t, "REFUNDED", s.PaymentsOf(t, o.ID)[0].State, "Mollie has not listed it yet")
			stub.Change(id, func(p *mollietest.Payment) {
				p.Refunded, p.Refunds = "", []mollietest.Reversal{{ID: "re_1", Value: "40.00", Status: "failed"}}
			})
			require.Equal(t, 200, hook("id="+id))
			p := s.PaymentsOf(t, o.ID)[0]
			assert.Equal(t, []any{"REFUNDING", "REFUND_FAILED", true}, []any{p.State, p.Note, p.MayRefund})
			require.Equal(t, 200, s.Do(portaltest.Call{Method: http.MethodPost, Path: "/sustainable/staff/payments/" + p.ID + "/refund",
				Bearer: s.Staff("alpha").Bearer}).Status)
			s.Portal.Eventually(func() bool { return s.PaymentsOf(t, o.ID)[0].State == "REFUNDED" })
			assert.Equal(t, 2, stub.Payments[id].RefundsAccepted)
		})
		t.Run("a provider that is down", func(t *testing.T) {
			o, id := paid(t)
			down := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
			stub.How.Store(&down)
			assert.Equal(t, 503, hook("id="+id), "it is to try again")
			link := buyer.Link(t, o.ID)
			assert.Equal(t, stub.URL+"/checkout/"+id, link, "its page may be there")
			buyer.Adds(t, offer, 1)
			waiting := buyer.Places(t, nil)
			require.Equal(t, "SUCCESS", waiting.Status, "an order can be placed")
			s.Advance(0)
			buyer.Order(t, waiting.Order.ID, "CREATED")
			refused := buyer.Do(http.MethodGet, "/sustainable/orders/"+waiting.Order.ID+"/paylink", nil)
			assert.Equal(t, []any{503, "unavailable"}, []any{refused.Status, refused.Code()}, "its payment cannot be made yet")
			buyer.Order(t, waiting.Order.ID, "CREATED")
			stub.How.Store(nil)
			fixture.Body[fixture.Order](t, buyer.Do(http.MethodDelete, "/sustainable/orders/"+waiting.Order.ID, nil), 200)
		})
	})
}

// TestMollieOrdersWithCosts pays and refunds orders whose administration costs are charged.
func TestMollieOrdersWithCosts(t *testing.T) {
	t.Parallel()
	stub := mollietest.New(t)
	secrets := filepath.Join(t.TempDir(), "secrets")
	require.NoError(t, os.WriteFile(secrets, []byte("MOLLIE_KEY="+mollietest.Key+"\n"), 0o600))
	fixture.Shops(t, portaltest.Options{SecretFile: secrets, Demo: true, AtOnce: true,
		Labels: []portaltest.Label{{Key: "alpha", CUE: fmt.Sprintf(
			`modules: marketplace: {payment: {provider: "mollie", key: "MOLLIE_KEY", url: %q}, order: administration_costs: true}`, stub.URL+
				"/v2")}}}, func(t *testing.T, s *fixture.Shop) {
		t.Run("9-order-costs", func(t *testing.T) {
			require.Empty(t, fixture.Records(t, s.Portal, "project", fixture.Object{"project_code": fixture.MarketProject,
				"project_name": "Windpark Molenbocht", "project_type": "WIND",
				"member_offer_settings": []fixture.Object{{"from_date": "2024-01-01", "min_price": 20, "max_price": 60, "allow_selling": true}},
				"administration_costs":  []fixture.Object{{"from_date": "2024-01-01", "amount": 12.5}}}))
			seller, buyer := s.With(t, 100), s.With(t, 0)
			offer := s.Offer(t, seller, 50, 40, nil)
			o := buyer.Buy(t, offer, 2, nil)
			p := s.PaymentsOf(t, o.ID)[0]
			assert.Equal(t, fixture.Object{"currency": "EUR", "value": "92.50"}, stub.Payments[p.Provider].Sent["amount"])
			hook := func() {
				a := s.Do(portaltest.Call{Method: http.MethodPost, Path: "/sustainable/payments/webhook", Body: "id=" + p.Provider,
					Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}})
				require.Equal(t, 200, a.Status)
			}
			stub.SetStatus(p.Provider, "paid")
			hook()
			buyer.Order(t, o.ID, "BOUGHT")
			r := fixture.Body[struct{ Amount json.Number }](t, buyer.Post("/sustainable/orders/"+o.ID+"/withdrawal", nil), 200)
			assert.Equal(t, "92.50", r.Amount.String())
			s.Portal.Eventually(func() bool { return s.PaymentsOf(t, o.ID)[0].State == "REFUNDED" })
			assert.Equal(t, 1, stub.Payments[p.Provider].RefundsAccepted, "of all that was paid: Mollie refuses more")
			assert.Equal(t, "92.50", stub.Payments[p.Provider].Refunded)
		})
	})
}

func sha256Base64(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}
