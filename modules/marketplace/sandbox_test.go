package marketplace_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/test/fixture"
)

// In a portal without --demo, a label with the sandbox sells nothing, and its open orders cannot be paid.
func TestSandboxOutsideOfTheDemo(t *testing.T) {
	t.Run("9-sandbox-demo-only", func(t *testing.T) {
		sandbox := []portaltest.Label{{Key: "alpha", CUE: `modules: marketplace: payment: provider: "sandbox"`}}
		all := []module.Module{account.Module, billing.Module, marketplace.Module}
		log := &fixture.Output{}
		outside := portaltest.Start(t, portaltest.Options{Modules: all, Labels: sandbox, Live: true, Log: log})
		s := &fixture.Shop{Members: &fixture.Members{Customers: &fixture.Customers{Portal: outside, T: t}}}
		s.Project()
		seller, buyer := s.With(t, 10), s.With(t, 0)
		buyer.Adds(t, s.Offer(t, seller, 5, 40, nil), 1)
		a := buyer.Post("/sustainable/basket/order", fixture.OrderRequest(nil))
		assert.Equal(t, []any{409, "marketplace.payments_off"}, []any{a.Status, a.Code()})
		// an order from the time when the portal was a demo: its page no longer exists
		page := sandboxPageOf(t, s, buyer)
		for _, c := range []portaltest.Call{{Path: page}, {Method: http.MethodPost, Path: page, Body: "do=pay",
			Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}} {
			assert.Equal(t, 404, outside.Do(c).Status, c.Method)
		}
		const says = `modules.marketplace.payment.provider: \"sandbox\" is for demonstrations`
		ready := outside.Do(portaltest.Call{Path: "//readyz"})
		assert.Equal(t, 200, ready.Status, "everything else is served")
		assert.Contains(t, string(ready.Body), says)
		assert.Contains(t, string(ready.Body), `"demo_only"`)
		assert.Contains(t, strings.ReplaceAll(log.String(), `\\\"`, `\"`), says)
	})
}

// sandboxPageOf returns the page of a payment that was created with the sandbox when the portal was a demo.
func sandboxPageOf(t *testing.T, s *fixture.Shop, buyer fixture.Member) string {
	t.Helper()
	_, err := s.DB().ExecContext(t.Context(), `INSERT INTO marketplace_orders (label_key, id, reference, relation_id, status, amount, shares, private_deal, transfer_date, placed_at, expires_at, digest, email, locale)
		VALUES ('alpha', 'o1', 'B-1', ?, 'AWAITING_PAYMENT', 4000, 1, false, '2027-01-01', '2026-11-20 09:00:00', '2026-12-04 09:00:00', '', '', 'nl')`, buyer.Relation)
	require.NoError(t, err)
	_, err = s.DB().ExecContext(t.Context(), `INSERT INTO marketplace_payments (label_key, id, relation_id, order_id, provider, provider_id, amount, state, url, created_at, expires_at, late, note, refund_id)
		VALUES ('alpha', 'p1', ?, 'o1', 'sandbox', 'p1', 4000, 'OPEN', '', '2026-11-20 09:00:00', '2026-11-27 09:00:00', false, '', '')`, buyer.Relation)
	require.NoError(t, err)
	return "/sustainable/sandbox/p1"
}
