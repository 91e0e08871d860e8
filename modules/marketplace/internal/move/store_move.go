package move

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// States of a move of shares.
const (
	Planned   = "PLANNED"
	done      = "DONE"
	cancelled = "CANCELLED"
)

// Row is a move of shares from one participation to another of the same relation.
type Row struct {
	bun.BaseModel     `bun:"table:marketplace_moves,alias:m"`
	LabelKey          string `bun:",pk"`
	ID                string `bun:",pk"`
	RelationID        string
	State             string // PLANNED, DONE or CANCELLED
	Date              value.Day
	FromParticipation string
	ToParticipation   string
	Shares            int64
	Address           string // JSON of an Address
	OldAddress        string // JSON of an Address
	IdempotencyKey    *string
	Digest            string
	Item              int64
	CreatedAt         time.Time
	EndedAt           *time.Time
}

// sentUnder reads the moves of a request by its idempotency key; nil when there are none.
func sentUnder(ctx context.Context, db module.DB, rows module.Rows, key string) (found []Row, err error) {
	err = db.Find(ctx, rows, &found, "AND idempotency_key = ? ORDER BY item", key)
	return found, err
}

// insert stores a move. It returns operation.ErrSent when a move with the same key and item exists.
func insert(ctx context.Context, tx module.Tx, row *Row) error {
	done, err := module.Label(ctx, "shares move with a relation that another module names, too").Insert(tx, row).On("CONFLICT DO NOTHING").
		Exec(ctx)
	return state.Changed(done, err, operation.ErrSent)
}

// readPlanned reads the moves after a day, earliest first (7.6-get-future-moves).
func readPlanned(ctx context.Context, db module.DB, rows module.Rows, today value.Day) (found []Row, err error) {
	err = db.Find(ctx, rows, &found, "AND state = ? AND date > ? ORDER BY date, id LIMIT 500", Planned, today)
	return found, err
}

// due lists the ids of moves of the label that are due.
func due(ctx context.Context, db module.DB, today value.Day, limit int) (ids []string, err error) {
	err = module.Label(ctx, "a job makes the moves of all members").Select(db, (*Row)(nil)).Column("id").
		Where("state = ? AND date <= ?", Planned, today).OrderExpr("date, id").Limit(int64(limit)).Scan(ctx, &ids)
	return ids, err
}

// lock reads and locks a move that is about to end. It returns problem.ErrNotFound when rows do not contain it.
func lock(ctx context.Context, tx module.Tx, rows module.Rows, id string) (*Row, error) {
	row := new(Row)
	err := rows.SelectForUpdate(tx, row).Where("id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row, err
}

// end stores the final state of a locked move.
func end(ctx context.Context, tx module.Tx, m *Row, to string, at time.Time) error {
	rows := module.Label(ctx, "a job ends the moves of all members")
	at = state.StoredTime(at)
	m.State, m.EndedAt = to, &at
	_, err := rows.Update(tx, m).Column("state", "to_participation", "ended_at").WherePK().Exec(ctx)
	return err
}
