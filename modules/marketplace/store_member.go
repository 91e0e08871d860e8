package marketplace

import (
	"context"
	"database/sql"
	"errors"

	"github.com/wattle-portal/wattle/core/module"
)

// offerByID reads one offer of the label. module.ErrNotFound when it is not there.
func offerByID(ctx context.Context, db module.DB, id string) (*offerRow, error) {
	row := new(offerRow)
	err := db.Find(ctx, module.Label(ctx), row, "AND id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		err = module.ErrNotFound
	}
	return row, err
}
