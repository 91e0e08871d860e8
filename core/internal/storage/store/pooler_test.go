package store_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/storage/handle"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/core/module"
)

// Behind a pooler in transaction mode, each transaction may get a different session. The pooler has three sessions for the 32 connections
// of this process.
func TestPooler(t *testing.T) {
	c := storetest.PooledConfig(t)
	t.Run("11-database-pooler", func(t *testing.T) {
		s := storetest.Open(t, c)
		db, call := bills(t, s)
		ctx, mine := call("a", "r2")
		var sessions sync.Map
		var wg sync.WaitGroup
		errs := make([]error, 32)
		for i := range errs {
			wg.Go(func() {
				for range 40 {
					var page []bill
					err := db.Find(ctx, mine, &page, "AND at >= ? ORDER BY day DESC LIMIT ?", time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), 5)
					if err == nil && (len(page) != 5 || page[0].ID != "r2-19" || page[0].Lines[1] != "what?") {
						err = errors.New(page[0].ID)
					}
					errs[i] = errors.Join(errs[i], err, db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
						var pid int
						if err := handle.DB(tx.Handle()).NewRaw("SELECT pg_backend_pid()").Scan(ctx, &pid); err != nil {
							return err
						}
						sessions.Store(pid, true)
						_, err := handle.DB(tx.Handle()).NewRaw("UPDATE bills_bills SET day = day WHERE label_key = 'a' AND id = 'r2-19'").Exec(ctx)
						return err
					}))
				}
			})
		}
		wg.Wait()
		require.NoError(t, errors.Join(errs...))
		n := 0
		sessions.Range(func(_, _ any) bool { n++; return true })
		assert.LessOrEqual(t, n, 3)

		// a transaction that begins while another is open gets another session
		session := func(tx module.Tx) (pid int, err error) {
			err = handle.DB(tx.Handle()).NewRaw("SELECT pg_backend_pid()").Scan(ctx, &pid)
			return pid, err
		}
		var first, second int
		require.NoError(t, db.Tx(ctx, func(_ context.Context, tx module.Tx) (err error) {
			if first, err = session(tx); err != nil {
				return err
			}
			inner := make(chan error, 1)
			go func() {
				inner <- db.Tx(ctx, func(_ context.Context, tx module.Tx) (err error) {
					second, err = session(tx)
					return err
				})
			}()
			return <-inner
		}))
		assert.NotZero(t, first)
		assert.NotEqual(t, first, second)
	})
	t.Run("11-database-direct", func(t *testing.T) {
		a, b := storetest.Open(t, c), storetest.Open(t, c)
		var inside, most atomic.Int32
		var wg sync.WaitGroup
		for _, s := range []*store.Store{a, b, a, b} { // the lock belongs to a session, so it must be taken on the server itself
			wg.Go(func() {
				assert.NoError(t, s.Locked(t.Context(), func(context.Context) error {
					if n := inside.Add(1); n > most.Load() {
						most.Store(n)
					}
					for range 20 { // without the lock, others would enter here
						if err := s.Ping(t.Context()); err != nil {
							return err
						}
					}
					inside.Add(-1)
					return nil
				}))
			})
		}
		wg.Wait()
		assert.EqualValues(t, 1, most.Load())
		invalid := c
		invalid.Direct = ""
		_, err := store.Open(t.Context(), invalid)
		if err == nil { // the read pool connects at its first query
			err = storetest.Open(t, invalid).Ping(t.Context())
		}
		assert.ErrorContains(t, err, "default_transaction_read_only", "a pooler without --database-direct")
	})
}

// With --database-direct, statements that need a session are sent to the server itself. In this test that server does not exist, so they
// fail.
func TestServerBehindAPooler(t *testing.T) {
	t.Run("11-database-direct", func(t *testing.T) {
		c := storetest.PostgresConfig(t)
		require.Equal(t, c.URL, c.Server())
		s := storetest.Open(t, c)
		require.NoError(t, s.Locked(t.Context(), func(context.Context) error { return nil }))
		require.NoError(t, s.MigrateModule(t.Context(), module.Manifest{Key: "one"}))
		both := c
		both.Direct = c.URL
		behind := storetest.Open(t, both)
		require.NoError(t, behind.MigrateModule(t.Context(), module.Manifest{Key: "two", Migrations: fstest.MapFS{"00001_by.sql": {
			Data: []byte("-- +goose Up\nCREATE TABLE two_by AS SELECT current_setting('application_name') AS name;\n")}}}))
		var name string
		require.NoError(t, s.DB().NewRaw("SELECT name FROM two_by").Scan(t.Context(), &name))
		require.Equal(t, "wattle direct", name, "migrations run at the server itself")
		c.Direct = "postgres://127.0.0.1:1/gone"
		require.Equal(t, c.Direct, c.Server(), "the roles of plugins are made there")
		_, err := store.Open(t.Context(), c)
		require.ErrorContains(t, err, "127.0.0.1:1", "the check of the server")
	})
}

// BenchmarkFindBehindAPooler compares Find of ten rows with prepared statements on the server, and without them on the server and through
// PgBouncer.
func BenchmarkFindBehindAPooler(b *testing.B) {
	pooled := storetest.PooledConfig(b)
	_, call := bills(b, storetest.Open(b, store.Config{URL: pooled.Direct}))
	ctx, mine := call("a", "r2")
	type way struct {
		name string
		db   module.DB
	}
	var ways []way
	for _, w := range []struct {
		name string
		c    store.Config
	}{{"prepared", store.Config{URL: pooled.Direct}}, {"unprepared", store.Config{URL: pooled.Direct, Direct: pooled.Direct}},
		{"pgbouncer", pooled}} {
		ways = append(ways, way{w.name, storetest.Open(b, w.c).Module(module.Manifest{Key: "bills"}, &clock.Clock{}, nil)})
	}
	took := map[string]time.Duration{}
	const turns = 50
	n := 0
	for b.Loop() { // alternately, so that load on the machine affects all
		n++
		for _, w := range ways {
			began := time.Now()
			for range turns {
				var page []bill
				if err := w.db.Find(ctx, mine, &page, "ORDER BY day DESC LIMIT ?", 10); err != nil || len(page) != 10 {
					b.Fatal(err)
				}
			}
			took[w.name] += time.Since(began)
		}
	}
	b.ReportMetric(0, "ns/op")
	for _, w := range ways {
		b.ReportMetric(float64(took[w.name].Microseconds())/float64(n*turns), w.name+"-us")
	}
}
