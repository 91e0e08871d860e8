// Package store opens the one database of the portal, SQLite by default and PostgreSQL when a URL is given, migrates it, and gives
// every module its module.DB. It depends on nothing else of core but scope and clock, so that a plugin's process uses it too.
//
// Times are kept in UTC with microseconds. Writes go through Store.Tx or a module's Tx; handles for reading cannot write.
package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/problem"
)

// Engine is the kind of database.
type Engine string

// Engines.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// Config says where the database is.
type Config struct {
	Dir    string // folder of wattle.db for SQLite; made when it is missing
	URL    string // postgres://…; empty: SQLite
	Schema string // of PostgreSQL, made when it is missing; empty: the one that the URL's user gets
	Unsafe bool   // tests only: SQLite without fsync
}

// Store is an open database.
type Store struct {
	config Config
	engine Engine
	write  *bun.DB
	read   *bun.DB

	prepared prepared
	pace     pace
	links    *links // of PostgreSQL, else nil
	state    state

	mu      sync.Mutex
	modules []string // keys whose standard tables are in this database, in the order of MigrateModule
}

// Open opens the database and makes what it needs to exist (folder, file, schema); it migrates nothing.
func Open(ctx context.Context, c Config) (*Store, error) {
	s := &Store{config: c, engine: SQLite}
	var err error
	if c.URL == "" {
		s.write, s.read, err = openSQLite(ctx, c)
	} else {
		s.engine, s.links = Postgres, newLinks()
		s.write, s.read, err = openPostgres(ctx, c, s.links)
	}
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if s.engine == SQLite {
		s.look(func(ctx context.Context) (bool, error) { return false, s.Ping(ctx) }, func() {})
		return s, nil
	}
	w, err := newWatch(c, s.links)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), s.read.Close(), s.write.Close())
	}
	s.look(w.look, w.drop)
	return s, nil
}

// Close closes all connections. It takes at most two seconds, also when the server is gone.
func (s *Store) Close() error {
	s.state.end()
	s.state.done.Wait()
	if s.links == nil {
		return errors.Join(s.read.Close(), s.write.Close())
	}
	done := make(chan error, 1)
	go func() { done <- errors.Join(s.read.Close(), s.write.Close()) }()
	select {
	case err := <-done:
		return err
	case <-time.After(closeTimeout):
		s.links.closeSilent(0)
		<-done // each ends with an error now that says no more than that
		return nil
	}
}

// Engine is the kind of database.
func (s *Store) Engine() Engine { return s.engine }

// Config is what the store was opened with.
func (s *Store) Config() Config { return s.config }

// DB is the handle for writing: a single connection on SQLite. Transactions go through Tx.
func (s *Store) DB() *bun.DB { return s.write }

// Read is the handle for reading; a write through it fails on both engines.
func (s *Store) Read() *bun.DB { return s.read }

// Ping asks the database for an answer.
func (s *Store) Ping(ctx context.Context) error {
	_, err := s.read.ExecContext(ctx, "SELECT 1")
	return err
}

// Tx runs fn in one transaction and commits when it returns nil. Serialisation failures, deadlocks and a busy SQLite file are
// retried, so fn must be repeatable. PostgreSQL runs it READ COMMITTED: stock is moved by conditional update, "one of a kind" is
// kept by a unique index, never by read-then-write. It is problem.ErrNested inside another transaction. That of a context of Later lets
// callers go first.
func (s *Store) Tx(ctx context.Context, fn func(context.Context, bun.Tx) error) error {
	if scope.IsTx(ctx) {
		return problem.ErrNested
	}
	leave, err := s.pace.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	taken, released := asked(ctx)
	defer released()
	err = failsafe.With(again).WithContext(ctx).Run(func() error {
		return s.write.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			taken()
			return fn(scope.InTx(ctx), tx)
		})
	})
	s.wrote(err)
	return err
}

var again = retrypolicy.NewBuilder[any]().
	HandleIf(func(_ any, err error) bool { return conflicted(err) }).
	WithBackoff(2*time.Millisecond, 250*time.Millisecond).WithJitterFactor(.5).
	WithMaxAttempts(12).ReturnLastFailure().Build()
