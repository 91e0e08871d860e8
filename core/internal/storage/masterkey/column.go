package masterkey

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// Column is a column of sealed strings in a table with the key (label_key, id), to which each sealed string is bound. Empty
// strings are not sealed.
type Column struct{ Table, Name, Purpose string }

const resealBatch = 500 // rows per transaction, so that other writers get their turn

// Reseal seals the values of the column with the newest key. It skips values that were changed in the meantime, which are already sealed
// with the newest key, and values that no accepted key can open.
func (c Column) Reseal(ctx context.Context, s *store.Store, k *Key) error {
	type cell struct {
		Label string `bun:"label_key"`
		ID    string `bun:"id"`
		Text  string `bun:"sealed"`
	}
	for last := (cell{}); ; {
		var some []cell
		err := s.Read().NewSelect().Table(c.Table).Column("label_key", "id").ColumnExpr("? AS sealed", bun.Ident(c.Name)).
			Where("? <> ''", bun.Ident(c.Name)).Where("(label_key, id) > (?, ?)", last.Label,
			last.ID).OrderExpr("label_key, id").Limit(resealBatch).Scan(ctx, &some)
		if err != nil || len(some) == 0 {
			return err
		}
		last = some[len(some)-1]
		err = s.Tx(store.Later(ctx), func(ctx context.Context, tx bun.Tx) error {
			for _, x := range some {
				plain, err := k.Open(c.Purpose, x.Text, x.Label, x.ID)
				if err != nil { // no accepted key opens the value, so it was already unusable
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
