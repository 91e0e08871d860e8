package ledger

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun/dialect"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
)

const key = "marketplace"

// instance is a marketplace module that only has its tables.
type instance struct {
	module.Router
	module.Host
}

func (instance) Handle(context.Context, module.Event) error { return nil }

// book is a ledger with participation A of 20 shares and participation B of 10.
type book struct {
	*moduletest.World
	*instance
	t testing.TB
}

func openBook(t *testing.T, o moduletest.Options) *book {
	t.Helper()
	m := module.Manifest{Key: key, Version: "0.0.0", Settings: "#Settings: {}", Migrations: os.DirFS("../../migrations")}
	b := &book{t: t}
	b.World = moduletest.Open(t, module.New(m, func(h module.Host) module.Instance { return &instance{module.NewRouter(m), h} }), o, false)
	b.instance = b.Registry.Snapshot().Modules[key].Instance.(*instance)
	require.NoError(t, b.tx(func(ctx context.Context, tx module.Tx) error {
		for _, id := range []string{"A", "B"} {
			if err := Add(ctx, tx, Participation{LabelKey: moduletest.LabelOne, ID: id, RelationID: "relation " + id, ParticipationIdentifier: "P-" +
				id,
				ProjectCode: "WP", AddressKey: "9999XX-1-", Document: "{}", Balance: Balance{Share: 1000}, Sequence: 7, Hash: "x"}); err != nil {
				return err
			}
		}
		return Issue(ctx, tx, b.Now(), "import", Grant{Participation: "A", Shares: 20}, Grant{Participation: "B", Shares: 10})
	}))
	return b
}

func (b *book) ctx() context.Context {
	ctx, ok := b.Hub.ScopeFor(moduletest.LabelOne, key)
	require.True(b.t, ok)
	return ctx
}

func (b *book) tx(f func(context.Context, module.Tx) error) error { return b.DB.Tx(b.ctx(), f) }

func (b *book) post(postings ...posting) error {
	return b.tx(func(ctx context.Context, tx module.Tx) error { return post(ctx, tx, b.Now(), postings...) })
}

func (b *book) participation(id string) Participation {
	b.t.Helper()
	all, err := ByID(b.ctx(), b.DB, []string{id})
	require.NoError(b.t, err)
	require.Len(b.t, all, 1)
	return all[0]
}

func (b *book) balance(id string) Balance { return b.participation(id).Balance }

func (b *book) newest(id string) Entry {
	b.t.Helper()
	entries, _, err := Newest(b.ctx(), b.DB, b.participation(id), 0, 1)
	require.NoError(b.t, err)
	require.Len(b.t, entries, 1)
	return entries[0]
}

// requireConsistent fails when the chains, the balances or the issued shares do not agree.
func (b *book) requireConsistent() {
	b.t.Helper()
	var r Report
	require.NoError(b.t, AuditChains(b.ctx(), b.DB, &r))
	require.NoError(b.t, AuditIssued(b.ctx(), b.DB, &r))
	require.Empty(b.t, r.Findings)
	require.NotZero(b.t, r.Entries)
}

