package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/fault"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
)

// recovery is the maximum time until requests are served again (row 9-dead-connections).
const recovery = 5 * time.Second

// maxRecovery returns recovery in `make faults`, which measures on an idle machine, and otherwise a longer limit that only ends a hang.
func maxRecovery() time.Duration {
	if os.Getenv("WATTLE_FAULTS") == "long" {
		return recovery
	}
	return 4 * recovery
}

// fillPools opens every connection that the pools may have, so that all of them can go dead.
func fillPools(t *testing.T, s *store.Store) {
	t.Helper()
	done := make(chan error)
	const each = 16
	for range each {
		go func() { done <- s.Ping(t.Context()) }()
		go func() {
			_, err := s.Read().ExecContext(t.Context(), "SELECT pg_sleep(.3)")
			done <- err
		}()
		go func() {
			done <- s.Tx(t.Context(), func(ctx context.Context, tx bun.Tx) error {
				_, err := tx.ExecContext(ctx, "SELECT pg_sleep(.3)")
				return err
			})
		}()
	}
	for range 3 * each {
		require.NoError(t, <-done)
	}
}

// Established connections stop working silently, as after a failover or behind a firewall, while new connections work.
func TestDeadConnections(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: connections that die")
	}
	c, proxy := storetest.FaultyPostgres(t)
	s := storetest.Open(t, c)
	db, call := bills(t, s)
	ctx, mine := call("a", "r2")
	var page []bill
	require.NoError(t, db.Find(ctx, mine, &page, "ORDER BY id LIMIT 3"))
	served := func(ctx context.Context) error {
		if err := db.Find(ctx, mine, &page, "ORDER BY id LIMIT 3"); err != nil {
			return fmt.Errorf("prepared: %w", err)
		}
		var n int
		if err := s.Read().QueryRowContext(ctx, "SELECT count(*) FROM bills_bills").Scan(&n); err != nil {
			return fmt.Errorf("read: %w", err)
		}
		return s.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
			_, err := tx.ExecContext(ctx, "UPDATE bills_bills SET lines = lines WHERE id = 'r2-01'")
			return err
		})
	}

	// servedSoon requires the first call to be served in `make faults`. Otherwise the machine can be so busy that the server check times
	// out and callers are refused until the next check.
	servedSoon := func(ctx context.Context) error {
		from := time.Now()
		for {
			err := served(ctx)
			if err == nil || fault.Of(err) != fault.Down || maxRecovery() == recovery || time.Since(from) > maxRecovery() {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	// next waits until the store has recovered from the previous subtest.
	next := func(t *testing.T) {
		t.Helper()
		require.Eventually(t, func() bool { return s.State().Kind == fault.None }, maxRecovery(), 10*time.Millisecond)
		require.NoError(t, servedSoon(ctx))
	}

	t.Run("idle/9-dead-connections", func(t *testing.T) {
		fillPools(t, s)
		require.Greater(t, proxy.Open(), 30)
		time.Sleep(1100 * time.Millisecond) // longer than an idle connection is trusted without a check
		proxy.Freeze()
		from := time.Now()
		bounded, cancel := context.WithTimeout(ctx, 8*recovery)
		defer cancel()
		require.NoError(t, servedSoon(bounded), "the first caller is served too")
		took := time.Since(from)
		t.Logf("idle connections dead: served after %v", took)
		require.Less(t, took, maxRecovery())
		for range 40 { // later callers are served too
			require.NoError(t, servedSoon(bounded))
		}
	})

	t.Run("under way/9-dead-connections", func(t *testing.T) {
		next(t)
		// Every connection of both pools waits for a response when it stops working, some inside a transaction that holds a lock.
		failed := make(chan error)
		const each = 16
		work := "4" // seconds that each statement takes, so that all of them run at the same time even on a busy machine
		if maxRecovery() == recovery {
			work = "1.5"
		}
		for i := range each {
			go func() {
				if _, err := s.Read().ExecContext(ctx, "SELECT pg_sleep("+work+")"); err != nil && fault.Of(err) != fault.Down {
					failed <- fmt.Errorf("a read: %w", err)
					return
				}
				failed <- nil
			}()
			go func() {
				if err := s.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
					_, err := tx.ExecContext(ctx, fmt.Sprintf("UPDATE bills_bills SET lines = lines WHERE id = 'r3-%02d'; SELECT pg_sleep(%s)", i, work))
					return err
				}); fault.Of(err) != fault.Down {
					failed <- fmt.Errorf("a transaction is not made again behind its caller's back: %w", err)
					return
				}
				failed <- nil
			}()
		}
		watcher, err := pgx.Connect(ctx, c.URL)
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			var n int
			err := watcher.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND wait_event = 'PgSleep'").Scan(&n)
			return err == nil && n == 2*each
		}, 10*time.Second, 10*time.Millisecond, "all statements are at the server")
		require.NoError(t, watcher.Close(ctx))
		proxy.Freeze()
		from := time.Now()
		bounded, cancel := context.WithTimeout(ctx, 8*recovery)
		defer cancel()
		require.NoError(t, servedSoon(bounded), "new callers wait for a connection and get one")
		took := time.Since(from)
		t.Logf("connections under way dead: served after %v", took)
		require.Less(t, took, maxRecovery())
		for range 2 * each {
			select {
			case err := <-failed:
				assert.NoError(t, err)
			case <-bounded.Done():
				t.Fatal("a caller still waits for an answer that cannot come")
			}
		}
		require.NoError(t, s.Tx(bounded, func(ctx context.Context, tx bun.Tx) error { // no lock of a dead connection remains
			_, err := tx.ExecContext(ctx, "SET LOCAL lock_timeout = '6s'; UPDATE bills_bills SET lines = lines WHERE relation_id = 'r3'")
			return err
		}))
	})

	t.Run("long statement/9-dead-connections", func(t *testing.T) {
		// A long statement is not mistaken for a dead connection.
		next(t)
		_, err := s.Read().ExecContext(ctx, "SELECT pg_sleep(4)")
		require.NoError(t, err)
	})

	t.Run("away/9-dead-connections", func(t *testing.T) {
		next(t)
		proxy.Blackhole(true)
		from := time.Now()
		require.Eventually(t, func() bool { return s.State().Kind == fault.Down }, 8*recovery, 10*time.Millisecond)
		noticed := time.Since(from)
		bounded, cancel := context.WithTimeout(ctx, time.Second)
		require.NotEqual(t, fault.None, fault.Of(served(bounded)))
		cancel()
		proxy.Blackhole(false)
		from = time.Now()
		require.Eventually(t, func() bool { return s.State().Kind == fault.None }, 8*recovery, 10*time.Millisecond)
		back := time.Since(from)
		t.Logf("a dead network is noticed after %v, its end after %v", noticed, back)
		require.Less(t, noticed, maxRecovery())
		require.Less(t, back, maxRecovery())
		require.Eventually(t, func() bool { return served(ctx) == nil }, maxRecovery(), 10*time.Millisecond)
	})

	t.Run("close/9-dead-connections", func(t *testing.T) {
		next(t)
		fillPools(t, s)
		proxy.Blackhole(true)
		from := time.Now()
		require.NoError(t, s.Close())
		t.Logf("closed with a dead network after %v", time.Since(from))
		require.Less(t, time.Since(from), maxRecovery())
	})
}

