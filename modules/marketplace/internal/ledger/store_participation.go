package ledger

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// withoutShares returns the row of a new participation. Its shares are added by Issue and the other movements.
func withoutShares(p Participation) *participationRow {
	p.Balance, p.Sequence, p.Hash = Balance{}, 0, ""
	return &participationRow{Participation: p, Seal: p.sealed()}
}

// Add stores a participation without shares.
func Add(ctx context.Context, tx module.Tx, p Participation) error {
	_, err := module.Label(ctx, "an import holds participations of the whole label").Insert(tx, withoutShares(p)).Exec(ctx)
	return err
}

// Open stores a participation, without shares. An existing one is not changed.
func Open(ctx context.Context, tx module.Tx, p Participation) error {
	_, err := module.Label(ctx, "shares go to the participation of the member that receives them").Insert(tx, withoutShares(p)).
		On("CONFLICT DO NOTHING").Exec(ctx)
	return err
}

// Describe stores the identifier at the provider, the address key and the document of a participation.
func Describe(ctx context.Context, tx module.Tx, p Participation) error {
	_, err := module.Label(ctx, "an import holds participations of the whole label").Update(tx, &participationRow{Participation: p}).
		Column("provider_identifier", "address_key", "document").WherePK().Exec(ctx)
	return err
}

// found converts rows to participations.
func found(rows []participationRow, err error) ([]Participation, error) {
	out := make([]Participation, len(rows))
	for i, r := range rows {
		out[i] = r.Participation
	}
	return out, err
}

// All reads the participations in rows.
func All(ctx context.Context, db module.DB, rows module.Rows) ([]Participation, error) {
	var all []participationRow
	err := db.Find(ctx, rows, &all, "")
	return found(all, err)
}

// WithShares reads the participations in rows that have shares, sorted by project.
func WithShares(ctx context.Context, db module.DB, rows module.Rows) ([]Participation, error) {
	var all []participationRow
	err := db.Find(ctx, rows, &all, "AND share > 0 ORDER BY project_code, participation_identifier")
	return found(all, err)
}

// Named reads a participation by its identifier. It returns problem.ErrNotFound when rows do not contain it.
func Named(ctx context.Context, db module.DB, rows module.Rows, identifier string) (Participation, error) {
	var row participationRow
	err := db.Find(ctx, rows, &row, "AND participation_identifier = ?", identifier)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row.Participation, err
}

// LockNamed reads and locks the participations of the label with any of the identifiers.
func LockNamed(ctx context.Context, tx module.Tx, identifiers []string) ([]Participation, error) {
	var all []participationRow
	err := module.Label(ctx, "an import holds participations of the whole label").SelectForUpdate(tx, &all).
		Where("participation_identifier IN (?)", bun.List(identifiers)).OrderExpr("id").Scan(ctx)
	return found(all, err)
}

// ByID reads the participations of the label with any of the ids.
func ByID(ctx context.Context, db module.Querier, ids []string) ([]Participation, error) {
	var all []participationRow
	err := module.Label(ctx, "an order names participations of its seller and its buyer").Select(db, &all).Where("id IN (?)",
		bun.List(ids)).Scan(ctx)
	return found(all, err)
}

// Candidates reads the participations of a relation that an imported offer may refer to: the one with an identifier or, when that is
// empty, those of a project that have shares.
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

// At returns the id of the first participation of a relation in a project at an address. It returns problem.ErrNotFound when there is
// none.
func At(ctx context.Context, db module.Querier, relation, project, addressKey string) (string, error) {
	return first(ctx, module.Label(ctx, "shares go to the participation of the member that receives them").Select(db,
		(*participationRow)(nil)).
		Where("relation_id = ? AND project_code = ? AND address_key = ?", relation, project, addressKey).OrderExpr("id"))
}

// ReceiverID returns the id of the participation that receives further shares of a project for a relation: of those with shares, the one at
// its address, else the first. It returns problem.ErrNotFound when there is none.
func ReceiverID(ctx context.Context, db module.Querier, relation, project, addressKey string) (string, error) {
	return first(ctx, module.Label(ctx, "shares go to the participation of the member that receives them").Select(db,
		(*participationRow)(nil)).
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