func TestPost(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		b := openBook(t, o)
		assert.Equal(t, Balance{Share: 20}, b.balance("A"), "a participation begins without shares, whatever Add is given")
		assert.EqualValues(t, 1, b.participation("A").Sequence)
		offered := func(id string, n int64) posting {
			return posting{Participation: id, Kind: Offered, Balance: Balance{Offered: n}, Ref: "o"}
		}
		t.Run("all or nothing", func(t *testing.T) {
			assert.ErrorIs(t, b.post(offered("A", 5), offered("B", 11)), error(ErrShares))
			assert.Equal(t, Balance{Share: 20}, b.balance("A"))
			assert.ErrorIs(t, b.post(offered("A", -1)), error(ErrShares))
			assert.Error(t, b.post(offered("A", 1), offered("nobody", 1)))
			require.NoError(t, b.post())
			require.NoError(t, b.post(offered("B", 4), offered("A", 5), offered("B", 6)))
			assert.Equal(t, Balance{Share: 20, Offered: 5}, b.balance("A"))
			assert.Equal(t, Balance{Share: 10, Offered: 10}, b.balance("B"))
		})
		t.Run("many at a time", func(t *testing.T) {
			errs := make([]error, 40)
			var wg sync.WaitGroup
			for i := range errs { // 15 shares of A are free; the calls alternate the order of the two postings
				one, other := offered("A", 1), posting{Participation: "B", Kind: Retracted, Ref: "o"}
				wg.Go(func() {
					if i%2 == 0 {
						one, other = other, one
					}
					errs[i] = b.post(one, other)
				})
			}
			wg.Wait()
			gone := 0
			for _, err := range errs {
				if errors.Is(err, error(ErrShares)) {
					gone++
					continue
				}
				require.NoError(t, err)
			}
			assert.Equal(t, 25, gone)
			assert.Equal(t, Balance{Share: 20, Offered: 20}, b.balance("A"))
		})
		t.Run("entries are never changed", func(t *testing.T) {
			for _, statement := range []string{"UPDATE marketplace_entries SET reason = 'x'", "DELETE FROM marketplace_entries",
				"TRUNCATE marketplace_entries"} {
				err := b.tx(func(ctx context.Context, tx module.Tx) error {
					_, err := moduletest.Raw(tx).NewRaw(statement).Exec(ctx)
					return err
				})
				if strings.HasPrefix(statement, "TRUNCATE") && moduletest.Raw(b.DB).Dialect().Name() != dialect.PG {
					continue
				}
				require.ErrorContains(t, err, "append-only", statement)
			}
		})
		b.requireConsistent()
	})
}

// step is one use of a movement. Together the steps take shares through all movements.
type step struct {
	name   string
	do     func(ctx context.Context, tx module.Tx, now time.Time, shares int64) error
	a, b   Balance // the changes of the balances of A and B
	kind   Kind    // kind of the newest entry of A
	signed bool    // the movement accepts a negative number of shares
}

func lots(f func(context.Context, module.Tx, time.Time, ...Lot) error) func(context.Context, module.Tx, time.Time, int64) error {
	return func(ctx context.Context, tx module.Tx, now time.Time, n int64) error {
		return f(ctx, tx, now, Lot{Participation: "A", Shares: n, Ref: "r", Reason: "why"})
	}
}

func handovers(f func(context.Context, module.Tx, time.Time, ...Handover) error) func(context.Context, module.Tx, time.Time, int64) error {
	return func(ctx context.Context, tx module.Tx, now time.Time, n int64) error {
		return f(ctx, tx, now, Handover{From: "A", To: "B", Shares: n, Ref: "r", On: value.Day{Year: 2026, Month: 12, Day: 1}})
	}
}

