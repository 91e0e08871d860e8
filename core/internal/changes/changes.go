// Package changes keeps the ledger of change requests: what customers asked and the back office must process or reject. A module's
// own row decides; the ledger is the queue that staff and back offices see, and through which they decide.
package changes

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/clock"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
)

//go:embed migrations
var migrations embed.FS

// Migrations makes the table of this package.
var Migrations = store.Migrations{Name: "changes", FS: sub(migrations)}

func sub(f fs.FS) fs.FS {
	s, err := fs.Sub(f, "migrations")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return s
}

// Deps is what a Ledger needs.
type Deps struct {
	Store  *store.Store
	Clock  *clock.Clock
	Log    *slog.Logger
	Labels label.Source
	// Client calls modules as their sibling "core".
	Client *http.Client
	// ScopeFor gives the system scope of a label.
	ScopeFor func(labelKey, moduleKey string) (context.Context, bool)
}

// Ledger is the queue of change requests.
type Ledger struct{ Deps }

// New makes a Ledger.
func New(d Deps) *Ledger { return &Ledger{d} }

// Apply takes over a change that a module filed or decided, in the relay's transaction. It is idempotent and does not mind the
// order: a decision that comes first is not undone by the filing that follows.
func (l *Ledger) Apply(ctx context.Context, tx bun.IDB, moduleKey string, c module.Change) error {
	return nil
}

// Auto processes the changes whose label lets them be processed without a person and whose delay has passed.
func (l *Ledger) Auto(ctx context.Context) error { return nil }

// Decide has the module decide one of its changes. Errors: module.ErrNotFound, module.ErrDecided, 503 unavailable when the module
// is down or off, and the module's own refusal.
func (l *Ledger) Decide(ctx context.Context, d module.Decision) (module.Change, error) {
	return module.Change{}, nil
}

// Routes registers the staff operations.
func (l *Ledger) Routes(api huma.API) {}
