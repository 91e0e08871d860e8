package keyset_test

import (
	"context"
	"testing"
	"time"

	"github.com/uptrace/bun"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/internal/storage/keyset"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

type row struct {
	bun.BaseModel `bun:"table:rows"`
	Label         string    `bun:"label_key,pk"`
	ID            string    `bun:"id,pk"`
	At            time.Time `bun:"at"`
}

// Pages of any size contain every row once, newest first, even when many rows have the same time.
func TestPagesHoldEveryRowOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := context.Background()
		if _, err := s.DB().Exec("CREATE TABLE rows (label_key text NOT NULL, id text NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (label_key, id))"); err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			label := value.NewID()
			var rows []row
			for _, n := range rapid.SliceOfN(rapid.IntRange(0, 3), 1, 30).Draw(t, "times") {
				rows = append(rows, row{Label: label, ID: value.NewID(), At: time.Date(2026, 11, 20, 10, 0, 0, n*1000, time.UTC)})
			}
			if _, err := s.DB().NewInsert().Model(&rows).Exec(ctx); err != nil {
				t.Fatal(err)
			}
			in := keyset.Input{Limit: rapid.IntRange(1, 8).Draw(t, "limit")}
			var got []row
			for {
				var page []row
				q, err := in.Apply(s.Read().NewSelect().Model(&page).Where("label_key = ?", label), "at", "id")
				if err != nil {
					t.Fatal(err)
				}
				if err := q.Scan(ctx); err != nil {
					t.Fatal(err)
				}
				p := keyset.Cut(in, page, func(r row) (time.Time, string) { return r.At, r.ID })
				if len(p.Items) == 0 || len(p.Items) > in.Limit {
					t.Fatalf("a page has %d rows", len(p.Items))
				}
				got = append(got, p.Items...)
				if in.After = p.Next; p.Next == "" {
					break
				}
			}
			if len(got) != len(rows) {
				t.Fatalf("%d rows on all pages, want %d", len(got), len(rows))
			}
			for i := 1; i < len(got); i++ {
				a, b := got[i-1], got[i]
				if a.At.Before(b.At) || a.At.Equal(b.At) && a.ID <= b.ID {
					t.Fatalf("%v before %v", a, b)
				}
			}
		})
	})
}

func TestInvalidCursors(t *testing.T) {
	for _, after := range []string{"junk!", "bm90IGEgdGltZQ", ""} {
		_, err := keyset.Input{After: after, Limit: 1}.Apply(storetest.SQLite(t).Read().NewSelect(), "at", "id")
		if (after != "") != (err != nil) || err != nil && problem.Of(err).Status != 400 {
			t.Errorf("%q: %v", after, err)
		}
	}
}
