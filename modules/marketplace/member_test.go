package marketplace_test

import (
	"testing"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/test/fixture"
)

// Members of a cooperative who trade: in labels alpha and gamma without approval, in beta after the approval of staff.
func TestMarketplaceMembers(t *testing.T) {
	t.Parallel()
	modules := []module.Module{account.Module, billing.Module, marketplace.Module}
	labels := []portaltest.Label{{Key: "alpha"}, {Key: "beta", CUE: "modules: marketplace: access: approval: true"}, {Key: "gamma"}}
	portaltest.Each(t, portaltest.Options{Modules: modules, Labels: labels, CUE: fixture.SandboxPayments}, func(t *testing.T,
		s *portaltest.Portal) {
		all := &fixture.Members{Customers: &fixture.Customers{Portal: s, T: t}}
		all.Project()
		t.Run("moves", func(t *testing.T) { movesOfShares(t, all) })
		t.Run("moves to come", func(t *testing.T) { movesToCome(t, all) })
		t.Run("moves that are refused", func(t *testing.T) { movesRefused(t, all) })
		t.Run("codes", func(t *testing.T) { codesOfOffers(t, all) })
		t.Run("transfers", func(t *testing.T) { transfersToMembers(t, all) })
		t.Run("transfers that are refused", func(t *testing.T) { transfersRefused(t, all) })
		t.Run("history", func(t *testing.T) { historyOfShares(t, all) })
		t.Run("access", func(t *testing.T) { accessToTheMarket(t, s) })
	})
}

const transferPath = "/sustainable/transfers"
