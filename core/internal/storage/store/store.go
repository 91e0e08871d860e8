// Package store opens the one database of the portal, SQLite by default and PostgreSQL when a URL is given, migrates it, and provides
// the module.DB of every module. It depends on no other service of core, so that the process of a plugin can use it too.
//
// Times are stored in UTC with microseconds. Writes go through Store.Tx or a module's Tx; handles for reading cannot write.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/problem"
)

// Engine is the database engine.
type Engine string

// The engines.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// Config contains the location of the database.
type Config struct {
	Dir    string // folder of wattle.db for SQLite; created when missing
	URL    string // postgres://…; empty: SQLite
	Direct string // the server itself, when URL is a pooler in transaction mode (PgBouncer); empty: URL is the server
	Schema string // PostgreSQL schema, created when missing; empty: the default schema of the URL's user
	Unsafe bool   // tests only: SQLite without fsync
}

// Store is an open database.
type Store struct {
	config Config
	engine Engine
	write  *bun.DB
	read   *bun.DB
	direct *sql.DB // sessions of the server itself, even behind a pooler; for migrations and their lock

	prepared prepared
	pace     pace
	commits  atomic.Int64 // transactions without a Hold, which are not those of an import (Importing)
	links    *links       // for PostgreSQL, otherwise nil
	state    state

	mu      sync.Mutex
	modules []string // keys whose standard tables are in this database, in the order of MigrateModule
}

// Open opens the database and creates a missing folder, file or schema. It applies no migrations.
func Open(ctx context.Context, c Config) (*Store, error) {
	s := &Store{config: c, engine: SQLite}
	var err error
	if c.URL == "" {
		s.write, s.read, err = openSQLite(ctx, c)
	} else {
		s.engine, s.links = Postgres, newLinks()
		s.write, s.read, err = openPostgres(ctx, c, s.links)
	}
	if err == nil {
		s.direct = s.write.DB
		if c.Direct != "" && s.engine == Postgres {
			s.direct, err = openDirect(ctx, c, s.links)
		}
		if err != nil {
			err = errors.Join(err, s.read.Close(), s.write.Close())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if s.engine == SQLite {
		s.watchState(func(ctx context.Context) (bool, error) { return false, s.Ping(ctx) }, func() {})
		return s, nil
	}
	w, err := newWatch(c, s.links)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), s.closeAll())
	}
	s.watchState(w.check, w.drop)
	return s, nil
}

// Close closes all connections. It takes at most two seconds, even when the server does not respond.
func (s *Store) Close() error {
	s.state.end()
	s.state.done.Wait()
	if s.links == nil {
		return s.closeAll()
	}
	done := make(chan error, 1)
	go func() { done <- s.closeAll() }()
	select {
	case err := <-done:
		return err
	case <-time.After(closeTimeout):
		s.links.closeSilent(0)
		<-done // its error only concerns the connections closed above
		return nil
	}
}

func (s *Store) closeAll() error {
	err := errors.Join(s.read.Close(), s.write.Close())
	if s.direct != s.write.DB {
		err = errors.Join(err, s.direct.Close())
	}
	return err
}

// isPooled reports whether the server is behind a pooler, which may give each transaction another session.
func (c Config) isPooled() bool { return c.Direct != "" }

// Server returns the URL of the server itself, without a pooler, or an empty string for SQLite.
func (c Config) Server() string { return cmp.Or(c.Direct, c.URL) }

// Engine returns the database engine.
func (s *Store) Engine() Engine { return s.engine }

// Location describes where the database is, without user and password: "sqlite" with its file, or "postgres" with host and name.
func (s *Store) Location() string {
	if s.engine == SQLite {
		return string(SQLite) + " " + filepath.Join(s.config.Dir, sqliteFile)
	}
	return Describe(s.config.URL)
}

// Describe returns "postgres" with host and name of the database of a URL, without user and password.
func Describe(postgres string) string {
	conf, err := pgx.ParseConfig(postgres)
	if err != nil {
		return string(Postgres)
	}
	return location(conf)
}

// location returns "postgres" with host and name of a database.
func location(conf *pgx.ConnConfig) string {
	return string(Postgres) + " " + net.JoinHostPort(conf.Host, strconv.Itoa(int(conf.Port))) + "/" + conf.Database
}

// Config returns the configuration that the store was opened with.
func (s *Store) Config() Config { return s.config }

// DB returns the handle for writing: a single connection on SQLite. Transactions go through Tx.
func (s *Store) DB() *bun.DB { return s.write }

// Read returns the handle for reading; a write through it fails on both engines.
func (s *Store) Read() *bun.DB { return s.read }

// Ping checks that the database responds to a query.
func (s *Store) Ping(ctx context.Context) error {
	_, err := s.read.ExecContext(ctx, "SELECT 1")
	return err
}

// Tx runs fn in one transaction and commits when fn returns nil. Serialization failures, deadlocks and a busy SQLite file are retried, so
// fn must be repeatable. PostgreSQL runs the transaction as READ COMMITTED, so change quantities with conditional updates and ensure
// uniqueness with unique indexes, never with a read followed by a write. Tx returns problem.ErrNested inside another transaction. With a
// context from Later, the transactions of callers go first.
func (s *Store) Tx(ctx context.Context, fn func(context.Context, bun.Tx) error) error {
	if scope.IsTx(ctx) {
		return problem.ErrNested
	}
	leave, err := s.pace.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	taken, released := measureHold(ctx)
	defer released()
	err = failsafe.With(retryConflicts).WithContext(ctx).Run(func() error {
		return s.write.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			taken()
			return fn(scope.InTx(ctx), tx)
		})
	})
	if err == nil && !hasHold(ctx) {
		s.commits.Add(1)
	}
	s.recordWrite(err)
	return err
}

var retryConflicts = retrypolicy.NewBuilder[any]().
	HandleIf(func(_ any, err error) bool { return isConflict(err) }).
	WithBackoff(2*time.Millisecond, 250*time.Millisecond).WithJitterFactor(.5).
	WithMaxAttempts(12).ReturnLastFailure().Build()
