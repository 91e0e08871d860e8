package account

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// relationRow is a relation as it is stored: read and written whole, with company and addresses as JSON.
type relationRow struct {
	bun.BaseModel `bun:"table:account_relations,alias:r"`
	LabelKey      string `bun:",pk"`
	RelationID    string `bun:",pk"`
	Relation
	SearchName string
	SearchFirm string
}

const searchName, searchFirm = "search_name", "search_firm"

func newRelationRow(label string, r Relation) relationRow {
	return relationRow{LabelKey: label, RelationID: RelationID(label, r.DebtorNumber), Relation: r, SearchName: r.Key(), SearchFirm: r.FirmKey()}
}

// contactRow is a message to customer service as it is stored.
type contactRow struct {
	bun.BaseModel `bun:"table:account_contacts,alias:c"`
	LabelKey      string `bun:",pk"`
	Contact
}

// bankAccountRow says when the bank account of a relation was last decided.
type bankAccountRow struct {
	bun.BaseModel `bun:"table:account_bank_accounts,alias:b"`
	LabelKey      string `bun:",pk"`
	RelationID    string `bun:",pk"`
	DecidedAt     time.Time
}

// relationOf reads the one relation that rows are narrowed to. ErrNotFound when the back office has not sent it yet.
func relationOf(ctx context.Context, db module.DB, rows module.Rows) (*Relation, error) {
	row := new(relationRow)
	err := db.Find(ctx, rows, row, "")
	if errors.Is(err, sql.ErrNoRows) {
		return nil, problem.ErrNotFound
	}
	return &row.Relation, err
}

// insertRelation stores a relation that is not there yet.
func insertRelation(ctx context.Context, tx module.Tx, r Relation) error {
	rows := module.Label(ctx, "a customer that the onboarding of a label makes is not the caller")
	row := newRelationRow(rows.Key(), r)
	_, err := rows.Insert(tx, &row).On("CONFLICT DO NOTHING").Exec(ctx)
	return err
}

// addressesOf are those of a relation that need not be the call's: for siblings.
func addressesOf(ctx context.Context, db module.Querier, relation string) ([]Address, error) {
	rows := module.Label(ctx, "siblings ask for the addresses of a relation that they name")
	row := new(relationRow)
	err := rows.Select(db, row).Where("relation_id = ?", relation).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row.Addresses, err
}

// setOnRelation changes one column of a relation that is not the call's own: a decision is taken by staff or by a job.
func setOnRelation(ctx context.Context, tx module.Tx, relation, column, value string) error {
	_, err := module.Label(ctx, "staff or a job decide a change of another's relation").Update(tx, (*relationRow)(nil)).
		Where("relation_id = ?", relation).Set("? = ?", bun.Ident(column), value).Exec(ctx)
	return err
}

// bankAccountDecided remembers when the bank account of a relation was decided; false when a later decision is known already.
func bankAccountDecided(ctx context.Context, tx module.Tx, relation string, at time.Time) (bool, error) {
	rows := module.Label(ctx, "staff or a job decide a change of another's relation")
	row := &bankAccountRow{LabelKey: rows.Key(), RelationID: relation, DecidedAt: at}
	done, err := rows.Insert(tx, row).On("CONFLICT (label_key, relation_id) DO UPDATE").Set("decided_at = EXCLUDED.decided_at").
		Where("b.decided_at <= EXCLUDED.decided_at").Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// upsertRelations is the statement that writes a batch; no debtor number may occur twice in it. It is written out before the
// transaction begins, so that customers who want to write wait for SQLite only and not for our encoding.
func upsertRelations(ctx context.Context, db module.DB, batch []Relation) (module.Insertion, error) {
	all := module.Label(ctx, "an import holds relations of the whole label")
	rows := make([]relationRow, len(batch))
	for i, r := range batch {
		rows[i] = newRelationRow(all.Key(), r)
	}
	return all.WriteOut(db, &rows, func(insert *bun.InsertQuery) {
		insert.On("CONFLICT (label_key, relation_id) DO UPDATE")
		for _, column := range []string{"relation_since", "salutation", "initials", "prefix", "last_name", "email", "phone_number",
			"bank_account_number", "bank_account_name", "company", "addresses", searchName, searchFirm} {
			insert.Set("? = EXCLUDED.?", bun.Ident(column), bun.Ident(column))
		}
	})
}

func insertContact(ctx context.Context, tx module.Tx, rows module.Rows, c Contact) error {
	_, err := rows.Insert(tx, &contactRow{LabelKey: rows.Key(), Contact: c}).Exec(ctx)
	return err
}

// contactsOf lists the messages to a label's customer service, newest first, from the one after (at, id) on.
func contactsOf(ctx context.Context, db module.Querier, at time.Time, id string, limit int) ([]Contact, error) {
	rows := []contactRow{}
	q := module.Label(ctx, "staff read the messages of all customers").Select(db, &rows).OrderExpr("at DESC, id DESC").Limit(int64(limit))
	if id != "" {
		q.Where("(at, id) < (?, ?)", at, id)
	}
	if err := q.Scan(ctx); err != nil {
		return nil, err
	}
	out := make([]Contact, len(rows))
	for i, r := range rows {
		out[i] = r.Contact
	}
	return out, nil
}
