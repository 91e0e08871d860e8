package test_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/modules/production"
	"github.com/wattle-portal/wattle/test/fixture"
)

// Everything that a participant can do, done by one member after another.
func TestParticipantDomains(t *testing.T) {
	t.Parallel()
	modules := []module.Module{account.Module, billing.Module, marketplace.Module, production.Module}
	portaltest.Each(t, portaltest.Options{Modules: modules, CUE: fixture.SandboxPayments,
		Labels: []portaltest.Label{{Key: "alpha", Kind: portaltest.Participants}}}, func(t *testing.T, s *portaltest.Portal) {
		all := &fixture.Members{Customers: &fixture.Customers{Portal: s, T: t}}
		all.Project()
		seller, buyer := all.With(t, 50), all.With(t, 10)
		t.Run("1-participant-domains", func(t *testing.T) {
			// production charts
			require.Empty(t, fixture.Records(t, s, "production_day", fixture.ProducedOn(fixture.MarketProject, all.On(-1), 100, 24)))
			assert.Len(t, buyer.Production(t, fixture.MarketProject+"?timeframe_offset=-1"), 24)
			// own participations
			require.Len(t, buyer.Participations(t), 1)
			// creating sell offers
			market := fixture.Body[fixture.Object](t, seller.Post("/sustainable/offers",
				fixture.Object{"participation_identifier": seller.Participation, "date": all.On(0),
					"number_of_shares": 5, "price": 40}), 201)
			fixture.Decide(t, seller.Customer, "marketplace.offer", module.Processed)
			personal, code := all.Offered(t, seller, 3, all.On(0))
			fixture.Decide(t, seller.Customer, "marketplace.offer", module.Processed)
			// available offers
			available := buyer.Get(t, "/sustainable/offers")["content"].([]any)
			require.Len(t, available, 1)
			assert.Equal(t, market["identifier"], available[0].(fixture.Object)["identifier"])
			// redeeming a personal offer by code, and personal offers
			require.Empty(t, buyer.Personal(t))
			fixture.Body[fixture.Object](t, buyer.Redeem(code), 200)
			assert.Equal(t, []string{personal}, buyer.Personal(t))
			// a basket
			buyer.Adds(t, market["identifier"].(string), 2)
			assert.Len(t, buyer.Adds(t, personal, 3).Items, 2)
			// checkout with order payment
			o := fixture.Body[fixture.Placed](t, buyer.Post("/sustainable/basket/order",
				fixture.Object{"waiveWithdrawalPeriod": true, "start_date": "2026-12-21"}), 200)
			require.Equal(t, "SUCCESS", o.Status)
			buyer.Order(t, o.Order.ID, "AWAITING_PAYMENT")
			fixture.Choose(t, s, buyer.Link(t, o.Order.ID), "pay")
			assert.EqualValues(t, 5, buyer.Order(t, o.Order.ID, "BOUGHT").Shares)
			// relocating shares from one address to another
			fixture.Body[[]fixture.Move](t, buyer.Post(fixture.MoveShares, fixture.Moving(all.On(0), buyer.ToNew(4, fixture.Place(7)))),
				http.StatusOK)
			assert.EqualValues(t, 4, buyer.Participations(t)["Molenweg 7"].Share)
		})
	})
}
