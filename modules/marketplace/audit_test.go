package marketplace

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun/dialect"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/audit"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

func (w *world) postgres() bool { return moduletest.Raw(w.s.host.DB).Dialect().Name() == dialect.PG }

func (w *world) exec(statements ...string) error {
	return w.s.host.DB.Tx(w.system(), func(ctx context.Context, tx module.Tx) error {
		for _, s := range statements {
			if _, err := moduletest.Raw(tx).NewRaw(s).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// The audit detects every change made by somebody with write access to the database.
func TestAuditSees(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		for i := range 4 {
			w.offered(member("1"), jsonOf(newOffer("P-1", i+1)))
		}
		move := m{"date": "2026-12-01", "items": []m{{"participationIdentifier": "P-3", "shares": 2, "address": home(9)}}}
		call[any](w, 200, member("2"), "POST", "/sustainable/participations/move", move)
		w.requireConsistent()
		unlock := []string{"DROP TRIGGER marketplace_entries_no_update", "DROP TRIGGER marketplace_entries_no_delete"}
		if w.postgres() {
			unlock = []string{"DROP TRIGGER marketplace_entries_no_change ON marketplace_entries"}
		}
		require.NoError(t, w.exec(unlock...))
		id := value.StableID(moduletest.LabelOne, "imported participation", "P-1")
		for _, c := range []struct{ name, do, undo, want string }{
			{"an entry's number", "UPDATE marketplace_entries SET offered = offered + 1 WHERE participation_id = ? AND sequence = 3",
				"UPDATE marketplace_entries SET offered = offered - 1 WHERE participation_id = ? AND sequence = 3", "has been changed"},
			{"who did it", "UPDATE marketplace_entries SET actor = 'x' || actor WHERE participation_id = ? AND sequence = 2",
				"UPDATE marketplace_entries SET actor = substr(actor, 2) WHERE participation_id = ? AND sequence = 2", "has been changed"},
			{"an entry that is gone", "UPDATE marketplace_entries SET sequence = 99 WHERE participation_id = ? AND sequence = 2",
				"UPDATE marketplace_entries SET sequence = 2 WHERE participation_id = ? AND sequence = 99", "entry 2 is missing"},
			{"the newest entry is gone", "UPDATE marketplace_entries SET participation_id = '~' WHERE participation_id = ? AND sequence = 5",
				"UPDATE marketplace_entries SET participation_id = ? WHERE participation_id = '~'", "its newest entry is 5, and 4 are there"},
			{"a balance", "UPDATE marketplace_participations SET offered = offered + 1 WHERE id = ?",
				"UPDATE marketplace_participations SET offered = offered - 1 WHERE id = ?", "its entries come to"},
			{"an offer", "UPDATE marketplace_offers SET left_shares = left_shares - 1 WHERE participation_id = ?",
				"UPDATE marketplace_offers SET left_shares = left_shares + 1 WHERE participation_id = ?", "its offers come to"},
			{"a reservation that nobody ordered", "UPDATE marketplace_offers SET left_shares = left_shares - 1, reserved = reserved + 1 WHERE participation_id = ?", "UPDATE marketplace_offers SET left_shares = left_shares + 1, reserved = reserved - 1 WHERE participation_id = ?", "its open orders come to"},
			{"shares out of nothing", "UPDATE marketplace_participations SET share = share + 7 WHERE id = ?",
				"UPDATE marketplace_participations SET share = share - 7 WHERE id = ?", "37 shares, 30 were issued"},
			{"a move that is forgotten", "UPDATE marketplace_moves SET state = 'CANCELLED' WHERE ? <> ''",
				"UPDATE marketplace_moves SET state = 'PLANNED' WHERE ? <> ''", "the moves to come are of 0"},
		} {
			fill := func(s string) string { return strings.ReplaceAll(s, "?", "'"+id+"'") }
			require.NoError(t, w.exec(fill(c.do)), c.name)
			r, err := audit.New(w.s.host).Report(w.system())
			require.NoError(t, err)
			assert.Contains(t, fmt.Sprint(r.Findings), c.want, c.name)
			require.NoError(t, w.exec(fill(c.undo)), c.name)
			w.requireConsistent()
		}
		t.Run("the job says so", func(t *testing.T) {
			require.NoError(t, w.s.Handle(w.system(), module.Event{Type: marketplaceapi.EventAudit}))
			assert.NotContains(t, jsonOf(w.queued("event")), "audit_failed")
			require.NoError(t, w.exec("UPDATE marketplace_participations SET share = share + 7 WHERE project_code = 'WP'"))
			require.NoError(t, w.s.Handle(w.system(), module.Event{Type: marketplaceapi.EventAudit}))
			found := 0
			for _, r := range w.queued("event") {
				if strings.Contains(string(r.Payload), "marketplace.audit_failed") {
					found++
				}
			}
			assert.Equal(t, 1, found)
			report := call[ledger.Report](w, 200, staffMember(), "GET", "/sustainable/audit", nil)
			assert.NotEmpty(t, report.Findings)
		})
	})
}

// Records may arrive in any order and more than once; trade since the first import is kept.
func TestRecords(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		w.offered(member("1"), jsonOf(newOffer("P-1", 8)))
		p := func() ledger.Balance {
			row, err := participation.Named(w.system(), w.s.host.DB, module.Label(w.system(), "test"), "P-1")
			require.NoError(t, err)
			return row.Balance
		}
		refused := func(kind, record string) string {
			out := []string{}
			for _, r := range w.tryLoad(kind, record) {
				out = append(out, r.Field+" "+r.Code)
			}
			return strings.Join(out, ", ")
		}
		w.load("participation", shareRecord("1", "P-1", "WP", 20))
		assert.Equal(t, ledger.Balance{Share: 20, Offered: 8}, p())
		w.load("participation", shareRecord("1", "P-1", "WP", 25))
		assert.Equal(t, ledger.Balance{Share: 25, Offered: 8}, p())
		assert.Equal(t, "share marketplace.shares_gone", refused("participation", shareRecord("1", "P-1", "WP", 7)))
		assert.Equal(t, "debtor_number marketplace.owner_differs", refused("participation", shareRecord("2", "P-1", "WP", 25)))
		assert.Equal(t, "project_code marketplace.project_differs", refused("participation", shareRecord("1", "P-1", "ZON", 25)))
		assert.Equal(t, "project_code marketplace.project_unknown", refused("participation", shareRecord("1", "P-8", "NIX", 25)))
		assert.Equal(t, "share invalid", refused("participation", strings.ReplaceAll(shareRecord("1", "P-8", "WP", 25), `"share":25`,
			`"share":-1`)))
		assert.Equal(t, "shares marketplace.shares_differ", refused("participation",
			strings.ReplaceAll(shareRecord("1", "P-8", "WP", 25), `"share":25`, `"share":25,"shares":[{"from_date":"2020-01-01","share":24}]`)))
		assert.Equal(t, "member_offer_settings.0.max_price invalid", refused("project",
			`{"project_code":"X","project_name":"X","project_type":"SOLAR","member_offer_settings":[{"from_date":"2020-01-01","min_price":9,"max_price":8,"allow_selling":true}]}`))
		assert.Equal(t, "statutes_location invalid", refused("project",
			`{"project_code":"X","project_name":"X","project_type":"SOLAR","statutes_location":"javascript:alert(1)"}`))
		for _, kind := range []string{"project", "participation", "market_offer", "market_order"} {
			assert.NotEmpty(t, refused(kind, `{}`))
			assert.NotEmpty(t, refused(kind, `[]`))
			assert.NotEmpty(t, refused(kind, `{"share":{}}`))
		}
		w.load("participation", shareRecord("1", "P-1", "WP", 8))
		assert.Equal(t, ledger.Balance{Share: 8, Offered: 8}, p())
		w.requireConsistent()
	})
}
