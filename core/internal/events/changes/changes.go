// Package changes contains the queue of change requests, which customers file and the back office processes or rejects. The module's own
// row decides the state of a request; staff and back offices read the queue, and decide through it.
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

// Deps contains the dependencies of a Queue.
type Deps struct {
	Store  *store.Store
	Clock  *clock.Clock
	Log    *slog.Logger
	Labels label.Source
	// Client calls modules as the sibling "core".
	Client *http.Client
	// ScopeFor returns the system scope of a label.
	ScopeFor func(labelKey, moduleKey string) (context.Context, bool)
	// Audit records every decision, in the transaction that stores the decision in the queue.
	Audit *audit.Log
}

// Queue is the queue of change requests.
type Queue struct{ Deps }

// New returns a Queue.
func New(d Deps) *Queue {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Queue{d}
}

// entry is a row of the queue.
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

// Processed returns the relations of a label that have a processed change request.
func (q *Queue) Processed(ctx context.Context, labelKey string) (map[string]bool, error) {
	var relations []string
	err := q.Store.Read().NewSelect().Model((*entry)(nil)).ColumnExpr("DISTINCT relation_id").
		Where("label_key = ? AND state = ?", labelKey, module.Processed).Scan(ctx, &relations)
	out := make(map[string]bool, len(relations))
	for _, r := range relations {
		out[r] = true
	}
	return out, err
}

// Apply stores a change that a module filed or decided, in the relay's transaction. It is idempotent and accepts rows in any order: a
// filing that arrives after its decision does not undo the decision. It writes each decision to the audit log once, in the same
// transaction.
func (q *Queue) Apply(ctx context.Context, tx bun.IDB, moduleKey string, c module.Change) error {
	e := entry{Label: c.Label, ID: c.ID, Module: moduleKey, Relation: c.Relation, Subject: c.Subject, Kind: c.Kind, Key: c.Key, State: c.State,
		Effective: c.Effective, Data: c.Data, Filed: c.Filed, Decided: c.Decided, By: c.By, Reason: c.Reason}
	if len(e.Data) == 0 {
		e.Data = json.RawMessage("{}")
	}
	if c.State == module.Pending {
		e.Due = q.due(c)
		_, err := tx.NewInsert().Model(&e).On("CONFLICT (label_key, id) DO NOTHING").Exec(ctx)
		return err
	}
	if err := q.Audit.Lock(ctx, tx, c.Label); err != nil { // before locking rows: the relay applies many changes at once
		return err
	}
	done, err := tx.NewInsert().Model(&e).On("CONFLICT (label_key, id) DO UPDATE").
		Set("state = EXCLUDED.state").Set("decided_at = EXCLUDED.decided_at").Set("decided_by = EXCLUDED.decided_by").
		Set("reason = EXCLUDED.reason").Set("due_at = NULL").
		// A module can decide only its own changes, and each of them once.
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
	return q.Audit.WriteDecision(ctx, tx, audit.Entry{Label: c.Label, Action: action, Relation: c.Relation, Kind: c.Kind, Target: c.ID,
		Reason: c.Reason}, c.By)
}

// delay returns the time after which the label processes changes of a kind automatically, and false if it does not.
func (q *Queue) delay(labelKey, kind string) (time.Duration, bool) {
	own := q.Labels.ByKey(labelKey)
	if own == nil {
		return 0, false
	}
	text, on := own.Changes.Auto[kind]
	if !on {
		return 0, false
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0 // the label's schema accepts only valid durations
}

// due returns when a change is processed automatically, or zero if it is not. If the label is temporarily missing, Auto checks the change
// later.
func (q *Queue) due(c module.Change) time.Time {
	if q.Labels.ByKey(c.Label) == nil {
		return c.Filed.Add(absentPause)
	}
	if d, on := q.delay(c.Label, c.Kind); on {
		return c.Filed.Add(d)
	}
	return time.Time{}
}

// find returns a row of the queue, or problem.ErrNotFound.
func (q *Queue) find(ctx context.Context, labelKey, id string) (entry, error) {
	var e entry
	err := q.Store.Read().NewSelect().Model(&e).Where("label_key = ? AND id = ?", labelKey, id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return e, err
}

func (q *Queue) now() time.Time { return q.Clock.Now().Truncate(time.Microsecond) }
