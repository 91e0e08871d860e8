package meter

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// Upsert writes rows by a natural key; each key may occur once.
func Upsert(ctx context.Context, tx module.Tx, rows module.Rows, batch any, key string, columns ...string) error {
	insert := rows.Insert(tx, batch).On("CONFLICT (" + key + ") DO UPDATE")
	for _, column := range columns {
		insert.Set("? = EXCLUDED.?", bun.Ident(column), bun.Ident(column))
	}
	_, err := insert.Exec(ctx)
	return err
}
