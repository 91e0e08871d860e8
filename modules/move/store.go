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

// listMax bounds how many moves are listed: nobody moves that often.
const listMax = 100

// moveRow is a move as it is stored, whatever became of it.
type moveRow struct {
	bun.BaseModel  `bun:"table:move_moves,alias:m"`
	LabelKey       string `bun:",pk"`
	ID             string `bun:",pk"` // that of its change
	RelationID     string
	IdempotencyKey *string // nil: none was given
	Digest         string  // of the request
	State          string
	FiledAt        time.Time
	DecidedAt      *time.Time
	Reason         string
	reader
	Document string // JSON of the Move
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

// movesOf lists the moves of the call's relation, newest first.
func movesOf(ctx context.Context, db module.DB, rows module.Rows) ([]Filed, error) {
	var found []moveRow
	if err := db.Find(ctx, rows, &found, "ORDER BY filed_at DESC, id DESC LIMIT ?", listMax); err != nil {
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

// moveOf is one of them.
func moveOf(ctx context.Context, db module.DB, rows module.Rows, id string) (Filed, error) {
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

// alreadyFiled reports whether the request with this key has been filed before. A problem 422 when that was another request.
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
		return false, errReused
	}
	return true, nil
}

// insertMove keeps a move that has just been filed. A problem 422 when its key has meanwhile been used for another.
func insertMove(ctx context.Context, tx module.Tx, rows module.Rows, c module.Change, m Move, to reader, key, digest string) error {
	document, err := json.Marshal(m)
	if err != nil {
		return err
	}
	row := &moveRow{LabelKey: rows.Key(), ID: c.ID, RelationID: rows.Relation(), Digest: digest, State: c.State, FiledAt: c.Filed,
		reader: to, Document: string(document)}
	if key != "" {
		row.IdempotencyKey = &key
	}
	done, err := rows.Insert(tx, row).On("CONFLICT DO NOTHING").Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return cmp.Or(err, error(errReused))
	}
	return nil
}

// endMove writes down what became of a move, of a relation that is not the call's own: a decision is taken by staff or by a job. It
// gives whom to tell.
func endMove(ctx context.Context, tx module.Tx, c module.Change) (reader, error) {
	row := moveRow{}
	err := module.Label(ctx, "staff or a job decide the move of another's relation").Update(tx, &row).Where("id = ?", c.ID).
		Set("state = ?", c.State).Set("decided_at = ?", c.Decided).Set("reason = ?", c.Reason).Returning("email, locale").Scan(ctx)
	return row.reader, err
}
