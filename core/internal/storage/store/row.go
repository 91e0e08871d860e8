package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// Row kinds.
const (
	RowEvent    = "event"    // payload: module.Event
	RowChange   = "change"   // payload: module.Change, just filed
	RowDecision = "decision" // payload: module.Change, just decided
	RowMail     = "mail"     // payload: module.Mail
)

// Row is a row of a module's outbox table (<key>_outbox) that waits for the relay.
type Row struct {
	bun.BaseModel `bun:"table:outbox,alias:o" json:"-"`

	Label   string          `bun:"label_key,pk" json:"label"`
	ID      string          `bun:"id,pk" json:"id"`
	Kind    string          `bun:"kind" json:"kind"`
	Seq     int64           `bun:"seq" json:"seq"`
	At      time.Time       `bun:"at" json:"at"`
	Payload json.RawMessage `bun:"payload" json:"payload"`
}

// Change is a row of a module's table of change requests (<key>_changes).
type Change struct {
	bun.BaseModel `bun:"table:changes,alias:c" json:"-"`

	Label     string          `bun:"label_key,pk"`
	ID        string          `bun:"id,pk"`
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
}

func changeRow(c module.Change) Change {
	return Change{Label: c.Label, ID: c.ID, Relation: c.Relation, Subject: c.Subject, Kind: c.Kind, Key: c.Key, State: c.State,
		Effective: c.Effective, Data: c.Data, Filed: c.Filed, Decided: c.Decided, By: c.By, Reason: c.Reason}
}

// Change returns the row as the type that modules use.
func (r Change) Change() module.Change {
	return module.Change{ID: r.ID, Label: r.Label, Relation: r.Relation, Subject: r.Subject, Kind: r.Kind, Key: r.Key, State: r.State,
		Effective: r.Effective, Data: r.Data, Filed: r.Filed, Decided: r.Decided, By: r.By, Reason: r.Reason}
}

// OutboxLabels returns the labels that have rows in a module's outbox. It locks nothing.
func (s *Store) OutboxLabels(ctx context.Context, key string) (labels []string, err error) {
	err = s.read.NewSelect().Distinct().Column("label_key").TableExpr("? AS o", bun.Ident(key+"_outbox")).Scan(ctx, &labels)
	return labels, err
}

// Outbox returns the oldest rows of a label in a module's outbox. On PostgreSQL it locks them and skips rows that another replica has
// locked.
func (s *Store) Outbox(ctx context.Context, tx bun.Tx, key, label string, limit int) ([]Row, error) {
	var rows []Row
	q := tx.NewSelect().Model(&rows).ModelTableExpr("? AS o", bun.Ident(key+"_outbox")).Where("label_key = ?", label).
		OrderExpr("at, seq, id").Limit(int64(limit))
	if s.engine == Postgres {
		q = q.For("UPDATE SKIP LOCKED")
	}
	err := q.Scan(ctx)
	return rows, err
}

// Relayed deletes a label's rows that core has stored.
func (s *Store) Relayed(ctx context.Context, tx bun.Tx, key, label string, rows []Row) error {
	if len(rows) == 0 {
		return nil
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	_, err := tx.NewDelete().Model((*Row)(nil)).ModelTableExpr("? AS o", bun.Ident(key+"_outbox")).
		Where("label_key = ? AND id IN ?", label, bun.Tuple(ids)).Exec(ctx)
	return err
}
