// Package storetest runs tests on both engines: on SQLite in a temporary folder, and on a private PostgreSQL cluster that needs no
// privileges, listens only on a Unix socket, and ends with the test process, even if that is killed.
//
// WATTLE_TEST_POSTGRES is the URL of a server to use instead (pgrun starts one for a whole run). Without it and without PostgreSQL's
// programs, the PostgreSQL tests are skipped, or fail if WATTLE_REQUIRE_POSTGRES is 1.
package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest/cluster"
	"github.com/wattle-portal/wattle/core/module"
)

// Each runs a test once for each engine, as subtests "sqlite" and "postgres", on an empty database.
func Each(t *testing.T, f func(*testing.T, *store.Store)) {
	t.Helper()
	EachConfig(t, func(t *testing.T, c store.Config) { f(t, Open(t, c)) })
}

// EachConfig is like Each, for tests that open the database themselves.
func EachConfig(t *testing.T, f func(*testing.T, store.Config)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { f(t, SQLiteConfig(t)) })
	t.Run("postgres", func(t *testing.T) { f(t, PostgresConfig(t)) })
}

// SQLite opens an empty SQLite database.
func SQLite(t testing.TB) *store.Store { t.Helper(); return Open(t, SQLiteConfig(t)) }

// Postgres opens an empty PostgreSQL database.
func Postgres(t testing.TB) *store.Store { t.Helper(); return Open(t, PostgresConfig(t)) }

// SQLiteConfig returns a configuration with an empty folder, without fsync.
func SQLiteConfig(t testing.TB) store.Config {
	t.Helper()
	return store.Config{Dir: t.TempDir(), Unsafe: true}
}

// PostgresConfig returns a configuration with a new empty database, which is dropped at the end of the test. Dir is an empty folder, for
// data that is not in the database.
func PostgresConfig(t testing.TB) store.Config {
	t.Helper()
	return store.Config{Dir: t.TempDir(), URL: database(t, server)}
}

// DurablePostgresConfig is like PostgresConfig, but on a server with fsync, as in an installation. It is for measurements.
func DurablePostgresConfig(t testing.TB) store.Config {
	t.Helper()
	return store.Config{Dir: t.TempDir(), URL: database(t, durable)}
}

// PooledConfig is like PostgresConfig, but behind PgBouncer in transaction mode, with few connections to the server. The test is skipped if
// PgBouncer is not installed.
func PooledConfig(t testing.TB) store.Config {
	t.Helper()
	c := PostgresConfig(t)
	p, err := cluster.StartPooler(c.URL, 3)
	if errors.Is(err, cluster.ErrNoPooler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Stop() }) // the pooler may have been killed
	c.Direct = c.URL
	if c.URL, err = p.URL(c.Direct); err != nil {
		t.Fatal(err)
	}
	return c
}

// Open opens a database and closes it at the end of the test.
func Open(t testing.TB, c store.Config) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Module migrates a module in the database and returns its handle.
func Module(t testing.TB, s *store.Store, m module.Manifest, c *clock.Clock) module.DB {
	t.Helper()
	if err := s.MigrateModule(context.Background(), m); err != nil {
		t.Fatal(err)
	}
	return s.Module(m, c, nil)
}
