// Package mollietest is a payment provider for tests that has the interface of Mollie's Payments API v2.
package mollietest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Stub behaves like the Payments API v2: idempotency keys, refunds, and states that change only at the provider.
type Stub struct {
	*httptest.Server
	mu       sync.Mutex
	Payments map[string]*Payment
	Keys     map[string][]byte
	Asked    atomic.Int64
	How      atomic.Pointer[http.HandlerFunc] // responds instead of the stub, unless nil
}

// Payment is a payment at the stub.
type Payment struct {
	ID, Status      string
	Sent            map[string]any
	Refunded        string
	ChargedBack     string
	RefundsAccepted int
	Refunds         []Reversal // embedded in the payment on request
	Chargebacks     []Reversal
}

// Reversal is a refund with its status, or a chargeback that may have been reversed.
type Reversal struct {
	ID, Value, Status string
	Reversed          bool
}

// Key is the only valid API key.
const Key = "test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM"

// New starts a stub that runs until the end of the test.
func New(t testing.TB) *Stub {
	t.Helper()
	m := &Stub{Payments: map[string]*Payment{}, Keys: map[string][]byte{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v2/payments", m.Create)
	mux.HandleFunc("GET /v2/payments/{id}", m.get)
	mux.HandleFunc("POST /v2/payments/{id}/refunds", m.refund)
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.Asked.Add(1)
		if how := m.How.Load(); how != nil {
			(*how)(w, r)
			return
		}
		if r.Header.Get("Authorization") != "Bearer "+Key {
			says(w, http.StatusUnauthorized, map[string]any{"status": 401, "title": "Unauthorized Request"})
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(m.Close)
	return m
}

func says(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/hal+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// once repeats the response to an earlier request with the same key.
func (m *Stub) once(w http.ResponseWriter, r *http.Request, do func(sent map[string]any) (int, any)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := r.Header.Get("Idempotency-Key")
	if done, ok := m.Keys[key]; ok && key != "" {
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write(done)
		return
	}
	sent := map[string]any{}
	if json.NewDecoder(r.Body).Decode(&sent) != nil {
		says(w, http.StatusBadRequest, map[string]any{"status": 400})
		return
	}
	status, v := do(sent)
	if status == http.StatusCreated {
		m.Keys[key], _ = json.Marshal(v)
	}
	says(w, status, v)
}

// Create handles POST /v2/payments.
func (m *Stub) Create(w http.ResponseWriter, r *http.Request) {
	m.once(w, r, func(sent map[string]any) (int, any) {
		amount, _ := sent["amount"].(map[string]any)
		if value, _ := amount["value"].(string); value == "" || value == "0.00" || !strings.Contains(value, ".") {
			return http.StatusUnprocessableEntity, map[string]any{"status": 422, "field": "amount"}
		}
		p := &Payment{ID: fmt.Sprintf("tr_%010d", len(m.Payments)+1), Status: "open", Sent: sent}
		m.Payments[p.ID] = p
		return http.StatusCreated, m.shown(p)
	})
}

func (m *Stub) shown(p *Payment) map[string]any {
	out := map[string]any{"resource": "payment", "id": p.ID, "mode": "test", "status": p.Status, "amount": p.Sent["amount"],
		"metadata":  p.Sent["metadata"],
		"createdAt": "2026-11-20T10:00:00+00:00",
		"_links":    map[string]any{"checkout": map[string]any{"href": m.URL + "/checkout/" + p.ID, "type": "text/html"}}}
	if p.Status == "paid" {
		out["paidAt"] = "2026-11-20T10:05:00+00:00"
		if p.Refunded != "" {
			out["amountRefunded"] = euros(p.Refunded)
		}
		if p.ChargedBack != "" {
			out["amountChargedBack"] = euros(p.ChargedBack)
		}
	}
	return out
}

func (m *Stub) get(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.Payments[r.PathValue("id")]
	if p == nil {
		says(w, http.StatusNotFound, map[string]any{"status": 404, "title": "Not Found"})
		return
	}
	out := m.shown(p)
	if strings.Contains(r.URL.Query().Get("embed"), "refunds") && p.Status == "paid" {
		refunds, chargebacks := []any{}, []any{}
		for _, b := range p.Refunds {
			refunds = append(refunds, map[string]any{"resource": "refund", "id": b.ID, "status": b.Status, "amount": euros(b.Value)})
		}
		for _, b := range p.Chargebacks {
			c := map[string]any{"resource": "chargeback", "id": b.ID, "amount": euros(b.Value), "reversedAt": nil}
			if b.Reversed {
				c["reversedAt"] = "2026-12-01T10:00:00+00:00"
			}
			chargebacks = append(chargebacks, c)
		}
		out["_embedded"] = map[string]any{"refunds": refunds, "chargebacks": chargebacks}
	}
	says(w, http.StatusOK, out)
}

func euros(value string) map[string]any { return map[string]any{"currency": "EUR", "value": value} }

func (m *Stub) refund(w http.ResponseWriter, r *http.Request) {
	m.once(w, r, func(sent map[string]any) (int, any) {
		p := m.Payments[r.PathValue("id")]
		if p == nil {
			return http.StatusNotFound, map[string]any{"status": 404}
		}
		if p.Status != "paid" || p.Refunded != "" {
			return http.StatusUnprocessableEntity, map[string]any{"status": 422, "detail": "The amount is higher than the maximum"}
		}
		p.Refunded = sent["amount"].(map[string]any)["value"].(string)
		p.RefundsAccepted++
		p.Refunds = append(p.Refunds, Reversal{ID: fmt.Sprintf("re_%d", p.RefundsAccepted), Value: p.Refunded, Status: "pending"})
		return http.StatusCreated, map[string]any{"resource": "refund", "id": fmt.Sprintf("re_%d", p.RefundsAccepted), "status": "pending",
			"amount": sent["amount"]}
	})
}

// Change changes a payment at the stub.
func (m *Stub) Change(id string, how func(*Payment)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	how(m.Payments[id])
}

// SetStatus sets the status of a payment at the stub.
func (m *Stub) SetStatus(id, status string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Payments[id].Status = status
}
