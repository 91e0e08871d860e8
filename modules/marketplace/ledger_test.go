package marketplace

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun/dialect"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
)

// The hash of an entry covers all of it, and is the same wherever it is computed.
func TestSeal(t *testing.T) {
	at := time.Date(2026, 11, 20, 11, 0, 0, 123456789, time.FixedZone("Amsterdam", 3600))
	e := entryRow{LabelKey: "acme", ParticipationID: "p", Sequence: 3, Kind: entrySold, Balance: Balance{Reserved: -2, Held: 2}, Ref: "order", Counter: "", Reason: "é<&>",
		Actor: "staff", Subject: "account", Role: "staff", Effective: value.Day{Year: 2026, Month: 11, Day: 20}, At: at, PreviousHash: "abc"}
	assert.Equal(t, "326a27cccf4a47ef", e.seal()[:16], "the canonical form has changed: no chain that is stored holds any more")
	same := e
	same.At = at.UTC().Truncate(time.Microsecond)
	assert.Equal(t, e.seal(), same.seal(), "as a database gives it back")
	for name, change := range map[string]func(*entryRow){
		"label": func(e *entryRow) { e.LabelKey = "other" }, "participation": func(e *entryRow) { e.ParticipationID = "q" }, "sequence": func(e *entryRow) { e.Sequence++ },
		"kind": func(e *entryRow) { e.Kind = entryReserved }, "share": func(e *entryRow) { e.Share++ }, "offered": func(e *entryRow) { e.Offered++ },
		"reserved": func(e *entryRow) { e.Reserved++ }, "held": func(e *entryRow) { e.Held++ }, "moving": func(e *entryRow) { e.Moving++ },
		"ref": func(e *entryRow) { e.Ref = "" }, "counter": func(e *entryRow) { e.Counter = "x" }, "reason": func(e *entryRow) { e.Reason = "" },
		"actor": func(e *entryRow) { e.Actor = "" }, "subject": func(e *entryRow) { e.Subject = "" }, "role": func(e *entryRow) { e.Role = "" },
		"effective": func(e *entryRow) { e.Effective = e.Effective.AddDays(1) }, "at": func(e *entryRow) { e.At = e.At.Add(time.Microsecond) },
		"previous": func(e *entryRow) { e.PreviousHash = "abd" },
	} {
		changed := e
		change(&changed)
		assert.NotEqual(t, e.seal(), changed.seal(), name)
	}
}

// poster is a world with two participations, and a way to post to them.
type poster struct {
	*world
	a, b string
}

func openPoster(t *testing.T, o moduletest.Options) *poster {
	t.Helper()
	w := openWorld(t, o, testSettings())
	w.load("project", projectRecordOf("WP"))
	w.load("participation", shareRecord("1", "P-1", "WP", 20), shareRecord("2", "P-2", "WP", 10))
	return &poster{w, value.StableID(moduletest.LabelOne, "imported participation", "P-1"), value.StableID(moduletest.LabelOne, "imported participation", "P-2")}
}

func (p *poster) post(postings ...posting) error {
	return p.s.host.DB.Tx(p.system(), func(ctx context.Context, tx module.Tx) error { return post(ctx, tx, p.s.host.Now(), postings...) })
}

func (p *poster) balance(id string) Balance {
	p.t.Helper()
	all, err := participationsBy(p.system(), p.s.host.DB, []string{id})
	require.NoError(p.t, err)
	return all[id].Balance
}

