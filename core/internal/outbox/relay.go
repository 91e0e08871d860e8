package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/internal/store"
	"github.com/wattle-portal/wattle/core/module"
)

// message is what was published or mailed, kept once for all its deliveries.
type message struct {
	bun.BaseModel `bun:"table:outbox_messages,alias:m"`

	Label   string          `bun:"label_key,pk"`
	Module  string          `bun:"module,pk"`
	ID      string          `bun:"id,pk"`
	Kind    string          `bun:"kind"`
	Type    string          `bun:"type"`
	Payload json.RawMessage `bun:"payload"`
	At      time.Time       `bun:"at"`
}

// Batch is how many rows are taken over in one transaction.
const Batch = 200

// relayAll carries the outboxes that are in this database; it reports whether it carried anything.
func (o *Outbox) relayAll(ctx context.Context) (moved bool, err error) {
	for _, key := range o.Store.Modules() {
		for {
			waiting, err := o.Store.Outbox(ctx, o.Store.Read(), key, 1) // no write transaction for nothing
			if err != nil {
				return moved, err
			}
			if len(waiting) == 0 {
				break
			}
			n, err := o.relaySome(ctx, key)
			if err != nil {
				return moved, fmt.Errorf("outbox: of %s: %w", key, err)
			}
			if n == 0 {
				break // another replica carries them
			}
			moved = true
		}
	}
	return moved, nil
}

func (o *Outbox) relaySome(ctx context.Context, key string) (n int, err error) {
	err = o.Store.Tx(store.Later(ctx), func(ctx context.Context, tx bun.Tx) error {
		rows, err := o.Store.Outbox(ctx, tx, key, Batch)
		if err != nil {
			return err
		}
		n = len(rows)
		if err := o.take(ctx, tx, key, rows); err != nil {
			return err
		}
		return o.Store.Relayed(ctx, tx, key, rows)
	})
	return n, err
}

// Relay takes over rows of a module's outbox. A row that was taken before is passed over, so a plugin may send it again.
func (o *Outbox) Relay(ctx context.Context, moduleKey string, rows []Row) error {
	err := o.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error { return o.take(ctx, tx, moduleKey, rows) })
	if err == nil {
		o.Wake()
	}
	return err
}

// errMalformed marks a row that can never be taken; it becomes a dead letter, so that it holds up nothing.
var errMalformed = errors.New("malformed row")

func (o *Outbox) take(ctx context.Context, tx bun.Tx, moduleKey string, rows []Row) error {
	for _, r := range rows {
		m := message{Label: r.Label, Module: moduleKey, ID: r.ID, Kind: store.RowEvent, Payload: r.Payload, At: r.At.UTC().Truncate(time.Microsecond)}
		subscribers, due, apply, err := o.open(r, &m)
		if err != nil {
			m.Kind, m.Payload = "refused", json.RawMessage("{}")
			o.Log.Error("outbox: row refused", "module", moduleKey, "label", r.Label, "row", r.ID, "kind", r.Kind, "error", err)
		}
		res, insertErr := tx.NewInsert().Model(&m).On("CONFLICT DO NOTHING").Exec(ctx)
		if insertErr != nil {
			return insertErr
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			if err != nil {
				return err
			}
			continue // taken before
		}
		if err != nil {
			if err := o.insert(ctx, tx, m, "core", dead, o.now(), err.Error()); err != nil {
				return err
			}
			continue
		}
		if apply != nil {
			if err := o.Ledger.Apply(ctx, tx, moduleKey, *apply); err != nil {
				return err
			}
		}
		if m.Kind == store.RowEvent {
			hooks, err := o.webhooksFor(ctx, tx, m.Label, m.Type)
			if err != nil {
				return err
			}
			subscribers = append(subscribers, hooks...)
		}
		for _, s := range subscribers {
			if err := o.insert(ctx, tx, m, s, waiting, due, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// eventOf is the data of an event about a change request.
func eventOf(c module.Change) coreapi.Change {
	return coreapi.Change{ID: c.ID, Label: c.Label, Relation: c.Relation, Subject: c.Subject, Kind: c.Kind, Key: c.Key, State: c.State,
		Effective: c.Effective.String(), Data: c.Data, Filed: c.Filed, Decided: c.Decided, By: c.By, Reason: c.Reason}
}

// open reads a row: it completes the message and says who gets it, from when, and which change goes to the ledger.
func (o *Outbox) open(r Row, m *message) (subscribers []string, due time.Time, apply *module.Change, err error) {
	due = o.now()
	e := module.Event{ID: r.ID, Label: r.Label}
	switch r.Kind {
	case store.RowMail:
		m.Kind = store.RowMail
		if err := json.Unmarshal(r.Payload, &module.Mail{}); err != nil {
			return nil, due, nil, errMalformed
		}
		return []string{mailLane}, due, nil, nil
	case store.RowEvent:
		if err := json.Unmarshal(r.Payload, &e); err != nil {
			return nil, due, nil, errMalformed
		}
		// A plugin's rows come from another process: it may speak for itself only.
		if e.ID != r.ID || e.Label != r.Label || !strings.HasPrefix(e.Type, m.Module+".") {
			return nil, due, nil, fmt.Errorf("%w: event %q of another module, label or row", errMalformed, e.Type)
		}
	case store.RowChange, store.RowDecision:
		var c module.Change
		if err := json.Unmarshal(r.Payload, &c); err != nil || c.Label != r.Label || !strings.HasPrefix(c.Kind, m.Module+".") {
			return nil, due, nil, fmt.Errorf("%w: change of another module or label", errMalformed)
		}
		e.Type, e.Seq = coreapi.EventChangeFiled, 1
		if r.Kind == store.RowDecision {
			e.Type, e.Seq = coreapi.EventChangeDecided, 2
		}
		e.Key, e.At = c.ID, r.At
		if e.Data, err = json.Marshal(eventOf(c)); err != nil { // a plugin of an earlier release sends a zero time for what is not decided
			return nil, due, nil, errMalformed
		}
		if m.Payload, err = json.Marshal(e); err != nil {
			return nil, due, nil, errMalformed
		}
		apply = &c
	default:
		return nil, due, nil, fmt.Errorf("%w: kind %q", errMalformed, r.Kind)
	}
	m.Type = e.Type
	if e.Due.After(due) {
		due = e.Due.UTC().Truncate(time.Microsecond)
	}
	// A label that is not there, perhaps because its file is broken at this start, may come back: its deliveries wait.
	_, known := o.ScopeFor(r.Label, "core")
	for _, s := range o.Subscriptions.Handlers(e.Type) {
		if _, on := o.ScopeFor(r.Label, s.Module); on || !known {
			subscribers = append(subscribers, s.Module)
		}
	}
	return subscribers, due, apply, nil
}
