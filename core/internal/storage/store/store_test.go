package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/uptrace/bun"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/handle"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

var acme = module.Manifest{Key: "acme", Changes: []string{"acme.phone", "acme.iban"}, Migrations: fstest.MapFS{
	"00001_stock.sql": {Data: []byte("-- +goose Up\nCREATE TABLE acme_stock (label_key text NOT NULL, id bigint NOT NULL, shares_left bigint NOT NULL," +
		" at timestamptz, PRIMARY KEY (label_key, id));")},
	"00002_engine.sql":          {Data: []byte("-- +goose Up\nCREATE VIEW acme_engine AS SELECT 'sqlite' AS name;")},
	"postgres/00002_engine.sql": {Data: []byte("-- +goose Up\nCREATE VIEW acme_engine AS SELECT 'postgres' AS name;")},
}}

func as(label, relation string) context.Context {
	return scope.With(context.Background(), scope.Scope{Label: label, Relation: relation, Subject: "acc-" + relation, Role: scope.RoleCustomer,
		Locale: "nl", Zone: "Europe/Amsterdam"}, nil)
}

func each(t *testing.T, f func(t *testing.T, s *store.Store, db module.DB, c *clock.Clock)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		c := &clock.Clock{}
		c.Set(time.Date(2026, 11, 20, 10, 0, 0, 123456789, time.UTC))
		f(t, s, storetest.Module(t, s, acme, c), c)
	})
}

func file(ctx context.Context, db module.DB, kind, key string) (c module.Change, err error) {
	err = db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		c, err = tx.File(ctx, module.Change{Kind: kind, Key: key, Data: json.RawMessage(`{"to": "1"}`),
			Effective: value.Day{Year: 2026, Month: 12, Day: 1}})
		return err
	})
	return c, err
}

func decide(ctx context.Context, db module.DB, id, state string) (c module.Change, err error) {
	err = db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		c, err = tx.Decide(ctx, module.Decision{ID: id, State: state, By: "staff", Reason: "ok"})
		return err
	})
	return c, err
}

func TestOnePendingChange(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, db module.DB, c *clock.Clock) {
		ctx := as("a", "r1")
		first, err := file(ctx, db, "acme.phone", "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file(ctx, db, "acme.phone", ""); !errors.Is(err, problem.ErrPending) {
			t.Fatalf("a second PENDING change: %v", err)
		}
		if p := problem.Of(problem.ErrPending); p.Status != 409 {
			t.Fatalf("answered with %d", p.Status)
		}
		for what, try := range map[string]func() error{
			"another key":      func() error { _, err := file(ctx, db, "acme.phone", "2"); return err },
			"another kind":     func() error { _, err := file(ctx, db, "acme.iban", ""); return err },
			"another relation": func() error { _, err := file(as("a", "r2"), db, "acme.phone", ""); return err },
			"another label":    func() error { _, err := file(as("b", "r1"), db, "acme.phone", ""); return err },
		} {
			if err := try(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		pending, err := db.Pending(ctx, "acme.phone")
		if err != nil || len(pending) != 2 {
			t.Fatalf("%d pending, %v", len(pending), err)
		}
		if diff := cmp.Diff(first, pending[1]); diff != "" {
			t.Errorf("read back differs: %s", diff)
		}
		if _, err := decide(as("b", "r1"), db, first.ID, module.Processed); !errors.Is(err, problem.ErrNotFound) {
			t.Errorf("decided by another label: %v", err)
		}
		done, err := decide(ctx, db, first.ID, module.Processed)
		if err != nil || done.State != module.Processed || done.By != "staff" || done.Decided.IsZero() || string(done.Data) != `{"to": "1"}` {
			t.Fatalf("%+v, %v", done, err)
		}
		if _, err := decide(ctx, db, first.ID, module.Rejected); !errors.Is(err, problem.ErrDecided) {
			t.Errorf("decided twice: %v", err)
		}
		if _, err := file(ctx, db, "acme.phone", ""); err != nil {
			t.Errorf("a new one after the decision: %v", err)
		}
		if _, err := file(ctx, db, "acme.unknown", ""); err == nil {
			t.Error("a kind that the manifest does not name was filed")
		}
	})
}

