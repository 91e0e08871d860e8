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

// relationRow is a stored relation, always read and written as a whole. Company and addresses are JSON.
type relationRow struct {
	bun.BaseModel `bun:"table:account_relations,alias:r"`
	LabelKey      string `bun:",pk"`
	RelationID    string `bun:",pk"`
	Relation
	SearchName  string
	SearchFirm  string
	SearchPlace string
}

const searchName, searchFirm, searchPlace = "search_name", "search_firm", "search_place"

func newRelationRow(label string, r Relation) relationRow {
	return relationRow{LabelKey: label, RelationID: RelationID(label, r.DebtorNumber), Relation: r, SearchName: r.NameKey(),
		SearchFirm: r.CompanyKey(), SearchPlace: r.PlaceKey()}
}

// contactRow is a stored message to customer service.
type contactRow struct {
	bun.BaseModel `bun:"table:account_contacts,alias:c"`
	LabelKey      string `bun:",pk"`
	Contact
}

// bankAccountRow is the time of the last decision about the bank account of a relation.
type bankAccountRow struct {
	bun.BaseModel `bun:"table:account_bank_accounts,alias:b"`
	LabelKey      string `bun:",pk"`
	RelationID    string `bun:",pk"`
	DecidedAt     time.Time
}

// findRelation returns the relation of the call. It returns ErrNotFound if the back office has not sent the relation yet.
func findRelation(ctx context.Context, db module.DB, rows module.Rows) (*Relation, error) {
	row := new(relationRow)
	err := db.Find(ctx, rows, row, "")
	if errors.Is(err, sql.ErrNoRows) {
		return nil, problem.ErrNotFound
	}
	return &row.Relation, err
}

// insertRelation stores a new relation. An existing one stays unchanged.
func insertRelation(ctx context.Context, tx module.Tx, r Relation) error {
	rows := module.Label(ctx, "the relation of an approved applicant is not the caller's")
	row := newRelationRow(rows.Key(), r)
	_, err := rows.Insert(tx, &row).On("CONFLICT DO NOTHING").Exec(ctx)
	return err
}

// findAddresses returns the addresses of any relation of the label. It is used by siblings. It returns ErrNotFound for an unknown relation.
func findAddresses(ctx context.Context, db module.Querier, relation string) ([]Address, error) {
	rows := module.Label(ctx, "siblings may read the addresses of any relation")
	row := new(relationRow)
	err := rows.Select(db, row).Where("relation_id = ?", relation).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row.Addresses, err
}

// setOnRelation changes one column of any relation of the label, because decisions are made by staff or by a job.
func setOnRelation(ctx context.Context, tx module.Tx, relation, column, value string) error {
	_, err := module.Label(ctx, "staff or a job decide changes of any relation").Update(tx, (*relationRow)(nil)).
		Where("relation_id = ?", relation).Set("? = ?", bun.Ident(column), value).Exec(ctx)
	return err
}

// saveBankAccountDecision stores the time of a decision about the bank account of a relation. It returns false if a later decision is
// already stored.
func saveBankAccountDecision(ctx context.Context, tx module.Tx, relation string, at time.Time) (bool, error) {
	rows := module.Label(ctx, "staff or a job decide changes of any relation")
	row := &bankAccountRow{LabelKey: rows.Key(), RelationID: relation, DecidedAt: at}
	res, err := rows.Insert(tx, row).On("CONFLICT (label_key, relation_id) DO UPDATE").Set("decided_at = EXCLUDED.decided_at").
		Where("b.decided_at <= EXCLUDED.decided_at").Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// upsertRelations prepares the statement that writes a batch, in which each debtor number may occur once. The statement is encoded before
// the transaction begins, so that the write lock of SQLite is held for a shorter time.
func upsertRelations(ctx context.Context, db module.DB, batch []Relation) (module.Insertion, error) {
	all := module.Label(ctx, "an import contains relations of the whole label")
	rows := make([]relationRow, len(batch))
	for i, r := range batch {
		rows[i] = newRelationRow(all.Key(), r)
	}
	return all.PrepareInsert(db, &rows, func(insert *bun.InsertQuery) {
		insert.On("CONFLICT (label_key, relation_id) DO UPDATE")
		for _, column := range []string{"relation_since", "salutation", "initials", "prefix", "last_name", "email", "phone_number",
			"bank_account_number", "bank_account_name", "company", "addresses", searchName, searchFirm, searchPlace} {
			insert.Set("? = EXCLUDED.?", bun.Ident(column), bun.Ident(column))
		}
	})
}

func insertContact(ctx context.Context, tx module.Tx, rows module.Rows, c Contact) error {
	_, err := rows.Insert(tx, &contactRow{LabelKey: rows.Key(), Contact: c}).Exec(ctx)
	return err
}

// findContacts returns the messages to the customer service of the label, newest first, starting after (at, id).
func findContacts(ctx context.Context, db module.Querier, at time.Time, id string, limit int) ([]Contact, error) {
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
