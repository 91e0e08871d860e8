package store

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/clock"
	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Module gives a module its database. committed, when not nil, is called after every commit that queued something for core.
// It creates nothing: MigrateModule does.
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

func (d *moduleDB) Read() bun.IDB { return d.store.read }

func (d *moduleDB) Tx(ctx context.Context, fn func(context.Context, module.Tx) error) error {
	if scope.Of(ctx).ReadOnly {
		return problem.ErrReadOnly
	}
	queued := false
	err := d.store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
		t := &moduleTx{Tx: tx, db: d}
		err := fn(ctx, t)
		queued = t.queued
		return err
	})
	if err == nil && queued {
		d.committed()
	}
	return err
}

func (d *moduleDB) table(suffix string) bun.Ident { return bun.Ident(d.manifest.Key + "_" + suffix) }
