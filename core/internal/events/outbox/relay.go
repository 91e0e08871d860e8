package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

// message is a published event or an email, stored once for all its deliveries.
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

// Batch is the number of rows that are relayed in one transaction.
const Batch = 200

// relayAll relays a batch of each outbox in this database, so that a long outbox does not delay the others. It reports whether it relayed
// any rows.
func (o *Outbox) relayAll(ctx context.Context) (moved bool, err error) {
	for _, key := range o.Store.Modules() {
		labels, err := o.Store.OutboxLabels(ctx, key)
		if err != nil {
			return moved, err
		}
		if len(labels) == 0 {
			continue
		}
		n, err := o.relayBatch(ctx, key, labels)
		if err != nil {
			return moved, fmt.Errorf("outbox: of %s: %w", key, err)
		}
		moved = moved || n > 0 // otherwise another replica has locked the rows
	}
	return moved, nil
}

// relayBatch relays the oldest rows of some labels, which share a batch.
func (o *Outbox) relayBatch(ctx context.Context, key string, labels []string) (n int, err error) {
	rand.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
	labels = labels[:min(len(labels), Batch)]
	err = o.Store.Tx(store.Later(ctx), func(ctx context.Context, tx bun.Tx) error {
		n = 0
		for i, label := range labels {
			rows, err := o.Store.Outbox(ctx, tx, key, label, (Batch-n)/(len(labels)-i))
			if err != nil {
				return err
			}
			n += len(rows)
			if err := o.storeRows(ctx, tx, key, rows); err != nil {
				return err
			}
			if err := o.Store.Relayed(ctx, tx, key, label, rows); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// Relay stores rows of a module's outbox and their deliveries. It skips rows that are already stored, so a plugin may send rows again.
func (o *Outbox) Relay(ctx context.Context, moduleKey string, rows []Row) error {
	err := o.Store.Tx(ctx, func(ctx context.Context, tx bun.Tx) error { return o.storeRows(ctx, tx, moduleKey, rows) })
	if err == nil {
		o.Wake()
	}
	return err
}

// errMalformed marks a row that can never be stored. It becomes a dead letter, so that it does not block other rows.
var errMalformed = errors.New("malformed row")

func (o *Outbox) storeRows(ctx context.Context, tx bun.Tx, moduleKey string, rows []Row) error {
	for _, r := range rows {
		m := message{Label: r.Label, Module: moduleKey, ID: r.ID, Kind: store.RowEvent, Payload: r.Payload,
			At: r.At.UTC().Truncate(time.Microsecond)}
		subscribers, due, apply, err := o.parseRow(r, &m)
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
			continue // stored already
		}
		if err != nil {
			if err := o.insert(ctx, tx, m, "core", dead, o.now(), err.Error()); err != nil {
				return err
			}
			continue
		}
		if apply != nil {
			if err := o.Changes.Apply(ctx, tx, moduleKey, *apply); err != nil {
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

// eventOf returns the data of an event about a change request.
func eventOf(c module.Change) coreapi.Change {
	return coreapi.Change{ID: c.ID, Label: c.Label, Relation: c.Relation, Subject: c.Subject, Kind: c.Kind, Key: c.Key, State: c.State,
		Effective: c.Effective.String(), Data: c.Data, Filed: c.Filed, Decided: c.Decided, By: c.By, Reason: c.Reason}
}

// parseRow parses a row into m. It returns the subscribers, the time when the deliveries are due, and the change for the queue, if any.
func (o *Outbox) parseRow(r Row, m *message) (subscribers []string, due time.Time, apply *module.Change, err error) {
	due = o.now()
	e := module.Event{ID: r.ID, Label: r.Label}
	switch r.Kind {
	case store.RowMail:
		m.Kind = store.RowMail
		var mail module.Mail
		if err := json.Unmarshal(r.Payload, &mail); err != nil {
			return nil, due, nil, errMalformed
		}
		if mail.Security {
			return []string{securityLane}, due, nil, nil
		}
		return []string{mailLane}, due, nil, nil
	case store.RowEvent:
		if err := json.Unmarshal(r.Payload, &e); err != nil {
			return nil, due, nil, errMalformed
		}
		// Rows of a plugin come from another process, which may publish only its own events.
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
		if e.Data, err = json.Marshal(eventOf(c)); err != nil {
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
	// A missing label may be served again, for example if its file was broken at the start, so its deliveries wait.
	_, known := o.ScopeFor(r.Label, "core")
	for _, s := range o.Subscriptions.Handlers(r.Label, e.Type) {
		if _, on := o.ScopeFor(r.Label, s.Module); on || !known {
			subscribers = append(subscribers, s.Module)
		}
	}
	return subscribers, due, apply, nil
}
