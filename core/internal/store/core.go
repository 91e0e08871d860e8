package store

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/handle"
	"github.com/wattle-portal/wattle/core/module"
)

// DB is the database of core's own parts: that of a module with open handles, because most of core's queries have no scope of a
// call to be narrowed to.
type DB interface {
	// Read gives a handle that only reads.
	Read() bun.IDB
	// Tx is that of module.DB.
	Tx(ctx context.Context, fn func(context.Context, Tx) error) error
}

// Tx is a transaction of such a part.
type Tx interface {
	module.Tx
	bun.IDB
}

// Core opens a module.DB for a part of core.
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
