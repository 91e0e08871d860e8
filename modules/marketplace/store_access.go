package marketplace

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/wattle-portal/wattle/core/module"
)

// accessState is what is stored of a relation's access; empty when nothing is.
func accessState(ctx context.Context, db module.DB, rows module.Rows) (AccessState, error) {
	row := new(accessRow)
	err := db.Find(ctx, rows, row, "")
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return AccessState(row.State), err
}

// setAccess stores how a relation stands after a change: filed, or decided. A change that was decided already stays so.
func setAccess(ctx context.Context, tx module.Tx, c module.Change, state AccessState, at time.Time) error {
	rows := module.Label(ctx, "staff or an import decide on the access of another's relation")
	row := &accessRow{LabelKey: c.Label, RelationID: c.Relation, State: string(state), ChangeID: c.ID, At: cut(at)}
	_, err := rows.Insert(tx, row).On("CONFLICT (label_key, relation_id) DO UPDATE").Set("state = EXCLUDED.state").
		Set("change_id = EXCLUDED.change_id").Set("at = EXCLUDED.at").Exec(ctx)
	return err
}
