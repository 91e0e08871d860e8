package store_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

func ids(of []bill) (out []string) {
	for _, b := range of {
		out = append(out, b.LabelKey+"/"+b.RelationID+"/"+b.ID)
	}
	return out
}

// everyBill reads bills without any scope.
func everyBill(t *testing.T, s *store.Store, where string) []string {
	t.Helper()
	var found []bill
	require.NoError(t, s.Read().NewSelect().Model(&found).Where(where).OrderExpr("label_key, relation_id, id").Scan(t.Context()))
	return ids(found)
}

func TestRows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		db, call := bills(t, s)
		ctx, mine := call("a", "r2")
		_, wide := call("a", "")
		write := func(t *testing.T, fn func(context.Context, module.Tx) error) error {
			t.Helper()
			return db.Tx(ctx, fn)
		}
		const first, second = "id LIKE '%-00'", "id LIKE '%-01'"

		t.Run("9-scoped-queries", func(t *testing.T) {
			var found []bill
			require.NoError(t, mine.Select(db, &found).Where(first).Scan(ctx))
			require.Equal(t, []string{"a/r2/r2-00"}, ids(found))
			found = nil
			require.NoError(t, wide.Select(db, &found).Where(first).OrderExpr("id").Scan(ctx))
			require.Equal(t, []string{"a/r1/r1-00", "a/r2/r2-00", "a/r3/r3-00"}, ids(found))

			require.NoError(t, write(t, func(ctx context.Context, tx module.Tx) error {
				var locked []bill
				require.NoError(t, mine.SelectForUpdate(tx, &locked).Where(first).Scan(ctx))
				require.Equal(t, []string{"a/r2/r2-00"}, ids(locked))
				_, err := mine.Update(tx, (*bill)(nil)).Set("id = id || 'x'").Where(first).Exec(ctx)
				require.NoError(t, err)
				_, err = mine.Delete(tx, (*bill)(nil)).Where(second).Exec(ctx)
				return err
			}))
			require.Equal(t, []string{"a/r2/r2-00x"}, everyBill(t, s, "id LIKE '%x'"), "an update touches no row of others")
			require.Equal(t, []string{"a/r1/r1-01", "a/r3/r3-01", "b/r1/r1-01"}, everyBill(t, s, second), "nor does a delete")

			var n int
			require.NoError(t, mine.Raw(db, "SELECT count(*) FROM bills_bills WHERE label_key = ? AND relation_id = ? AND day < ?",
				value.Day{Year: 2026, Month: 1, Day: 6}).Scan(ctx, &n))
			require.Equal(t, 4, n, "the scope comes before the other arguments")
			require.NoError(t, wide.Raw(db, "SELECT count(*) FROM bills_bills WHERE label_key = ?0 AND relation_id = ?1", "r3").Scan(ctx, &n))
			require.Equal(t, 20, n)

			require.NoError(t, write(t, func(ctx context.Context, tx module.Tx) error {
				var locked []bill
				require.NoError(t, wide.SelectForUpdate(tx, &locked).Where(first).OrderExpr("id").Scan(ctx))
				require.Equal(t, []string{"a/r1/r1-00", "a/r3/r3-00"}, ids(locked))
				_, err := wide.Update(tx, (*bill)(nil)).Set("id = id || 'y'").Where("id LIKE '%-02'").Exec(ctx)
				require.NoError(t, err)
				_, err = wide.Delete(tx, (*bill)(nil)).Where("id LIKE '%-03'").Exec(ctx)
				require.NoError(t, err)
				_, err = mine.Raw(tx, "DELETE FROM bills_bills WHERE label_key = ? AND relation_id = ? AND id LIKE '%-04'").Exec(ctx)
				return err
			}))
			require.Equal(t, []string{"a/r1/r1-02y", "a/r2/r2-02y", "a/r3/r3-02y"}, everyBill(t, s, "id LIKE '%y'"), "no row of another label")
			require.Equal(t, []string{"b/r1/r1-03"}, everyBill(t, s, "id LIKE '%-03'"), "nor is one deleted")
			require.Equal(t, []string{"a/r1/r1-04", "a/r3/r3-04", "b/r1/r1-04"}, everyBill(t, s, "id LIKE '%-04'"), "nor by raw text")
		})

		own := bill{LabelKey: "a", RelationID: "r2", ID: "new", Day: value.Day{Year: 2026, Month: 2, Day: 1},
			At: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
		label, relation, none := own, own, bill{ID: "new"}
		label.LabelKey, relation.RelationID = "b", "r1"
		t.Run("9-scoped-inserts", func(t *testing.T) {
			for name, c := range map[string]struct {
				rows  module.Rows
				model any
				fine  bool
			}{
				"own":                               {mine, &own, true},
				"several":                           {mine, &[]bill{own}, true},
				"several, by pointers":              {mine, &[]*bill{&own}, true},
				"another relation's":                {mine, &relation, false},
				"another's among own":               {mine, &[]bill{own, relation}, false},
				"another's among own, by pointers":  {mine, &[]*bill{&own, &relation}, false},
				"another label's":                   {mine, &label, false},
				"nobody's":                          {mine, &none, false},
				"of any relation of the label":      {wide, &relation, true},
				"of another label":                  {wide, &label, false},
				"among those of another label":      {wide, &[]bill{own, label}, false},
				"by rows of nobody":                 {module.Rows{}, &none, false},
				"of what has no label":              {wide, &struct{ ID string }{"new"}, false},
				"of what has no relation, for Mine": {mine, &struct{ LabelKey, ID string }{"a", "new"}, false},
				"of nil":                            {wide, (*bill)(nil), false},
			} {
				undone := errors.New("undone")
				err := write(t, func(ctx context.Context, tx module.Tx) error {
					if _, err := c.rows.Insert(tx, c.model).Exec(ctx); err != nil {
						return err
					}
					return undone
				})
				require.Equal(t, c.fine, errors.Is(err, undone), "%s: %v", name, err)
				written, err := c.rows.PrepareInsert(db, c.model, func(q *bun.InsertQuery) { q.On("CONFLICT DO NOTHING") })
				require.Equal(t, c.fine, err == nil, "%s, written out: %v", name, err)
				if c.fine {
					require.ErrorIs(t, write(t, func(ctx context.Context, tx module.Tx) error {
						done, err := written.Exec(ctx, tx)
						require.NoError(t, err)
						n, err := done.RowsAffected()
						require.NoError(t, err)
						require.EqualValues(t, 1, n, name)
						return undone
					}), undone)
				}
			}
			require.Empty(t, everyBill(t, s, "id = 'new'"))
		})

		t.Run("9-scoped-handles", func(t *testing.T) {
			open := func(q any) bool {
				_, queries := q.(bun.IDB)
				_, reads := q.(interface{ Read() bun.IDB })
				_, executes := q.(interface {
					ExecContext(context.Context, string, ...any) (sql.Result, error)
				})
				return queries || reads || executes
			}
			require.False(t, open(db), "a module asserts its way out of the scope")
			require.NoError(t, write(t, func(_ context.Context, tx module.Tx) error {
				require.False(t, open(tx), "and out of a transaction")
				return nil
			}))
			require.NoError(t, db.Snapshot(ctx, func(_ context.Context, q module.Querier) error {
				require.False(t, open(q), "and out of a snapshot")
				return nil
			}))
			var found []bill
			require.NoError(t, module.Rows{}.Select(db, &found).Scan(ctx))
			require.Empty(t, found, "rows that no call has made are none")
			require.Error(t, module.Rows{}.Raw(db, "SELECT 1").Scan(ctx, new(int)))
			_, err := wide.Raw(db, "DELETE FROM bills_bills WHERE label_key = ?").Exec(ctx)
			require.Error(t, err, "a DB only reads")
		})

		t.Run("a snapshot sees one moment and writes nothing", func(t *testing.T) {
			count := func(ctx context.Context, q module.Querier) int64 {
				n, err := wide.Select(q, (*bill)(nil)).Count(ctx)
				require.NoError(t, err)
				return n
			}
			require.NoError(t, db.Snapshot(ctx, func(inside context.Context, q module.Querier) error {
				before := count(inside, q)
				require.NoError(t, write(t, func(ctx context.Context, tx module.Tx) error {
					_, err := mine.Insert(tx, &own).Exec(ctx)
					return err
				}))
				require.Equal(t, before, count(inside, q))
				require.Equal(t, before+1, count(ctx, db))
				return nil
			}))
			require.Error(t, db.Snapshot(ctx, func(ctx context.Context, q module.Querier) error {
				_, err := wide.Raw(q, "DELETE FROM bills_bills WHERE label_key = ?").Exec(ctx)
				return err
			}))
		})

		t.Run("each row and a query over a query", func(t *testing.T) {
			page := mine.Select(db, (*bill)(nil)).Where("id LIKE 'r2-1%'").OrderExpr("id")
			var seen []string
			require.NoError(t, module.Each(ctx, page, func(b *bill) error { seen = append(seen, b.ID); return nil }))
			require.Len(t, seen, 10)
			require.Equal(t, "r2-10", seen[0])
			stop := errors.New("stop")
			require.ErrorIs(t, module.Each(ctx, page, func(*bill) error { return stop }), stop)
			var n int
			require.NoError(t, module.SelectFrom(page.Limit(3), "newest").ColumnExpr("count(*)").Scan(ctx, &n))
			require.Equal(t, 3, n)
		})
	})
}

// A transaction waits for another one that has the same lock, but not for a lock with another label or name.
func TestLock(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		if s.Engine() == store.SQLite {
			t.Skip("SQLite has one writer")
		}
		db, call := bills(t, s)
		one, _ := call("a", "r1")
		other, _ := call("b", "r1")
		const moment, patience = 300 * time.Millisecond, 10 * time.Second
		taken := func(of context.Context, name string, wait time.Duration) (free bool) {
			of, cancel := context.WithTimeout(of, wait)
			defer cancel()
			return db.Tx(of, func(ctx context.Context, tx module.Tx) error { return tx.Lock(ctx, name) }) == nil
		}
		require.NoError(t, db.Tx(one, func(ctx context.Context, tx module.Tx) error {
			require.True(t, tx.Postgres())
			require.NoError(t, tx.Lock(ctx, "days"))
			require.False(t, taken(one, "days", moment))
			require.True(t, taken(one, "months", patience))
			require.True(t, taken(other, "days", patience))
			return nil
		}))
		require.True(t, taken(one, "days", patience))
	})
}
