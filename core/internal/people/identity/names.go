package identity

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// NamesOf returns the names of accounts of a label by id. Ids of other accounts are left out.
func NamesOf(ctx context.Context, db bun.IDB, labelKey string, ids []string) (map[string]string, error) {
	out := make(map[string]string, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	var rows []login
	if err := db.NewSelect().Model(&rows).Column("id", "name").Where("label_key = ? AND id IN ?", labelKey, bun.Tuple(ids)).Scan(ctx); err != nil {
		return nil, fmt.Errorf("identity: names: %w", err)
	}
	for _, r := range rows {
		out[r.ID] = r.Name
	}
	return out, nil
}