func TestPost(t *testing.T) {
	moduletest.Engines(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		p := openPoster(t, o)
		offered := func(id string, n int64) posting {
			return posting{Participation: id, Kind: entryOffered, Balance: Balance{Offered: n}, Ref: "o"}
		}
		t.Run("all or nothing", func(t *testing.T) {
			assert.ErrorIs(t, p.post(offered(p.a, 5), offered(p.b, 11)), error(errShares))
			assert.Equal(t, Balance{Share: 20}, p.balance(p.a))
			assert.ErrorIs(t, p.post(offered(p.a, -1)), error(errShares))
			assert.Error(t, p.post(offered(p.a, 1), offered("nobody", 1)))
			require.NoError(t, p.post())
			require.NoError(t, p.post(offered(p.b, 4), offered(p.a, 5), offered(p.b, 6)))
			assert.Equal(t, Balance{Share: 20, Offered: 5}, p.balance(p.a))
			assert.Equal(t, Balance{Share: 10, Offered: 10}, p.balance(p.b))
		})
		t.Run("many at a time", func(t *testing.T) {
			errs := make([]error, 40)
			var wg sync.WaitGroup
			for i := range errs { // 15 are free, in turns asked for in either order of the two
				one, other := offered(p.a, 1), posting{Participation: p.b, Kind: entryRetracted, Balance: Balance{}, Ref: "o"}
				wg.Go(func() {
					if i%2 == 0 {
						one, other = other, one
					}
					errs[i] = p.post(one, other)
				})
			}
			wg.Wait()
			gone := 0
			for _, err := range errs {
				if errors.Is(err, error(errShares)) {
					gone++
					continue
				}
				require.NoError(t, err)
			}
			assert.Equal(t, 25, gone)
			assert.Equal(t, Balance{Share: 20, Offered: 20}, p.balance(p.a))
		})
		t.Run("entries are never changed", func(t *testing.T) {
			for _, statement := range []string{"UPDATE marketplace_entries SET reason = 'x'", "DELETE FROM marketplace_entries", "TRUNCATE marketplace_entries"} {
				err := p.exec(statement)
				if strings.HasPrefix(statement, "TRUNCATE") && !p.postgres() {
					continue
				}
				require.ErrorContains(t, err, "append-only", statement)
			}
		})
	})
}

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

// Whatever somebody with rights on the database changes, the audit sees.
func TestAuditSees(t *testing.T) {
	moduletest.Engines(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		for i := range 4 {
			w.offered(member("1"), jsonOf(newOffer("P-1", i+1)))
		}
		move := m{"date": "2026-12-01", "items": []m{{"participationIdentifier": "P-3", "shares": 2, "address": home(9)}}}
		call[any](w, 200, member("2"), "POST", "/sustainable/participations/move", move)
		w.whole()
		unlock := []string{"DROP TRIGGER marketplace_entries_no_update", "DROP TRIGGER marketplace_entries_no_delete"}
		if w.postgres() {
			unlock = []string{"DROP TRIGGER marketplace_entries_no_change ON marketplace_entries"}
		}
		require.NoError(t, w.exec(unlock...))
		id := value.StableID(moduletest.LabelOne, "imported participation", "P-1")
		for _, c := range []struct{ name, do, undo, want string }{
			{"an entry's number", "UPDATE marketplace_entries SET offered = offered + 1 WHERE participation_id = ? AND sequence = 3", "UPDATE marketplace_entries SET offered = offered - 1 WHERE participation_id = ? AND sequence = 3", "has been changed"},
			{"who did it", "UPDATE marketplace_entries SET actor = 'x' || actor WHERE participation_id = ? AND sequence = 2", "UPDATE marketplace_entries SET actor = substr(actor, 2) WHERE participation_id = ? AND sequence = 2", "has been changed"},
			{"an entry that is gone", "UPDATE marketplace_entries SET sequence = 99 WHERE participation_id = ? AND sequence = 2", "UPDATE marketplace_entries SET sequence = 2 WHERE participation_id = ? AND sequence = 99", "entry 2 is missing"},
			{"the newest entry is gone", "UPDATE marketplace_entries SET participation_id = '~' WHERE participation_id = ? AND sequence = 5", "UPDATE marketplace_entries SET participation_id = ? WHERE participation_id = '~'", "its newest entry is 5, and 4 are there"},
			{"a balance", "UPDATE marketplace_participations SET offered = offered + 1 WHERE id = ?", "UPDATE marketplace_participations SET offered = offered - 1 WHERE id = ?", "its entries come to"},
			{"an offer", "UPDATE marketplace_offers SET left_shares = left_shares - 1 WHERE participation_id = ?", "UPDATE marketplace_offers SET left_shares = left_shares + 1 WHERE participation_id = ?", "its offers come to"},
			{"a reservation that nobody ordered", "UPDATE marketplace_offers SET left_shares = left_shares - 1, reserved = reserved + 1 WHERE participation_id = ?", "UPDATE marketplace_offers SET left_shares = left_shares + 1, reserved = reserved - 1 WHERE participation_id = ?", "its open orders come to"},
			{"shares out of nothing", "UPDATE marketplace_participations SET share = share + 7 WHERE id = ?", "UPDATE marketplace_participations SET share = share - 7 WHERE id = ?", "37 shares, 30 were issued"},
			{"a move that is forgotten", "UPDATE marketplace_moves SET state = 'CANCELLED' WHERE ? <> ''", "UPDATE marketplace_moves SET state = 'PLANNED' WHERE ? <> ''", "the moves to come are of 0"},
		} {
			fill := func(s string) string { return strings.ReplaceAll(s, "?", "'"+id+"'") }
			require.NoError(t, w.exec(fill(c.do)), c.name)
			r, err := w.s.audit(w.system())
			require.NoError(t, err)
			assert.Contains(t, fmt.Sprint(r.Findings), c.want, c.name)
			require.NoError(t, w.exec(fill(c.undo)), c.name)
			w.whole()
		}
		t.Run("the job says so", func(t *testing.T) {
			require.NoError(t, w.s.auditDue(w.system()))
			assert.NotContains(t, jsonOf(w.queued("event")), "audit_failed")
			require.NoError(t, w.exec("UPDATE marketplace_participations SET share = share + 7 WHERE project_code = 'WP'"))
			require.NoError(t, w.s.auditDue(w.system()))
			found := 0
			for _, r := range w.queued("event") {
				if strings.Contains(string(r.Payload), "marketplace.audit_failed") {
					found++
				}
			}
			assert.Equal(t, 1, found)
			report := call[Report](w, 200, staffMember(), "GET", "/sustainable/audit", nil)
			assert.NotEmpty(t, report.Findings)
		})
	})
}

