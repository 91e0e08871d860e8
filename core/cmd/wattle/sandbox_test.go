package main_test

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
)

// quiet is a log that can be read while it is written.
type quiet struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (q *quiet) Write(p []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.text.Write(p)
}

func (q *quiet) String() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.text.String()
}

// What was a demo is served without --demo: nothing is sold, and what was open then is not paid with no money.
func TestSandboxOutsideOfTheDemo(t *testing.T) {
	t.Run("9-sandbox-demo-only", func(t *testing.T) {
		sandbox := []apptest.Label{{Key: "alpha", CUE: `modules: marketplace: payment: provider: "sandbox"`}}
		all := []module.Module{account.Module, billing.Module, marketplace.Module}
		log := &quiet{}
		outside := apptest.Start(t, apptest.Options{Modules: all, Labels: sandbox, Live: true, Log: log})
		s := &shop{members: &members{customers: &customers{Server: outside, t: t}}}
		s.project()
		seller, buyer := s.with(t, 10), s.with(t, 0)
		buyer.adds(t, s.offer(t, seller, 5, 40, nil), 1)
		a := buyer.post("/sustainable/basket/order", wishes(nil))
		assert.Equal(t, []any{409, "marketplace.payments_off"}, []any{a.Status, a.Code()})
		// an order of the days when it was a demo: its page is gone
		page := sandboxPageOf(t, s, buyer)
		for _, c := range []apptest.Call{{Path: page}, {Method: http.MethodPost, Path: page, Body: "do=pay", Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}} {
			assert.Equal(t, 404, outside.Do(c).Status, c.Method)
		}
		const says = `modules.marketplace.payment.provider: \"sandbox\" is for demonstrations`
		ready := outside.Do(apptest.Call{Path: "//readyz"})
		assert.Equal(t, 200, ready.Status, "everything else is served")
		assert.Contains(t, string(ready.Body), says)
		assert.Contains(t, string(ready.Body), `"demo_only"`)
		assert.Contains(t, strings.ReplaceAll(log.String(), `\\\"`, `\"`), says)
	})
}

// sandboxPageOf is the page of a payment that was made with the sandbox while it was a demo.
func sandboxPageOf(t *testing.T, s *shop, buyer member) string {
	t.Helper()
	_, err := s.Store.DB().ExecContext(t.Context(), `INSERT INTO marketplace_orders (label_key, id, reference, relation_id, status, amount, shares, private_deal, transfer_date, placed_at, expires_at, digest, email, locale)
		VALUES ('alpha', 'o1', 'B-1', ?, 'AWAITING_PAYMENT', 4000, 1, false, '2027-01-01', '2026-11-20 09:00:00', '2026-12-04 09:00:00', '', '', 'nl')`, buyer.relation)
	require.NoError(t, err)
	_, err = s.Store.DB().ExecContext(t.Context(), `INSERT INTO marketplace_payments (label_key, id, relation_id, order_id, provider, provider_id, amount, state, url, created_at, expires_at, late, note, refund_id)
		VALUES ('alpha', 'p1', ?, 'o1', 'sandbox', 'p1', 4000, 'OPEN', '', '2026-11-20 09:00:00', '2026-11-27 09:00:00', false, '', '')`, buyer.relation)
	require.NoError(t, err)
	return "/sustainable/sandbox/p1"
}