// steps returns steps that use every movement. Each moves 7 of 20 shares; more than that are never in one place.
func steps() []step {
	undone := func(open bool) func(context.Context, module.Tx, time.Time, int64) error {
		return func(ctx context.Context, tx module.Tx, now time.Time, n int64) error {
			return Return(ctx, tx, now, UndoneLot{Lot{Participation: "A", Shares: n, Ref: "r"}, open})
		}
	}
	out, in := func(b Balance) Balance { return b.Plus(Balance{Share: -7}) }, Balance{Share: 7}
	return []step{
		{"Offer", lots(Offer), Balance{Offered: 7}, Balance{}, Offered, false},
		{"Retract", lots(Retract), Balance{Offered: -7}, Balance{}, Retracted, false},
		{"Offer", lots(Offer), Balance{Offered: 7}, Balance{}, Offered, false},
		{"Reserve", lots(Reserve), Balance{Offered: -7, Reserved: 7}, Balance{}, Reserved, false},
		{"Release", lots(Release), Balance{Offered: 7, Reserved: -7}, Balance{}, Released, false},
		{"Reserve", lots(Reserve), Balance{Offered: -7, Reserved: 7}, Balance{}, Reserved, false},
		{"Expire", lots(Expire), Balance{Offered: 7, Reserved: -7}, Balance{}, Expired, false},
		{"Reserve", lots(Reserve), Balance{Offered: -7, Reserved: 7}, Balance{}, Reserved, false},
		{"Sell", lots(Sell), Balance{Reserved: -7, Held: 7}, Balance{}, Sold, false},
		{"Return", undone(true), Balance{Held: -7, Offered: 7}, Balance{}, Returned, false},
		{"Reserve", lots(Reserve), Balance{Offered: -7, Reserved: 7}, Balance{}, Reserved, false},
		{"Sell", lots(Sell), Balance{Reserved: -7, Held: 7}, Balance{}, Sold, false},
		{"Return", undone(false), Balance{Held: -7}, Balance{}, Returned, false},
		{"Offer", lots(Offer), Balance{Offered: 7}, Balance{}, Offered, false},
		{"TransferOffered", handovers(TransferOffered), out(Balance{Offered: -7}), in, TransferredOut, false},
		{"Correct", func(ctx context.Context, tx module.Tx, now time.Time, n int64) error {
			return Correct(ctx, tx, now, "r", Grant{Participation: "A", Shares: n})
		}, Balance{Share: 7}, Balance{}, Corrected, true},
		{"Offer", lots(Offer), Balance{Offered: 7}, Balance{}, Offered, false},
		{"Reserve", lots(Reserve), Balance{Offered: -7, Reserved: 7}, Balance{}, Reserved, false},
		{"Sell", lots(Sell), Balance{Reserved: -7, Held: 7}, Balance{}, Sold, false},
		{"TransferHeld", handovers(TransferHeld), out(Balance{Held: -7}), in, TransferredOut, false},
		{"PlanMove", handovers(PlanMove), Balance{Moving: 7}, Balance{}, MovePlanned, false},
		{"CancelMove", lots(CancelMove), Balance{Moving: -7}, Balance{}, MoveCancelled, false},
		{"PlanMove", handovers(PlanMove), Balance{Moving: 7}, Balance{}, MovePlanned, false},
		{"MakeMove", handovers(MakeMove), out(Balance{Moving: -7}), in, MovedOut, false},
		{"Correct", func(ctx context.Context, tx module.Tx, now time.Time, n int64) error {
			return Correct(ctx, tx, now, "r", Grant{Participation: "A", Shares: n})
		}, Balance{Share: 7}, Balance{}, Corrected, true},
		{"MoveFree", handovers(MoveFree), out(Balance{}), in, MovedOut, false},
	}
}

// Every movement writes entries of the expected kind, creates no shares, and takes none where there are too few.
func TestMovements(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		t.Run("9-ledger-alone", func(t *testing.T) { testMovements(t, openBook(t, o)) })
	})
}

func testMovements(t *testing.T, b *book) {
	tried := map[string]bool{"Issue": true}
	for i, s := range steps() {
		name := fmt.Sprintf("%d %s", i, s.name)
		tried[s.name] = true
		do := func(n int64) error {
			return b.tx(func(ctx context.Context, tx module.Tx) error { return s.do(ctx, tx, b.Now(), n) })
		}
		one, other := b.balance("A"), b.balance("B")
		if s.signed {
			require.ErrorIs(t, do(-one.Free()-1), error(ErrShares), name)
		} else {
			require.ErrorIs(t, do(one.Free()+8), error(ErrShares), name)
			for _, none := range []int64{0, -1} {
				require.Error(t, do(none), name)
			}
		}
		require.Equal(t, []Balance{one, other}, []Balance{b.balance("A"), b.balance("B")}, name+": nothing is written of what is refused")
		require.NoError(t, do(7), name)
		require.Equal(t, one.Plus(s.a), b.balance("A"), name)
		require.Equal(t, other.Plus(s.b), b.balance("B"), name)
		e := b.newest("A")
		require.Equal(t, []any{s.kind, s.a, "r", "system"}, []any{e.Kind, e.Balance, e.Ref, e.Role}, name)
		if s.b != (Balance{}) {
			to := b.newest("B")
			require.Equal(t, []any{"A", "B", s.b, e.Effective}, []any{to.Counter, e.Counter, to.Balance, to.Effective}, name)
		}
		b.requireConsistent()
	}
	issue := func(id string) error {
		return b.tx(func(ctx context.Context, tx module.Tx) error {
			return Issue(ctx, tx, b.Now(), "import", Grant{Participation: id, Shares: 1})
		})
	}
	require.ErrorContains(t, issue("A"), "a second time")
	require.Equal(t, movements(t), slices.Sorted(maps.Keys(tried)), "every movement is tried")
}

