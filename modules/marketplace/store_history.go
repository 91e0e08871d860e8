package marketplace

import (
	"context"
	"database/sql"

	"github.com/wattle-portal/wattle/core/module"
)

// newestEntries are entries of a participation before a sequence (0: all), newest first, and the balance after the newest of them.
func newestEntries(ctx context.Context, db module.DB, of participationRow, before int64, limit int) (rows []entryRow, after Balance, err error) {
	all := module.Label(ctx, "entries have no relation: their participation was found among the caller's")
	after = of.Balance
	q := all.Select(db, &rows).
		Where("participation_id = ?", of.ID).OrderExpr("sequence DESC").Limit(int64(limit))
	if before <= 0 {
		// The balance was read before the entries: those that have come since do not belong to it.
		return rows, after, q.Where("sequence <= ?", of.Sequence).Scan(ctx)
	}
	if err := q.Where("sequence < ?", before).Scan(ctx); err != nil {
		return nil, after, err
	}
	var share, offered, reserved, held, moving sql.NullInt64
	err = all.Select(db, (*entryRow)(nil)).
		ColumnExpr("SUM(e.share), SUM(e.offered), SUM(e.reserved), SUM(e.held), SUM(e.moving)").
		Where("participation_id = ? AND sequence < ?", of.ID, before).Scan(ctx, &share, &offered, &reserved, &held, &moving)
	return rows, Balance{share.Int64, offered.Int64, reserved.Int64, held.Int64, moving.Int64}, err
}
