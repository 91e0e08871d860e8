package move

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// maxMoves is the maximum number of moves in a list.
const maxMoves = 100

// moveRow is a stored move, in any state.
type moveRow struct {
	bun.BaseModel  `bun:"table:move_moves,alias:m"`
	LabelKey       string `bun:",pk"`
	ID             string `bun:",pk"` // id of the change
	RelationID     string
	IdempotencyKey *string // nil if none was sent
	Digest         string  // of the request
	State          string
	FiledAt        time.Time
	DecidedAt      *time.Time
	Reason         string
	Locale         string // of the request
	Document       string // the Move as JSON
}

func (r moveRow) filed() (Filed, error) {
	f := Filed{ID: r.ID, State: r.State, Filed: r.FiledAt.UTC(), Reason: r.Reason}
	if r.DecidedAt != nil {
		f.Decided = new(r.DecidedAt.UTC())
	}
	if err := json.Unmarshal([]byte(r.Document), &f.Move); err != nil {
		return f, fmt.Errorf("move: document of %s: %w", r.ID, err)
	}
	return f, nil
}

// findMoves returns the moves of the caller's relation, newest first.
func findMoves(ctx context.Context, db module.DB, rows module.Rows) ([]Filed, error) {
	var found []moveRow
	if err := db.Find(ctx, rows, &found, "ORDER BY filed_at DESC, id DESC LIMIT ?", maxMoves); err != nil {
		return nil, err
	}
	out := make([]Filed, len(found))
	for i, row := range found {
		f, err := row.filed()
		if err != nil {
			return nil, err
		}
		out[i] = f
	}
	return out, nil
}

// findMove returns a move of the caller's relation. It returns ErrNotFound for an unknown one.
func findMove(ctx context.Context, db module.DB, rows module.Rows, id string) (Filed, error) {
	row := moveRow{}
	err := db.Find(ctx, rows, &row, "AND m.id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		return Filed{}, problem.ErrNotFound
	}
	if err != nil {
		return Filed{}, err
	}
	return row.filed()
}

// alreadyFiled reports whether a request with this key and digest has been filed. It returns 422 move.key_reused if the digest differs.
func alreadyFiled(ctx context.Context, db module.Querier, rows module.Rows, key, digest string) (bool, error) {
	if key == "" {
		return false, nil
	}
	row := moveRow{}
	err := rows.Select(db, &row).Column("digest").Where("idempotency_key = ?", key).Scan(ctx)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err != nil:
		return false, err
	case row.Digest != digest:
		return false, errKeyReused
	}
	return true, nil
}

// insertMove stores a new move. It returns 422 move.key_reused if a concurrent call has used the key.
func insertMove(ctx context.Context, tx module.Tx, rows module.Rows, c module.Change, m Move, locale, key, digest string) error {
	document, err := json.Marshal(m)
	if err != nil {
		return err
	}
	row := &moveRow{LabelKey: rows.Key(), ID: c.ID, RelationID: rows.Relation(), Digest: digest, State: c.State, FiledAt: c.Filed,
		Locale: locale, Document: string(document)}
	if key != "" {
		row.IdempotencyKey = &key
	}
	res, err := rows.Insert(tx, row).On("CONFLICT DO NOTHING").Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return cmp.Or(err, error(errKeyReused))
	}
	return nil
}

// saveDecision stores the decision about a move of any relation, because decisions are made by staff or by a job.
func saveDecision(ctx context.Context, tx module.Tx, c module.Change) error {
	_, err := module.Label(ctx, "staff or a job decide moves of any relation").Update(tx, (*moveRow)(nil)).Where("id = ?", c.ID).
		Set("state = ?", c.State).Set("decided_at = ?", c.Decided).Set("reason = ?", c.Reason).Exec(ctx)
	return err
}

// moveOf returns a move of any relation, because decisions are made by staff or by a job. It returns ErrNotFound for an unknown one.
func moveOf(ctx context.Context, db module.DB, id string) (row moveRow, err error) {
	err = db.Find(ctx, module.Label(ctx, "staff or a job decide moves of any relation"), &row, "AND m.id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row, err
}
