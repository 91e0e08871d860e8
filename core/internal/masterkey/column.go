package masterkey

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/store"
)

// Column is a column of sealed texts in a table with the key (label_key, id), which each text belongs to. An empty text is nothing.
type Column struct{ Table, Name, Purpose string }

const resealBatch = 500 // rows a transaction, so that others get their turn

// Reseal seals the texts that are there with the newest key. A text that was changed meanwhile is left: it is of the newest key. So is
// one that no accepted key opens.
func (c Column) Reseal(ctx context.Context, s *store.Store, k *Key) error {
	type cell struct {
		Label string `bun:"label_key"`
		ID    string `bun:"id"`
		Text  string `bun:"sealed"`
	}
	for last := (cell{}); ; {
		var some []cell
		err := s.Read().NewSelect().Table(c.Table).Column("label_key", "id").ColumnExpr("? AS sealed", bun.Ident(c.Name)).
			Where("? <> ''", bun.Ident(c.Name)).Where("(label_key, id) > (?, ?)", last.Label, last.ID).OrderExpr("label_key, id").Limit(resealBatch).Scan(ctx, &some)
		if err != nil || len(some) == 0 {
			return err
		}
		last = some[len(some)-1]
		err = s.Tx(store.Later(ctx), func(ctx context.Context, tx bun.Tx) error {
			for _, x := range some {
				plain, err := k.Open(c.Purpose, x.Text, x.Label, x.ID)
				if err != nil { // of no key that is accepted: it could not be used before either
					continue
				}
				_, err = tx.NewUpdate().Table(c.Table).Set("? = ?", bun.Ident(c.Name), k.Seal(c.Purpose, plain, x.Label, x.ID)).
					Where("label_key = ? AND id = ? AND ? = ?", x.Label, x.ID, bun.Ident(c.Name), x.Text).Exec(ctx)
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}
