// Package changes keeps the ledger of change requests, which customers file and the back office processes or rejects. The module's own
// row decides; the ledger is the queue that staff and back offices see, and through which they decide.
package changes

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/audit"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

//go:embed migrations
var migrations embed.FS

// Migrations creates the table of this package.
var Migrations = store.Migrations{Name: "changes", FS: migrations}

// Deps contains the dependencies of a Ledger.
type Deps struct {
	Store  *store.Store
	Clock  *clock.Clock
	Log    *slog.Logger
	Labels label.Source
	// Client calls modules as their sibling "core".
	Client *http.Client
	// ScopeFor returns the system scope of a label.
	ScopeFor func(labelKey, moduleKey string) (context.Context, bool)
	// Audit records every decision, in the transaction that stores the decision in the ledger.
	Audit *audit.Log
}

// Ledger is the queue of change requests.
type Ledger struct{ Deps }

// New returns a Ledger.
func New(d Deps) *Ledger {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Ledger{d}
}

// entry is a row of the ledger.
type entry struct {
	bun.BaseModel `bun:"table:changes,alias:c"`

	Label     string          `bun:"label_key,pk"`
	ID        string          `bun:"id,pk"`
	Module    string          `bun:"module"`
	Relation  string          `bun:"relation_id"`
	Subject   string          `bun:"subject"`
	Kind      string          `bun:"kind"`
	Key       string          `bun:"key"`
	State     string          `bun:"state"`
	Effective value.Day       `bun:"effective"`
	Data      json.RawMessage `bun:"data"`
	Filed     time.Time       `bun:"filed_at"`
	Decided   time.Time       `bun:"decided_at,nullzero"`
	By        string          `bun:"decided_by"`
	Reason    string          `bun:"reason"`
	Due       time.Time       `bun:"due_at,nullzero"`
	Attempts  int             `bun:"attempts"`
}

// Processed returns the relations of a label that have a processed change.
func (l *Ledger) Processed(ctx context.Context, labelKey string) (map[string]bool, error) {
	var relations []string
	err := l.Store.Read().NewSelect().Model((*entry)(nil)).ColumnExpr("DISTINCT relation_id").
		Where("label_key = ? AND state = ?", labelKey, module.Processed).Scan(ctx, &relations)
	out := make(map[string]bool, len(relations))
	for _, r := range relations {
		out[r] = true
	}
	return out, err
}

// Apply stores a change that a module filed or decided, in the relay's transaction. It is idempotent and accepts rows in any order: a
// filing that arrives after the decision does not undo it. The decision is written to the audit log with it, once.
func (l *Ledger) Apply(ctx context.Context, tx bun.IDB, moduleKey string, c module.Change) error {
	e := entry{Label: c.Label, ID: c.ID, Module: moduleKey, Relation: c.Relation, Subject: c.Subject, Kind: c.Kind, Key: c.Key, State: c.State,
		Effective: c.Effective, Data: c.Data, Filed: c.Filed, Decided: c.Decided, By: c.By, Reason: c.Reason}
	if len(e.Data) == 0 {
		e.Data = json.RawMessage("{}")
	}
	if c.State == module.Pending {
		e.Due = l.due(c)
		_, err := tx.NewInsert().Model(&e).On("CONFLICT (label_key, id) DO NOTHING").Exec(ctx)
		return err
	}
	if err := l.Audit.Lock(ctx, tx, c.Label); err != nil { // before the row is locked: the relay applies many
		return err
	}
	done, err := tx.NewInsert().Model(&e).On("CONFLICT (label_key, id) DO UPDATE").
		Set("state = EXCLUDED.state").Set("decided_at = EXCLUDED.decided_at").Set("decided_by = EXCLUDED.decided_by").
		Set("reason = EXCLUDED.reason").Set("due_at = NULL").
		// A module decides its own changes only, and each once.
		Where("c.module = EXCLUDED.module AND c.state = ?", module.Pending).Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return err
	}
	action := audit.ChangeProcessed
	if c.State == module.Rejected {
		action = audit.ChangeRejected
	}
	return l.Audit.WriteDecision(ctx, tx, audit.Entry{Label: c.Label, Action: action, Relation: c.Relation, Kind: c.Kind, Target: c.ID, Reason: c.Reason}, c.By)
}

// delay returns the time after which the label has a kind of change processed automatically.
func (l *Ledger) delay(labelKey, kind string) (time.Duration, bool) {
	own := l.Labels.ByKey(labelKey)
	if own == nil {
		return 0, false
	}
	text, on := own.Changes.Auto[kind]
	if !on {
		return 0, false
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0 // the label's schema accepts nothing else
}

// due returns when a change is processed automatically; zero: it is not. When its label is not there for a moment, Auto looks at it later.
func (l *Ledger) due(c module.Change) time.Time {
	if l.Labels.ByKey(c.Label) == nil {
		return c.Filed.Add(absentPause)
	}
	if d, on := l.delay(c.Label, c.Kind); on {
		return c.Filed.Add(d)
	}
	return time.Time{}
}

// find returns a row of the ledger, or problem.ErrNotFound.
func (l *Ledger) find(ctx context.Context, labelKey, id string) (entry, error) {
	var e entry
	err := l.Store.Read().NewSelect().Model(&e).Where("label_key = ? AND id = ?", labelKey, id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return e, err
}

func (l *Ledger) now() time.Time { return l.Clock.Now().Truncate(time.Microsecond) }
