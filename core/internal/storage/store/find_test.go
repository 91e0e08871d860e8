package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/handle"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

type bill struct {
	bun.BaseModel `bun:"table:bills_bills,alias:b"`
	LabelKey      string `bun:",pk"`
	RelationID    string
	ID            string `bun:",pk"`
	Day           value.Day
	At            time.Time
	Lines         []string `bun:"type:jsonb"`
}

// bills creates 20 bills for each of three relations of label a, and for one of label b.
func bills(t testing.TB, s *store.Store) (module.DB, func(label, relation string) (context.Context, module.Rows)) {
	m := module.Manifest{Key: "bills", Migrations: fstest.MapFS{"00001_bills.sql": {Data: []byte(`-- +goose Up
CREATE TABLE bills_bills (label_key TEXT NOT NULL, relation_id TEXT NOT NULL, id TEXT NOT NULL, day DATE NOT NULL, at TIMESTAMPTZ NOT NULL,
	lines JSONB, PRIMARY KEY (label_key, id));
CREATE INDEX bills_page ON bills_bills (label_key, relation_id, day);
`)}}}
	k := &clock.Clock{}
	k.Set(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
	db := storetest.Module(t, s, m, k)
	call := func(label, relation string) (context.Context, module.Rows) {
		ctx := scope.With(t.Context(), scope.Scope{Label: label, Relation: relation, Role: scope.RoleCustomer}, nil)
		if relation == "" {
			return ctx, module.Label(ctx, "test")
		}
		rows, err := module.Mine(ctx)
		require.NoError(t, err)
		return ctx, rows
	}
	for _, of := range [][2]string{{"a", "r1"}, {"a", "r2"}, {"a", "r3"}, {"b", "r1"}} {
		ctx, _ := call(of[0], of[1])
		require.NoError(t, db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
			for i := range 20 {
				b := bill{LabelKey: of[0], RelationID: of[1], ID: fmt.Sprintf("%s-%02d", of[1], i), Day: value.Day{Year: 2026, Month: 1, Day: 1 + i},
					At: k.Now().Add(time.Duration(i) * time.Hour), Lines: []string{"it's", "what?"}}
				if _, err := handle.DB(tx.Handle()).NewInsert().Model(&b).Exec(ctx); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	return db, call
}

func TestFind(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		db, call := bills(t, s)
		ctx, mine := call("a", "r2")
		for range 2 { // the second time the statement is already prepared
			var page []bill
			require.NoError(t, db.Find(ctx, mine, &page, "AND day < ? AND at >= ? ORDER BY day DESC LIMIT ?",
				value.Day{Year: 2026, Month: 1, Day: 11}, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), 3))
			require.Len(t, page, 3)
			var read []bill
			require.NoError(t, mine.Select(db, &read).Where("day < ?", value.Day{Year: 2026, Month: 1, Day: 11}).
				OrderExpr("day DESC").Limit(3).Scan(ctx))
			require.Equal(t, read, page, "the same as through Select")
		}
		var one bill
		require.NoError(t, db.Find(ctx, mine, &one, "AND id = ?", "r2-07"))
		require.Equal(t, []string{"it's", "what?"}, one.Lines)
		require.ErrorIs(t, db.Find(ctx, mine, &one, "AND id = ?", "r1-07"), sql.ErrNoRows, "another relation's")
		require.ErrorIs(t, db.Find(ctx, mine, &one, "AND id = ?", "' OR true --"), sql.ErrNoRows)

		ctx, label := call("a", "")
		var all []bill
		require.NoError(t, db.Find(ctx, label, &all, ""))
		require.Len(t, all, 60, "a label's, and no other label's")
		ctx, label = call("c", "")
		require.NoError(t, db.Find(ctx, label, &all, ""))
		require.Empty(t, all)

		require.Error(t, db.Find(ctx, label, all, ""))
		require.Error(t, db.Find(ctx, label, &all, "AND"))
		var texts []string
		require.Error(t, db.Find(ctx, label, &texts, ""))
		gone, cancel := context.WithCancel(ctx)
		cancel()
		require.ErrorIs(t, db.Find(gone, label, &all, ""), context.Canceled)
		var last error
		for i := range 1000 {
			if last = db.Find(ctx, label, &all, fmt.Sprintf("LIMIT %d", i)); last != nil {
				break
			}
		}
		require.ErrorContains(t, last, "not constants")
	})
}

// BenchmarkFind reads a page of ten rows through Find and, for comparison, through Select.
func BenchmarkFind(b *testing.B) {
	for _, c := range []struct {
		name string
		open func(testing.TB) *store.Store
	}{{"sqlite", storetest.SQLite}, {"postgres", storetest.Postgres}} {
		b.Run(c.name, func(b *testing.B) {
			db, call := bills(b, c.open(b))
			ctx, mine := call("a", "r2")
			var page []bill
			took := map[string]time.Duration{}
			const turns = 50
			n := 0
			for b.Loop() { // alternately, so that load on the machine affects both
				n++
				began := time.Now()
				for range turns {
					if err := db.Find(ctx, mine, &page, "ORDER BY day DESC LIMIT ?", 10); err != nil || len(page) != 10 {
						b.Fatal(err)
					}
				}
				took["find"] += time.Since(began)
				began = time.Now()
				for range turns {
					if err := mine.Select(db, &page).OrderExpr("day DESC").Limit(10).Scan(ctx); err != nil || len(page) != 10 {
						b.Fatal(err)
					}
				}
				took["select"] += time.Since(began)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(took["find"].Microseconds())/float64(n*turns), "find-us")
			b.ReportMetric(float64(took["select"].Microseconds())/float64(n*turns), "select-us")
			b.ReportMetric(100*float64(took["find"])/float64(took["select"]), "%of-select")
		})
	}
}
