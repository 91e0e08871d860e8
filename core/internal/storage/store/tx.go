package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/handle"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// moduleTx implements module.Tx. It does not embed the transaction, because any module could then access it with a type assertion.
type moduleTx struct {
	tx     bun.Tx
	db     *moduleDB
	queued bool
}

func (t *moduleTx) now() time.Time { return t.db.clock.Now().Truncate(time.Microsecond) }

// Handle implements module.Querier.
func (t *moduleTx) Handle() handle.Handle { return handle.Of(t.tx) }

// Postgres implements module.Tx.
func (t *moduleTx) Postgres() bool { return t.db.store.engine == Postgres }

// Lock implements module.Tx.
func (t *moduleTx) Lock(ctx context.Context, name string) error {
	label, err := labelOf(ctx)
	if err != nil || !t.Postgres() {
		return err
	}
	_, err = t.tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", t.db.manifest.Key+"_"+name+" "+label)
	return err
}

// Publish implements module.Tx. The event has the label of the call; its type must begin with the module's key.
func (t *moduleTx) Publish(ctx context.Context, e module.Event) error {
	label, err := labelOf(ctx)
	if err != nil {
		return err
	}
	if e.Label != "" && e.Label != label {
		return fmt.Errorf("store: an event of label %s in a call of label %s", e.Label, label)
	}
	if !strings.HasPrefix(e.Type, t.db.manifest.Key+".") {
		return fmt.Errorf("store: an event of module %s is called %q, without the module's key before it", t.db.manifest.Key, e.Type)
	}
	e.Label = label
	if e.ID == "" {
		e.ID = value.NewID()
	}
	if e.At.IsZero() {
		e.At = t.now()
	}
	if e.Seq == 0 {
		if e.Seq, err = t.nextSeq(ctx, label, e.Key); err != nil {
			return err
		}
	}
	if len(e.Data) == 0 {
		e.Data = json.RawMessage("{}")
	}
	return t.queue(ctx, Row{Label: label, ID: e.ID, Kind: RowEvent, Seq: e.Seq, At: e.At}, e)
}

// nextSeq increments the sequence number of a key while it locks the key's row, so that the numbers increase in commit order.
func (t *moduleTx) nextSeq(ctx context.Context, label, key string) (n int64, err error) {
	err = t.tx.NewRaw("INSERT INTO ? AS s (label_key, key, seq) VALUES (?, ?, 1) "+
		"ON CONFLICT (label_key, key) DO UPDATE SET seq = s.seq + 1 RETURNING seq", t.db.table("seqs"), label, key).Scan(ctx, &n)
	return n, err
}

func (t *moduleTx) queue(ctx context.Context, r Row, payload any) (err error) {
	if r.Payload, err = json.Marshal(payload); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	r.At = r.At.UTC().Truncate(time.Microsecond)
	_, err = t.tx.NewInsert().Model(&r).ModelTableExpr("?", t.db.table("outbox")).Exec(ctx)
	t.queued = err == nil || t.queued
	return err
}

// Once implements module.Tx.
func (t *moduleTx) Once(ctx context.Context, e module.Event) (bool, error) {
	label, err := labelOf(ctx)
	if err != nil {
		return false, err
	}
	if e.ID == "" {
		return false, errors.New("store: an event without an id")
	}
	res, err := t.tx.NewRaw("INSERT INTO ? (label_key, id, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
		t.db.table("inbox"), label, e.ID, t.now()).Exec(ctx)
	return affected(res, err)
}

// File implements module.Tx. A call without a relation (staff, import, visitor) may set one in c.
func (t *moduleTx) File(ctx context.Context, c module.Change) (module.Change, error) {
	s := scope.Of(ctx)
	label, err := labelOf(ctx)
	if err != nil {
		return c, err
	}
	if !slices.Contains(t.db.manifest.Changes, c.Kind) {
		return c, fmt.Errorf("store: module %s has no change kind %q in its manifest", t.db.manifest.Key, c.Kind)
	}
	if s.Relation != "" {
		c.Relation = s.Relation
	}
	if s.Subject != "" {
		c.Subject = s.Subject
	}
	if c.ID == "" {
		c.ID = value.NewID()
	}
	if len(c.Data) == 0 {
		c.Data = json.RawMessage("{}")
	}
	c.Label, c.State, c.Filed = label, module.Pending, t.now()
	c.Decided, c.By, c.Reason = time.Time{}, "", ""
	row := changeRow(c)
	done, err := affected(t.tx.NewInsert().Model(&row).ModelTableExpr("?", t.db.table("changes")).On("CONFLICT DO NOTHING").Exec(ctx))
	if err != nil {
		return c, err
	}
	if !done {
		return c, problem.ErrPending
	}
	return c, t.queue(ctx, Row{Label: label, ID: value.NewID(), Kind: RowChange, At: c.Filed}, c)
}

// Decide implements module.Tx.
func (t *moduleTx) Decide(ctx context.Context, d module.Decision) (module.Change, error) {
	label, err := labelOf(ctx)
	if err != nil {
		return module.Change{}, err
	}
	if d.State != module.Processed && d.State != module.Rejected {
		return module.Change{}, fmt.Errorf("store: a change cannot be decided to %q", d.State)
	}
	var row Change
	err = t.tx.NewUpdate().Model(&row).ModelTableExpr("? AS c", t.db.table("changes")).
		Set("state = ?", d.State).Set("decided_at = ?", t.now()).Set("decided_by = ?", d.By).Set("reason = ?", d.Reason).
		Where("label_key = ? AND id = ? AND state = ?", label, d.ID, module.Pending).
		Returning("*").Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		exists, err := t.tx.NewSelect().Model((*Change)(nil)).ModelTableExpr("? AS c", t.db.table("changes")).
			Where("label_key = ? AND id = ?", label, d.ID).Exists(ctx)
		switch {
		case err != nil:
			return module.Change{}, err
		case exists:
			return module.Change{}, problem.ErrDecided
		}
		return module.Change{}, problem.ErrNotFound
	}
	if err != nil {
		return module.Change{}, err
	}
	c := row.Change()
	return c, t.queue(ctx, Row{Label: label, ID: value.NewID(), Kind: RowDecision, At: c.Decided}, c)
}

// Mail implements module.Tx.
func (t *moduleTx) Mail(ctx context.Context, m module.Mail) error {
	label, err := labelOf(ctx)
	if err != nil {
		return err
	}
	if m.To == "" || m.Subject == "" {
		return errors.New("store: a mail without an address or a subject")
	}
	if m.Locale == "" {
		m.Locale = scope.Of(ctx).Locale
	}
	return t.queue(ctx, Row{Label: label, ID: value.NewID(), Kind: RowMail, At: t.now()}, m)
}

// Pending implements module.DB.
func (d *moduleDB) Pending(ctx context.Context, kind string) ([]module.Change, error) {
	mine, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	var rows []Change
	q := mine.Select(d, &rows).ModelTableExpr("? AS c", d.table("changes")).Where("c.state = ?", module.Pending)
	if kind != "" {
		q = q.Where("c.kind = ?", kind)
	}
	if err := q.OrderExpr("c.filed_at DESC, c.id DESC").Scan(ctx); err != nil {
		return nil, err
	}
	out := make([]module.Change, len(rows))
	for i, r := range rows {
		out[i] = r.Change()
	}
	return out, nil
}

func labelOf(ctx context.Context) (string, error) {
	if l := scope.Of(ctx).Label; l != "" {
		return l, nil
	}
	return "", errors.New("store: a write without a label")
}

func affected(res sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
