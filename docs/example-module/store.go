package acme

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// note is a text of a customer.
type note struct {
	bun.BaseModel `bun:"table:acme_notes" json:"-"`
	Label         string `bun:"label_key,pk" json:"-"`
	Relation      string `bun:"relation_id,pk" json:"-"`
	ID            string `bun:"id,pk" json:"id"`
	Text          string `bun:"text" json:"text"`
	Mailed        bool   `bun:"mailed" json:"mailed" doc:"Whether the service desk was notified"`
}

// store upserts a note. Every query begins with rows, which limit it to their label and relation.
func store(ctx context.Context, tx module.Tx, rows module.Rows, n note) error {
	_, err := rows.Insert(tx, &n).On("CONFLICT (label_key, relation_id, id) DO UPDATE").Set("text = EXCLUDED.text").Exec(ctx)
	return err
}

// others counts the notes in rows with another id.
func others(ctx context.Context, q module.Querier, rows module.Rows, id string) (int64, error) {
	return rows.Select(q, (*note)(nil)).Where("id <> ?", id).Count(ctx)
}

// setMailed records that the service desk was notified of the notes with an id.
func setMailed(ctx context.Context, tx module.Tx, rows module.Rows, id string) error {
	_, err := rows.Update(tx, (*note)(nil)).Set("mailed = ?", true).Where("id = ?", id).Exec(ctx)
	return err
}
