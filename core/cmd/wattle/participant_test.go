package main_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/modules/production"
)

// All that a participant has, done by one member after another.
func TestParticipantDomains(t *testing.T) {
	t.Parallel()
	modules := []module.Module{account.Module, billing.Module, marketplace.Module, production.Module}
	apptest.Each(t, apptest.Options{Modules: modules, Labels: []apptest.Label{{Key: "alpha", Kind: label.KindParticipant}}}, func(t *testing.T, s *apptest.Server) {
		all := &members{customers: &customers{Server: s, t: t}}
		all.project()
		seller, buyer := all.with(t, 50), all.with(t, 10)
		t.Run("1-participant-domains", func(t *testing.T) {
			// production charts
			require.Empty(t, records(t, s, "production_day", produced(marketProject, all.on(-1), 100, 24)))
			assert.Len(t, buyer.made(t, marketProject+"?timeframe_offset=-1"), 24)
			// own participations
			require.Len(t, buyer.has(t), 1)
			// creating sell offers
			market := fine[object](t, seller.post("/sustainable/offers", object{"participation_identifier": seller.participation, "date": all.on(0),
				"number_of_shares": 5, "price": 40}), 201)
			decide(t, seller.customer, "marketplace.offer", module.Processed)
			personal, code := all.offered(t, seller, 3, all.on(0))
			decide(t, seller.customer, "marketplace.offer", module.Processed)
			// available offers
			available := buyer.get(t, "/sustainable/offers")["content"].([]any)
			require.Len(t, available, 1)
			assert.Equal(t, market["identifier"], available[0].(object)["identifier"])
			// redeeming a personal offer by code, and personal offers
			require.Empty(t, buyer.personal(t))
			fine[object](t, buyer.redeem(code), 200)
			assert.Equal(t, []string{personal}, buyer.personal(t))
			// a basket
			buyer.adds(t, market["identifier"].(string), 2)
			assert.Len(t, buyer.adds(t, personal, 3).Items, 2)
			// checkout with order payment
			o := fine[placedShown](t, buyer.post("/sustainable/basket/order", object{"waiveWithdrawalPeriod": true, "start_date": "2026-12-21"}), 200)
			require.Equal(t, "SUCCESS", o.Status)
			buyer.order(t, o.Order.ID, "AWAITING_PAYMENT")
			chooses(t, s, buyer.link(t, o.Order.ID), "pay")
			assert.EqualValues(t, 5, buyer.order(t, o.Order.ID, "BOUGHT").Shares)
			// relocating shares from one address to another
			fine[[]moveSeen](t, buyer.post(moveShares, moving(all.on(0), buyer.toNew(4, place(7)))), http.StatusOK)
			assert.EqualValues(t, 4, buyer.has(t)["Molenweg 7"].Share)
		})
	})
}
