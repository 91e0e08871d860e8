package mykey

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// noteRow is a note of a customer.
type noteRow struct {
	bun.BaseModel `bun:"table:mykey_notes"`
	Label         string    `bun:"label_key,pk"`
	Relation      string    `bun:"relation_id,pk"`
	ID            string    `bun:"id,pk"`
	Day           value.Day `bun:"day"`
	Note          Note      `bun:"note"` // as JSON. Give a field by which rows are selected a column of its own.
}

// latest returns the last 50 notes.
func latest(ctx context.Context, q module.Querier, rows module.Rows) ([]SavedNote, error) {
	var found []noteRow
	err := rows.Select(q, &found).Order("day DESC", "id").Limit(50).Scan(ctx)
	out := []SavedNote{}
	for _, n := range found {
		out = append(out, SavedNote{n.ID, n.Day, n.Note})
	}
	return out, err
}

// insert adds a note, and reports whether it is new.
func insert(ctx context.Context, tx module.Tx, rows module.Rows, n *noteRow) (isNew bool, err error) {
	done, err := rows.Insert(tx, n).On("CONFLICT (label_key, relation_id, id) DO NOTHING").Exec(ctx)
	if err != nil {
		return false, err
	}
	count, err := done.RowsAffected()
	return count > 0, err
}
