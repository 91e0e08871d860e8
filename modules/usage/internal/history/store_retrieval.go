package history

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// retrievalRow is a stored retrieval.
type retrievalRow struct {
	bun.BaseModel `bun:"table:usage_retrievals,alias:r"`
	LabelKey      string `bun:",pk"`
	Job
}

// LatestJob returns the last retrieval of an agreement, or nil. With done, it returns the last successful one.
func LatestJob(ctx context.Context, db module.Querier, rows module.Rows, relation, agreement string, done bool) (*Job, error) {
	row := new(retrievalRow)
	q := rows.Select(db, row).Where("r.relation_id = ? AND r.agreement = ?", relation, agreement)
	if done {
		q.Where("r.state = ?", Done)
	}
	err := q.OrderExpr("r.number DESC").Limit(1).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &row.Job, err
}

// InsertJob stores a new retrieval; ok is false if a concurrent call has stored one.
func InsertJob(ctx context.Context, tx module.Tx, j Job) (ok bool, err error) {
	rows := module.Label(ctx, "a retrieval is stored by its relation, also from a job")
	res, err := rows.Insert(tx, &retrievalRow{LabelKey: rows.Key(), Job: j}).On("CONFLICT DO NOTHING").Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// UpdateJob stores the progress of a retrieval; ok is false unless the stored job is active and has the given number of completed steps.
func UpdateJob(ctx context.Context, tx module.Tx, j Job, done int) (ok bool, err error) {
	rows := module.Label(ctx, "a job continues the retrieval of any relation")
	res, err := rows.Update(tx, &retrievalRow{LabelKey: rows.Key(), Job: j}).
		Column("state", "done", "tries", "reach_day", "code", "touched_at", "finished_at").WherePK().
		Where("done = ? AND state IN ?", done, bun.Tuple([]State{Queued, Running})).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
