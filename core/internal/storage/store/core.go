package store

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/handle"
	"github.com/wattle-portal/wattle/core/module"
)

// DB is the database of core's own parts: a module database with accessible handles, because most queries of core are not made in a call
// whose scope could restrict them.
type DB interface {
	// Read returns a handle that cannot write.
	Read() bun.IDB
	// Tx does what Tx of module.DB does.
	Tx(ctx context.Context, fn func(context.Context, Tx) error) error
}

// Tx is a transaction of a DB.
type Tx interface {
	module.Tx
	bun.IDB
}

// Core returns the DB of a part of core.
func Core(db module.DB) DB { return coreDB{db} }

type coreDB struct{ module module.DB }

func (d coreDB) Read() bun.IDB { return handle.DB(d.module.Handle()) }

func (d coreDB) Tx(ctx context.Context, fn func(context.Context, Tx) error) error {
	return d.module.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		return fn(ctx, coreTx{tx, handle.DB(tx.Handle())})
	})
}

type coreTx struct {
	module.Tx
	bun.IDB
}
