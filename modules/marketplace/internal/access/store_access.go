package access

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// row is the stored access state of a relation.
type row struct {
	bun.BaseModel `bun:"table:marketplace_access,alias:x"`
	LabelKey      string `bun:",pk"`
	RelationID    string `bun:",pk"`
	State         string
	ChangeID      string
	Email         string
	Locale        string
	At            time.Time
}

// find reads the stored state of a relation; empty when there is none.
func find(ctx context.Context, db module.DB, rows module.Rows) (State, error) {
	row := new(row)
	err := db.Find(ctx, rows, row, "")
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return State(row.State), err
}

// set stores the state of a relation when its change is filed or decided.
func set(ctx context.Context, tx module.Tx, c module.Change, to State, at time.Time) error {
	rows := module.Label(ctx, "staff or an import decide on the access of another's relation")
	row := &row{LabelKey: c.Label, RelationID: c.Relation, State: string(to), ChangeID: c.ID, At: state.StoredTime(at)}
	_, err := rows.Insert(tx, row).On("CONFLICT (label_key, relation_id) DO UPDATE").Set("state = EXCLUDED.state").
		Set("change_id = EXCLUDED.change_id").Set("at = EXCLUDED.at").Exec(ctx)
	return err
}

// decision is the decision of a back office on the access of a relation.
type decision struct {
	Relation string
	State    State
}

// storeDecisions stores the decisions of a back office, at most one for each relation. Requests that wait for staff are not changed.
func storeDecisions(ctx context.Context, tx module.Tx, all []decision, at time.Time) error {
	rows := module.Label(ctx, "an import holds the access of all members")
	batch := make([]row, len(all))
	for i, d := range all {
		batch[i] = row{LabelKey: rows.Key(), RelationID: d.Relation, State: string(d.State), At: state.StoredTime(at)}
	}
	_, err := rows.Insert(tx, &batch).On("CONFLICT (label_key, relation_id) DO UPDATE").Set("state = EXCLUDED.state").Set("at = EXCLUDED.at").
		Where("x.state <> ?", Pending).Exec(ctx)
	return err
}