func TestPendingChangesAtTheSameTime(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, db module.DB, c *clock.Clock) {
		var filed, refused, decided, late atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				switch _, err := file(as("a", "r1"), db, "acme.phone", ""); {
				case err == nil:
					filed.Add(1)
				case errors.Is(err, problem.ErrPending):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if filed.Load() != 1 || refused.Load() != 7 {
			t.Fatalf("%d filed, %d refused", filed.Load(), refused.Load())
		}
		p, err := db.Pending(as("a", "r1"), "")
		if err != nil || len(p) != 1 {
			t.Fatal(p, err)
		}
		for range 8 {
			wg.Go(func() {
				switch _, err := decide(as("a", "r1"), db, p[0].ID, module.Rejected); {
				case err == nil:
					decided.Add(1)
				case errors.Is(err, problem.ErrDecided):
					late.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if decided.Load() != 1 || late.Load() != 7 {
			t.Fatalf("%d decided, %d late", decided.Load(), late.Load())
		}
	})
}

func TestTxRules(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, db module.DB, c *clock.Clock) {
		ctx := as("a", "r1")
		ro := scope.Of(ctx)
		ro.ReadOnly = true
		if err := db.Tx(scope.With(ctx, ro, nil), func(context.Context, module.Tx) error { t.Error("ran"); return nil }); !errors.Is(err,
			problem.ErrReadOnly) {
			t.Errorf("under a read-only scope: %v", err)
		}
		err := db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
			if !scope.IsTx(ctx) {
				t.Error("the context is not marked")
			}
			return db.Tx(ctx, func(context.Context, module.Tx) error { return nil })
		})
		if !errors.Is(err, problem.ErrNested) {
			t.Errorf("a Tx in a Tx: %v", err)
		}
		if _, err := handle.DB(db.Handle()).NewRaw("INSERT INTO acme_stock (label_key, id, shares_left) VALUES ('a', 1, 1)").Exec(ctx); err == nil {
			t.Error("wrote through Read")
		}
		boom := errors.New("boom")
		err = db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
			if _, err := tx.File(ctx, module.Change{Kind: "acme.phone"}); err != nil {
				return err
			}
			if err := tx.Publish(ctx, module.Event{Type: "acme.made", Key: "r1"}); err != nil {
				return err
			}
			return boom
		})
		if !errors.Is(err, boom) {
			t.Error(err)
		}
		if rows := outbox(t, s); len(rows) != 0 {
			t.Errorf("rolled back, and yet queued: %v", rows)
		}
		for what, e := range map[string]module.Event{"a type of another module": {Type: "other.made"},
			"another label": {Type: "acme.made", Label: "b"}} {
			if err := db.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return tx.Publish(ctx, e) }); err == nil {
				t.Errorf("published %s", what)
			}
		}
		if err := db.Tx(context.Background(), func(ctx context.Context, tx module.Tx) error {
			return tx.Mail(ctx, module.Mail{To: "a@b.example", Subject: "x"})
		}); err == nil {
			t.Error("queued without a label")
		}
	})
}

func TestQueuedRows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		if err := s.MigrateModule(context.Background(), acme); err != nil {
			t.Fatal(err)
		}
		c, commits := &clock.Clock{}, 0
		db := s.Module(acme, c, func() { commits++ })
		ctx := as("a", "r1")
		due := c.Now().Add(time.Hour)
		for range 2 {
			if err := db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
				return errors.Join(
					tx.Publish(ctx, module.Event{Type: "acme.made", Key: "r1", Due: due, Data: json.RawMessage(`{"b":1, "a":2}`)}),
					tx.Publish(ctx, module.Event{Type: "acme.made", Key: "r2"}),
					tx.Mail(ctx, module.Mail{To: "x@y.example", Subject: "Hoi"}))
			}); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
			_, err := tx.Once(ctx, module.Event{ID: "1"})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if commits != 2 {
			t.Errorf("woken %d times", commits)
		}
		seqs := map[string]int64{}
		for _, r := range outbox(t, s) {
			if r.Kind == store.RowMail {
				var m module.Mail
				if err := json.Unmarshal(r.Payload, &m); err != nil || m.Locale != "nl" {
					t.Error(m, err)
				}
				continue
			}
			var e module.Event
			if err := json.Unmarshal(r.Payload, &e); err != nil {
				t.Fatal(err)
			}
			if e.ID != r.ID || e.Label != "a" || e.At.IsZero() || e.Seq != seqs[e.Key]+1 {
				t.Errorf("%+v", e)
			}
			seqs[e.Key] = e.Seq
			if e.Key == "r1" && (!e.Due.Equal(due) || string(e.Data) != `{"b":1,"a":2}`) {
				t.Errorf("%+v %s", e, e.Data)
			}
		}
		if diff := cmp.Diff(map[string]int64{"r1": 2, "r2": 2}, seqs); diff != "" {
			t.Error(diff)
		}
		if labels, err := s.OutboxLabels(context.Background(), "acme"); err != nil || !slices.Equal(labels, []string{"a"}) {
			t.Errorf("labels %v, %v", labels, err)
		}
		if err := s.Tx(context.Background(), func(ctx context.Context, tx bun.Tx) error {
			if other, err := s.Outbox(ctx, tx, "acme", "b", 1000); err != nil || len(other) != 0 {
				t.Errorf("rows of another label: %v, %v", other, err)
			}
			rows, err := s.Outbox(ctx, tx, "acme", "a", 1000)
			if err != nil {
				return err
			}
			return s.Relayed(ctx, tx, "acme", "a", rows)
		}); err != nil {
			t.Fatal(err)
		}
		if len(outbox(t, s)) != 0 {
			t.Error("rows stayed after the relay")
		}
	})
}