// A prepared statement is prepared again when the server has dropped it or its plan is outdated.
func TestBrokenPreparedStatements(t *testing.T) {
	s := storetest.Postgres(t)
	db, call := bills(t, s)
	ctx, mine := call("a", "r2")
	var page []bill
	for _, broken := range []string{"DEALLOCATE ALL", "DISCARD ALL"} {
		t.Run(broken+"/9-prepared-again", func(t *testing.T) {
			require.NoError(t, db.Find(ctx, mine, &page, "ORDER BY id LIMIT 3"))
			all := make([]*sql.Conn, 0, 16)
			for range 16 { // on every connection with the statement
				conn, err := s.Read().DB.Conn(ctx)
				require.NoError(t, err)
				all = append(all, conn)
				_, err = conn.ExecContext(ctx, broken)
				require.NoError(t, err)
			}
			for _, conn := range all {
				require.NoError(t, conn.Close())
			}
			require.NoError(t, db.Find(ctx, mine, &page, "ORDER BY id LIMIT 3"))
			require.Len(t, page, 3)
		})
	}
	t.Run("a column changes its type/9-prepared-again", func(t *testing.T) {
		require.NoError(t, db.Find(ctx, mine, &page, "ORDER BY id LIMIT 3"))
		_, err := s.DB().ExecContext(ctx, "ALTER TABLE bills_bills ALTER COLUMN id TYPE varchar(100)")
		require.NoError(t, err)
		require.NoError(t, db.Find(ctx, mine, &page, "ORDER BY id LIMIT 3"))
		require.True(t, strings.HasPrefix(page[0].ID, "r2-"))
	})
}
