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

// errSent says that the same request was sent twice at the same time, and the other one was first.
var errSent = errors.New("sent twice")

// movesUnder reads the moves of a request with a key; nil when there are none.
func movesUnder(ctx context.Context, db module.DB, rows module.Rows, key string) (found []moveRow, err error) {
	err = db.Find(ctx, rows, &found, "AND idempotency_key = ? ORDER BY item", key)
	return found, err
}

// insertMove stores a move. It returns errSent when there is one with the same key and item.
func insertMove(ctx context.Context, tx module.Tx, row *moveRow) error {
	done, err := module.Label(ctx, "shares move with a relation that another module names, too").Insert(tx, row).On("CONFLICT DO NOTHING").Exec(ctx)
	return state.Changed(done, err, errSent)
}

// futureMoves reads the moves of rows after a day, next first (7.6-get-future-moves).
func futureMoves(ctx context.Context, db module.DB, rows module.Rows, today value.Day) (found []moveRow, err error) {
	err = db.Find(ctx, rows, &found, "AND state = ? AND date > ? ORDER BY date, id LIMIT 500", movePlanned, today)
	return found, err
}

// dueMoves lists ids of moves of the label that are due.
func dueMoves(ctx context.Context, db module.DB, today value.Day, limit int) (ids []string, err error) {
	err = module.Label(ctx, "a job makes the moves of all members").Select(db, (*moveRow)(nil)).Column("id").
		Where("state = ? AND date <= ?", movePlanned, today).OrderExpr("date, id").Limit(int64(limit)).Scan(ctx, &ids)
	return ids, err
}

// lockMove reads and locks a move that is about to end. It returns problem.ErrNotFound when rows do not have it.
func lockMove(ctx context.Context, tx module.Tx, rows module.Rows, id string) (*moveRow, error) {
	row := new(moveRow)
	err := rows.SelectForUpdate(tx, row).Where("id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row, err
}

// endMove stores the end of a locked move.
func endMove(ctx context.Context, tx module.Tx, m *moveRow, to string, at time.Time) error {
	rows := module.Label(ctx, "a job ends the moves of all members")
	at = state.StoredTime(at)
	m.State, m.EndedAt = to, &at
	_, err := rows.Update(tx, m).Column("state", "to_participation", "ended_at").WherePK().Exec(ctx)
	return err
}

// projectName reads the name of a project of the label.
func projectName(ctx context.Context, db module.Querier, code string) (name string, err error) {
	err = module.Label(ctx, "projects belong to the label, not to a relation").Select(db, (*projectRow)(nil)).Column("project_name").
		Where("project_code = ?", code).Scan(ctx, &name)
	if errors.Is(err, sql.ErrNoRows) {
		return code, nil
	}
	return name, err
}
