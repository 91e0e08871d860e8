package store

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/handle"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Module returns the database of a module. committed, when not nil, is called after every commit that queued a row for core.
// The tables are created by MigrateModule.
func (s *Store) Module(m module.Manifest, c *clock.Clock, committed func()) module.DB {
	if committed == nil {
		committed = func() {}
	}
	return &moduleDB{store: s, manifest: m, clock: c, committed: committed}
}

type moduleDB struct {
	store     *Store
	manifest  module.Manifest
	clock     *clock.Clock
	committed func()
}

// Handle implements module.Querier. The handle can only read.
func (d *moduleDB) Handle() handle.Handle { return handle.Of(d.store.read) }

func (d *moduleDB) Tx(ctx context.Context, fn func(context.Context, module.Tx) error) error {
	if scope.Of(ctx).ReadOnly {
		return problem.ErrReadOnly
	}
	queued := false
	err := d.store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		t := &moduleTx{tx: tx, db: d}
		err := fn(ctx, t)
		queued = t.queued
		return err
	})
	if err == nil && queued {
		d.committed()
	}
	return err
}

// Snapshot implements module.DB. A read-only transaction of SQLite always sees one snapshot; one of PostgreSQL must be REPEATABLE READ.
func (d *moduleDB) Snapshot(ctx context.Context, fn func(context.Context, module.Querier) error) error {
	return d.store.read.RunInTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, func(ctx context.Context,
		tx bun.Tx) error {
		return fn(ctx, snapshot{tx})
	})
}

type snapshot struct{ tx bun.Tx }

// Handle implements module.Querier.
func (s snapshot) Handle() handle.Handle { return handle.Of(s.tx) }

func (d *moduleDB) table(suffix string) bun.Ident { return bun.Ident(d.manifest.Key + "_" + suffix) }