// Records come as they please: what was traded since stays.
func TestRecords(t *testing.T) {
	moduletest.Engines(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openMarket(t, o, testSettings())
		w.offered(member("1"), jsonOf(newOffer("P-1", 8)))
		p := func() Balance {
			row, err := participationNamed(w.system(), w.s.host.DB, module.Label(w.system(), "test"), "P-1")
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
		assert.Equal(t, Balance{Share: 20, Offered: 8}, p())
		w.load("participation", shareRecord("1", "P-1", "WP", 25))
		assert.Equal(t, Balance{Share: 25, Offered: 8}, p())
		assert.Equal(t, "share marketplace.shares_gone", refused("participation", shareRecord("1", "P-1", "WP", 7)))
		assert.Equal(t, "debtor_number marketplace.owner_differs", refused("participation", shareRecord("2", "P-1", "WP", 25)))
		assert.Equal(t, "project_code marketplace.project_differs", refused("participation", shareRecord("1", "P-1", "ZON", 25)))
		assert.Equal(t, "project_code marketplace.project_unknown", refused("participation", shareRecord("1", "P-8", "NIX", 25)))
		assert.Equal(t, "share invalid", refused("participation", strings.ReplaceAll(shareRecord("1", "P-8", "WP", 25), `"share":25`, `"share":-1`)))
		assert.Equal(t, "shares marketplace.shares_differ", refused("participation", strings.ReplaceAll(shareRecord("1", "P-8", "WP", 25), `"share":25`, `"share":25,"shares":[{"from_date":"2020-01-01","share":24}]`)))
		assert.Equal(t, "member_offer_settings.0.max_price invalid", refused("project", `{"project_code":"X","project_name":"X","project_type":"SOLAR","member_offer_settings":[{"from_date":"2020-01-01","min_price":9,"max_price":8,"allow_selling":true}]}`))
		assert.Equal(t, "statutes_location invalid", refused("project", `{"project_code":"X","project_name":"X","project_type":"SOLAR","statutes_location":"javascript:alert(1)"}`))
		for _, kind := range []string{"project", "participation", "market_offer", "market_order"} {
			assert.NotEmpty(t, refused(kind, `{}`))
			assert.NotEmpty(t, refused(kind, `[]`))
			assert.NotEmpty(t, refused(kind, `{"share":{}}`))
		}
		w.load("participation", shareRecord("1", "P-1", "WP", 8))
		assert.Equal(t, Balance{Share: 8, Offered: 8}, p())
		w.whole()
	})
}

// Entries of any kind, in any order: the balance is the sum of what was accepted, and never impossible.
func TestBalances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Balance{}
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			n := func(what string) int64 { return rapid.Int64Range(-5, 5).Draw(t, what) }
			d := Balance{n("share"), n("offered"), n("reserved"), n("held"), n("moving")}
			if to := b.Plus(d); to.Possible() {
				b = to
			}
			if b.Share < 0 || b.Free() < 0 || b.available() != b.Free()+b.Moving || b.Share != b.Offered+b.Reserved+b.Held+b.Moving+b.Free() {
				t.Fatalf("%+v", b)
			}
		}
	})
}