// The first of several grants is issued and the others correct it; each has its own day.
func TestIssue(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		b := openBook(t, o)
		day := func(n int) value.Day { return value.Day{Year: 2026, Month: 1, Day: n} }
		require.NoError(t, b.tx(func(ctx context.Context, tx module.Tx) error {
			if err := Add(ctx, tx, Participation{LabelKey: moduletest.LabelOne, ID: "C", ParticipationIdentifier: "P-C", ProjectCode: "WP",
				Document: "{}"}); err != nil {
				return err
			}
			return Issue(ctx, tx, b.Now(), "import", Grant{"C", 30, day(1)}, Grant{"C", -10, day(3)})
		}))
		entries, _, err := Newest(b.ctx(), b.DB, b.participation("C"), 0, 9)
		require.NoError(t, err)
		var got []string
		for _, e := range entries {
			got = append(got, fmt.Sprint(e.Kind, " ", e.Share, " ", e.Effective, " ", e.Ref))
		}
		assert.Equal(t, []string{"CORRECTED -10 2026-01-03 import", "ISSUED 30 2026-01-01 import"}, got)
		b.requireConsistent()
	})
}

// movements returns the names of the exported functions of movement.go, which change balances.
func movements(t *testing.T) (out []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "movement.go", nil, 0)
	require.NoError(t, err)
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
			out = append(out, f.Name.Name)
		}
	}
	slices.Sort(out)
	return out
}

// Only this package writes its tables: no other code of the repository uses them in a writing SQL statement or in a model, no migration
// writes their rows, and the exported functions of this package accept movements, not postings.
func TestOnlyTheLedgerWrites(t *testing.T) {
	t.Run("9-ledger-alone", func(t *testing.T) {
		read := 0
		for _, top := range []string{"../../../../modules", "../../../../core"} {
			require.NoError(t, filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
				switch {
				case err != nil:
					return err
				case d.IsDir() && d.Name() == "node_modules", d.IsDir() && strings.HasSuffix(filepath.ToSlash(file),
					"modules/marketplace/internal/ledger"):
					return fs.SkipDir
				case d.IsDir() || strings.HasSuffix(file, "_test.go"): // tests corrupt a ledger to prove that the audit detects it
					return nil
				}
				var texts []string
				switch filepath.Ext(file) {
				case ".go":
					texts = literals(t, file)
				case ".sql":
					data, err := os.ReadFile(file)
					require.NoError(t, err)
					for _, statement := range strings.Split(string(data), ";") {
						if writes.MatchString(statement) {
							t.Errorf("%s writes rows of the ledger: %s", file, statement)
						}
					}
				}
				for _, text := range texts {
					if table.MatchString(text) {
						read++
					}
					if !onlyReads(text) {
						t.Errorf("%s names a table of the ledger other than to read it: %s", file, text)
					}
				}
				return nil
			}))
		}
		require.NotZero(t, read, "the audit of offers reads participations: the sources are where this test thinks")

		files, err := filepath.Glob("*.go")
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			require.NoError(t, err)
			for _, d := range parsed.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || !f.Name.IsExported() || f.Recv != nil {
					continue
				}
				for _, p := range f.Type.Params.List {
					ast.Inspect(p.Type, func(n ast.Node) bool {
						if name, ok := n.(*ast.Ident); ok && slices.Contains([]string{"posting", "Entry", "Balance", "Kind", "any"}, name.Name) {
							t.Errorf("%s: %s takes a %s: callers say what happened, the ledger what that adds", file, f.Name.Name, name.Name)
						}
						return true
					})
				}
			}
		}
	})
	for text, fine := range map[string]bool{
		"SELECT 1 FROM marketplace_participations p":                     true,
		"JOIN marketplace_entries AS e ON true":                          true,
		"SELECT 1 FROM x":                                                true,
		"UPDATE marketplace_participations SET share = 1":                false,
		"DELETE FROM marketplace_entries":                                false,
		"delete\n from marketplace_entries":                              false,
		"INSERT INTO marketplace_entries SELECT * FROM x":                false,
		"marketplace_entries":                                            false,
		"bun:\"table:marketplace_entries,alias:e\"":                      false,
		"SELECT 1 FROM marketplace_entries; UPDATE marketplace_entries…": false,
	} {
		require.Equal(t, fine, onlyReads(text), text)
	}
}