// An event is handled once for each label, in any order and with any number of attempts.
func TestOnce(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, db module.DB, c *clock.Clock) {
		run := 0
		rapid.Check(t, func(t *rapid.T) {
			run++
			seen := map[string]bool{}
			for _, n := range rapid.SliceOfN(rapid.IntRange(0, 5), 1, 12).Draw(t, "ids") {
				label, id := string(rune('a'+n%2)), fmt.Sprint(run, "-", n/2)
				fails := rapid.Bool().Draw(t, "rolled back")
				var first bool
				err := db.Tx(as(label, ""), func(ctx context.Context, tx module.Tx) (err error) {
					first, err = tx.Once(ctx, module.Event{ID: id})
					if fails && err == nil {
						err = errors.New("handler failed")
					}
					return err
				})
				if (err != nil) != fails {
					t.Fatal(err)
				}
				if first == seen[label+id] {
					t.Fatalf("%s %s: first %v, seen %v", label, id, first, seen[label+id])
				}
				seen[label+id] = seen[label+id] || !fails
			}
		})
	})
}

// Stock cannot be oversold, and a transaction that fails because of a concurrent one is retried.
func TestConcurrentWriters(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, db module.DB, c *clock.Clock) {
		ctx := as("a", "r1")
		if err := db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
			_, err := handle.DB(tx.Handle()).NewRaw("INSERT INTO acme_stock (label_key, id, shares_left) VALUES ('a', 1, 20), ('a', 2, 20)").Exec(ctx)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		var ok, out atomic.Int64
		var wg sync.WaitGroup
		for g := range 6 {
			wg.Go(func() {
				for range 10 {
					soldOut := errors.New("sold out")
					err := db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
						for i := range 2 { // in opposite order, which is a deadlock on PostgreSQL
							res, err := handle.DB(tx.Handle()).NewRaw("UPDATE acme_stock SET shares_left = shares_left - 1 WHERE label_key = 'a' AND id = ? AND shares_left >= 1",
								1+(i+g)%2).Exec(ctx)
							if err != nil {
								return err
							}
							if n, _ := res.RowsAffected(); n == 0 {
								return soldOut
							}
						}
						return nil
					})
					switch {
					case err == nil:
						ok.Add(1)
					case errors.Is(err, soldOut):
						out.Add(1)
					default:
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if ok.Load() != 20 || out.Load() != 40 {
			t.Errorf("%d sold, %d refused", ok.Load(), out.Load())
		}
	})
}

func TestTimesAreUTCMicroseconds(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, db module.DB, c *clock.Clock) {
		type stock struct {
			bun.BaseModel `bun:"table:acme_stock"`
			Label         string    `bun:"label_key,pk"`
			ID            int64     `bun:"id,pk"`
			Left          int64     `bun:"shares_left"`
			At            time.Time `bun:"at,nullzero"`
		}
		ams, err := time.LoadLocation("Europe/Amsterdam")
		if err != nil {
			t.Fatal(err)
		}
		in := []stock{{Label: "a", ID: 1, At: time.Date(2026, 7, 1, 0, 0, 0, 123456789, ams)}, {Label: "a", ID: 2}}
		if err := db.Tx(as("a", ""), func(ctx context.Context, tx module.Tx) error {
			_, err := handle.DB(tx.Handle()).NewInsert().Model(&in).Exec(ctx)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		var got []stock
		if err := handle.DB(db.Handle()).NewSelect().Model(&got).Order("id").Scan(context.Background()); err != nil {
			t.Fatal(err)
		}
		if want := time.Date(2026, 6, 30, 22, 0, 0, 123456000, time.UTC); !got[0].At.Equal(want) ||
			got[0].At.UTC().Format(time.RFC3339Nano) != want.Format(time.RFC3339Nano) {
			t.Errorf("%v, want %v", got[0].At, want)
		}
		if !got[1].At.IsZero() {
			t.Errorf("no time came back as %v", got[1].At)
		}
	})
}

func outbox(t *testing.T, s *store.Store) []store.Row {
	t.Helper()
	var rows []store.Row
	if err := s.Read().NewSelect().Model(&rows).ModelTableExpr("acme_outbox AS o").OrderExpr("at, seq, id").
		Scan(context.Background()); err != nil {
		t.Fatal(err)
	}
	return rows
}
