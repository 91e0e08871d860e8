package marketplace

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/share"
)

// Module production divides the production of a project by these numbers of shares.
func TestSharesOfProject(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		w.load("participation", `{"debtor_number":"3","participation_identifier":"P-4","project_code":"WP","share":50,
			"shares":[{"from_date":"2024-01-01","share":40},{"from_date":"2025-06-01","share":50}],"address":{"street_name":"Dijk","house_number":"1","postal_code":"9861GT","city":"Marum"}}`)
		always := value.Day{Year: 1900, Month: 1, Day: 1}
		y2024, y2025 := value.Day{Year: 2024, Month: 1, Day: 1}, value.Day{Year: 2025, Month: 6, Day: 1}
		shares := func(as module.Scope) []share.SharesFrom {
			return call[share.ProjectShares](w, 200, as, "GET", "/sustainable/projects/WP/shares", nil).Shares
		}
		// 30 shares were imported without a history, so they count from the beginning.
		assert.Equal(t, []share.SharesFrom{{From: always, Own: 0, All: 30}, {From: y2024, Own: 40, All: 70}, {From: y2025, Own: 50, All: 80}},
			shares(member("3")))
		assert.Equal(t, []share.SharesFrom{{From: always, Own: 20, All: 30}, {From: y2024, Own: 20, All: 70}, {From: y2025, Own: 20, All: 80}},
			shares(member("1")))
		assert.Equal(t, int64(0), shares(member("9"))[2].Own)
		w.refused(404, "not_found", member("1"), "GET", "/sustainable/projects/NONE/shares", nil)

		// Transferred shares count from the day of the transfer.
		w.load("participation", shareRecord("2", "P-3", "WP", 14))
		got := shares(member("2"))
		assert.Equal(t, share.SharesFrom{From: module.Today(w.system(), w.Clock.Now()), Own: 14, All: 84}, got[len(got)-1])
		assert.Equal(t, int64(10), got[0].Own)
	})
}
