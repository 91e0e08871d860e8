// Package audit keeps the log of who viewed or acted on a customer's data, and why: every decision on a change request, every
// impersonation, every write by staff or an API key, and every view of a customer by staff. Entries cannot be edited: the tables refuse
// updates, and each row contains the hash of the previous row (docs/decisions/0024).
package audit

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/clock"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

//go:embed migrations
var files embed.FS

// Migrations creates the tables of this package.
var Migrations = store.Migrations{Name: "audit", FS: files}

// Actions of core. Actions of a module begin with its key, such as "staff.customer_viewed".
const (
	ChangeProcessed      = "change.processed" // kind and target: those of the change request
	ChangeRejected       = "change.rejected"
	ChangeViewed         = "change.viewed"
	ImpersonationMade    = "impersonation.made" // target: the impersonation
	ImpersonationUsed    = "impersonation.used" // until: when it expires
	ImpersonationRefused = "impersonation.refused"
	AccessDisabled       = "access.disabled" // target: the account
	AccessEnabled        = "access.enabled"
	AccessEnded          = "access.ended"      // target: the account; all its sessions were ended
	OperationCalled      = "operation.called"  // kind: the operation, such as "core.addWebhook"
	OperationRefused     = "operation.refused" // reason: the status; follows the entry of OperationCalled
)

// Ext is the OpenAPI extension that marks core's write operations that write their own entry (Itself), because their entries contain more
// than the operation name. The HTTP entry point writes the entries of all other operations.
const (
	Ext    = "x-audit"
	Itself = "itself"
)

// Actor roles.
const (
	Staff        = "staff"
	Impersonator = "impersonator" // a support tool user
	Key          = "key"          // a back office with an API key
	Auto         = "auto"         // an automatic decision that a label setting allows
	Customer     = "customer"
)

// Entry is one row of the log. It never contains customer data.
type Entry struct {
	bun.BaseModel `bun:"table:audit,alias:a"`

	Label    string    `bun:"label_key,pk"`
	Seq      int64     `bun:"seq,pk"`
	At       time.Time `bun:"at"`
	Action   string    `bun:"action"`
	Role     string    `bun:"role"`
	Actor    string    `bun:"actor_id"`
	Name     string    `bun:"actor_name"`
	Relation string    `bun:"relation_id"`
	Kind     string    `bun:"kind"`
	Target   string    `bun:"target"`
	Reason   string    `bun:"reason"`
	Until    time.Time `bun:"until,nullzero"`
	Previous string    `bun:"previous_hash"`
	Hash     string    `bun:"hash"`
}

// head is the last row of a label.
type head struct {
	bun.BaseModel `bun:"table:audit_heads,alias:h"`

	Label string `bun:"label_key,pk"`
	Seq   int64  `bun:"seq"`
	Hash  string `bun:"hash"`
}

// Deps contains the dependencies of a Log.
type Deps struct {
	Store *store.Store
	Clock *clock.Clock
	// Names returns the names of a label's accounts by id; unknown ids are omitted.
	Names func(ctx context.Context, db bun.IDB, label string, ids []string) (map[string]string, error)
}

// Log is the audit log of all labels.
type Log struct{ Deps }

// New returns a Log.
func New(d Deps) *Log { return &Log{d} }

// Lock makes the transactions that write to the log of a label run one after another. Callers that lock other rows before they write an
// entry must call Lock first if transactions may lock these rows in different orders.
func (l *Log) Lock(ctx context.Context, tx bun.IDB, label string) error {
	_, err := tx.NewUpdate().Model((*head)(nil)).Set("seq = seq").Where("label_key = ?", label).Exec(ctx)
	return err
}

// Write appends an entry in the caller's transaction, so that the action and its entry are committed together or not at all. Label, Action,
// Role and Actor are required; an empty Name is looked up.
func (l *Log) Write(ctx context.Context, tx bun.IDB, e Entry) error {
	if e.Label == "" || e.Action == "" || e.Role == "" {
		return errors.New("audit: an entry without label, action or role")
	}
	switch {
	case e.Name != "":
	case e.Role == Key:
		e.Name = e.Actor
	case e.Role == Staff || e.Role == Impersonator:
		names, err := l.Names(ctx, tx, e.Label, []string{e.Actor})
		if err != nil {
			return fmt.Errorf("audit: %w", err)
		}
		e.Name = names[e.Actor]
	}
	e.At, e.Until = storedTime(l.Clock.Now()), storedTime(e.Until)
	// Returns the new number and the hash of the previous row; the hash is replaced below under the same lock.
	if err := tx.NewRaw("INSERT INTO audit_heads AS h (label_key, seq, hash) VALUES (?, 1, '') "+
		"ON CONFLICT (label_key) DO UPDATE SET seq = h.seq + 1 RETURNING seq, hash", e.Label).Scan(ctx, &e.Seq, &e.Previous); err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	e.Hash = e.sum()
	if _, err := tx.NewInsert().Model(&e).Exec(ctx); err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	if _, err := tx.NewUpdate().Model(&head{Label: e.Label, Hash: e.Hash}).Column("hash").WherePK().Exec(ctx); err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	return nil
}

// Add appends an entry in a separate transaction.
func (l *Log) Add(ctx context.Context, e Entry) error {
	return l.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error { return l.Write(ctx, tx, e) })
}

// WriteDecision appends an entry for a decided change. by has the values of module.Decision.By: an account id, the name of an API key,
// customer or auto.
func (l *Log) WriteDecision(ctx context.Context, tx bun.IDB, e Entry, by string) error {
	e.Actor = by
	switch by {
	case Auto, Customer:
		e.Role = by
	default:
		names, err := l.Names(ctx, tx, e.Label, []string{by})
		if err != nil {
			return fmt.Errorf("audit: %w", err)
		}
		e.Role = Key
		if name, account := names[by]; account {
			e.Role, e.Name = Staff, name
		}
	}
	return l.Write(ctx, tx, e)
}

// storedTime returns a time as both engines store it, so that the hash does not change when the entry is stored.
func storedTime(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

const canonicalTime = "2006-01-02T15:04:05.000000Z"

// sum returns the hash over all fields of a row except the hash itself.
func (e Entry) sum() string {
	until := ""
	if !e.Until.IsZero() {
		until = storedTime(e.Until).Format(canonicalTime)
	}
	canonical, _ := json.Marshal([]any{e.Label, e.Seq, storedTime(e.At).Format(canonicalTime), e.Action, e.Role, e.Actor, e.Name, e.Relation,
		e.Kind, e.Target, e.Reason, until, e.Previous}) // cannot fail: only strings and a number
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}
