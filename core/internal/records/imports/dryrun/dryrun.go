// Package dryrun runs an import without storing anything.
package dryrun

import (
	"context"
	"errors"

	"github.com/wattle-portal/wattle/core/module"
)

type ctxKey struct{}

// With marks a context in which transactions of a database wrapped by DB are rolled back.
func With(ctx context.Context) context.Context { return context.WithValue(ctx, ctxKey{}, true) }

// Is reports whether the context belongs to a dry run.
func Is(ctx context.Context) bool { return ctx.Value(ctxKey{}) != nil }

// DB wraps the database of a module, so that a dry run executes the same code as an import and rolls it back.
func DB(db module.DB) module.DB { return rollback{db} }

type rollback struct{ module.DB }

var errRollback = errors.New("dry run")

// Tx implements module.DB.
func (r rollback) Tx(ctx context.Context, fn func(context.Context, module.Tx) error) error {
	if !Is(ctx) {
		return r.DB.Tx(ctx, fn)
	}
	err := r.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return errRollback
	})
	if errors.Is(err, errRollback) {
		return nil
	}
	return err
}
