package marketplace

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// States of a move of shares.
const (
	movePlanned   = "PLANNED"
	moveDone      = "DONE"
	moveCancelled = "CANCELLED"
)

// errSent says that a request was sent twice at a time, and that the other was first.
var errSent = errors.New("sent twice")

// movesUnder are the moves that a request under a key has led to; nil when there was none.
func movesUnder(ctx context.Context, db module.DB, rows module.Rows, key string) (found []moveRow, err error) {
	err = db.Find(ctx, rows, &found, "AND idempotency_key = ? ORDER BY item", key)
	return found, err
}

// insertMove stores a move. errSent when one of the same key and item is there.
func insertMove(ctx context.Context, tx module.Tx, row *moveRow) error {
	done, err := module.Label(ctx, "shares move with a relation that another module names, too").Insert(tx, row).On("CONFLICT DO NOTHING").Exec(ctx)
	return state.Changed(done, err, errSent)
}

// futureMoves are the moves after a day that rows are narrowed to, the next one first (7.6-get-future-moves).
func futureMoves(ctx context.Context, db module.DB, rows module.Rows, today value.Day) (found []moveRow, err error) {
	err = db.Find(ctx, rows, &found, "AND state = ? AND date > ? ORDER BY date, id LIMIT 500", movePlanned, today)
	return found, err
}

// dueMoves are ids of moves of the label whose day has come.
func dueMoves(ctx context.Context, db module.DB, today value.Day, limit int) (ids []string, err error) {
	err = module.Label(ctx, "a job makes the moves of all members").Select(db, (*moveRow)(nil)).Column("id").
		Where("state = ? AND date <= ?", movePlanned, today).OrderExpr("date, id").Limit(int64(limit)).Scan(ctx, &ids)
	return ids, err
}

// lockMove reads a move that is about to be ended. problem.ErrNotFound when rows have no such move.
func lockMove(ctx context.Context, tx module.Tx, rows module.Rows, id string) (*moveRow, error) {
	row := new(moveRow)
	err := rows.SelectForUpdate(tx, row).Where("id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row, err
}

// endMove stores how a locked move has ended.
func endMove(ctx context.Context, tx module.Tx, m *moveRow, to string, at time.Time) error {
	rows := module.Label(ctx, "a job ends the moves of all members")
	at = state.StoredTime(at)
	m.State, m.EndedAt = to, &at
	_, err := rows.Update(tx, m).Column("state", "to_participation", "ended_at").WherePK().Exec(ctx)
	return err
}

// projectName is the name of a project of the label.
func projectName(ctx context.Context, db module.Querier, code string) (name string, err error) {
	err = module.Label(ctx, "projects belong to the label, not to a relation").Select(db, (*projectRow)(nil)).Column("project_name").
		Where("project_code = ?", code).Scan(ctx, &name)
	if errors.Is(err, sql.ErrNoRows) {
		return code, nil
	}
	return name, err
}
