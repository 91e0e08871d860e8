package ledger

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// withoutShares is the row of a participation that begins: its shares come through Issue and the like.
func withoutShares(p Participation) *participationRow {
	p.Balance, p.Sequence, p.Hash = Balance{}, 0, ""
	return &participationRow{Participation: p}
}

// Add stores a participation, without shares.
func Add(ctx context.Context, tx module.Tx, p Participation) error {
	_, err := module.Label(ctx, "an import holds participations of the whole label").Insert(tx, withoutShares(p)).Exec(ctx)
	return err
}

// Open is Add for one that may be there already; that one stays as it is.
func Open(ctx context.Context, tx module.Tx, p Participation) error {
	_, err := module.Label(ctx, "shares go to the participation of the member that receives them").Insert(tx, withoutShares(p)).
		On("CONFLICT DO NOTHING").Exec(ctx)
	return err
}

// Describe stores what is known of a participation besides its owner, its project and its shares.
func Describe(ctx context.Context, tx module.Tx, p Participation) error {
	_, err := module.Label(ctx, "an import holds participations of the whole label").Update(tx, &participationRow{Participation: p}).
		Column("provider_identifier", "address_key", "document").WherePK().Exec(ctx)
	return err
}

// found are the participations of rows.
func found(rows []participationRow, err error) ([]Participation, error) {
	out := make([]Participation, len(rows))
	for i, r := range rows {
		out[i] = r.Participation
	}
	return out, err
}

// All are the participations that rows are narrowed to.
func All(ctx context.Context, db module.DB, rows module.Rows) ([]Participation, error) {
	var all []participationRow
	err := db.Find(ctx, rows, &all, "")
	return found(all, err)
}

// WithShares are those of All that have shares, by project.
func WithShares(ctx context.Context, db module.DB, rows module.Rows) ([]Participation, error) {
	var all []participationRow
	err := db.Find(ctx, rows, &all, "AND share > 0 ORDER BY project_code, participation_identifier")
	return found(all, err)
}

// Named is a participation by its identifier. problem.ErrNotFound when rows have none of that name.
func Named(ctx context.Context, db module.DB, rows module.Rows, identifier string) (Participation, error) {
	var row participationRow
	err := db.Find(ctx, rows, &row, "AND participation_identifier = ?", identifier)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row.Participation, err
}

// LockNamed are the participations of the label with any of the identifiers, under lock.
func LockNamed(ctx context.Context, tx module.Tx, identifiers []string) ([]Participation, error) {
	var all []participationRow
	err := module.Label(ctx, "an import holds participations of the whole label").SelectForUpdate(tx, &all).
		Where("participation_identifier IN (?)", bun.List(identifiers)).OrderExpr("id").Scan(ctx)
	return found(all, err)
}

// ByID are the participations of the label with any of the ids.
func ByID(ctx context.Context, db module.Querier, ids []string) ([]Participation, error) {
	var all []participationRow
	err := module.Label(ctx, "an order names participations of its seller and its buyer").Select(db, &all).Where("id IN (?)", bun.List(ids)).Scan(ctx)
	return found(all, err)
}

// Candidates are the participations of a relation that an offer without a choice may be of: the one of an identifier or, when that
// is empty, those of a project that have shares.
func Candidates(ctx context.Context, db module.Querier, relation, identifier, project string) ([]Participation, error) {
	var all []participationRow
	q := module.Label(ctx, "an import holds offers of the whole label").Select(db, &all).Where("relation_id = ?", relation)
	if identifier != "" {
		q = q.Where("participation_identifier = ?", identifier)
	} else {
		q = q.Where("project_code = ? AND share > 0", project)
	}
	err := q.OrderExpr("id").Scan(ctx)
	return found(all, err)
}

// At is the id of the participation of a relation in a project at an address, the first of several. problem.ErrNotFound without one.
func At(ctx context.Context, db module.Querier, relation, project, addressKey string) (string, error) {
	return first(ctx, module.Label(ctx, "shares go to the participation of the member that receives them").Select(db, (*participationRow)(nil)).
		Where("relation_id = ? AND project_code = ? AND address_key = ?", relation, project, addressKey).OrderExpr("id"))
}

// Receiving is the id of the participation with shares to which a relation's further shares of a project go: the one at its address
// or else the first. problem.ErrNotFound without one.
func Receiving(ctx context.Context, db module.Querier, relation, project, addressKey string) (string, error) {
	return first(ctx, module.Label(ctx, "shares go to the participation of the member that receives them").Select(db, (*participationRow)(nil)).
		Where("relation_id = ? AND project_code = ? AND share > 0", relation, project).
		OrderExpr("CASE WHEN address_key = ? THEN 0 ELSE 1 END, id", addressKey))
}

func first(ctx context.Context, q *bun.SelectQuery) (id string, err error) {
	err = q.Column("id").Limit(1).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return id, err
}
