package marketplace

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

func (r participationRow) document() (d participationDocument, err error) {
	if err = json.Unmarshal([]byte(r.Document), &d); err != nil {
		err = fmt.Errorf("marketplace: document of a participation: %w", err)
	}
	return d, err
}

// openParticipation finds the participation of a relation in a project at an address, or makes one without shares.
func openParticipation(ctx context.Context, tx module.Tx, relation, project string, at Address) (string, error) {
	rows := module.Label(ctx, "shares go to the participation of the member that receives them")
	id, err := participationAt(ctx, tx, relation, project, at)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	document, err := json.Marshal(participationDocument{Address: at})
	if err != nil {
		return "", err
	}
	row := &participationRow{LabelKey: rows.Key(), ID: value.StableID(rows.Key(), "participation", relation, project, at.Key()), RelationID: relation,
		ProjectCode: project, AddressKey: at.Key(), Document: string(document)}
	row.ParticipationIdentifier = "D-" + row.ID[:12]
	_, err = rows.Insert(tx, row).On("CONFLICT DO NOTHING").Exec(ctx)
	return row.ID, err
}

// participationAt is the participation of a relation in a project at an address, the first of several; sql.ErrNoRows without one.
func participationAt(ctx context.Context, db module.Querier, relation, project string, at Address) (id string, err error) {
	err = module.Label(ctx, "shares go to the participation of the member that receives them").Select(db, (*participationRow)(nil)).Column("id").
		Where("relation_id = ? AND project_code = ? AND address_key = ?", relation, project, at.Key()).OrderExpr("id").Limit(1).Scan(ctx, &id)
	return id, err
}

// participationNamed is a participation by its identifier. problem.ErrNotFound when rows have none of that name.
func participationNamed(ctx context.Context, db module.DB, rows module.Rows, identifier string) (participationRow, error) {
	row := participationRow{}
	if !idPattern.MatchString(identifier) { // not even a text that PostgreSQL takes, perhaps
		return row, problem.ErrNotFound
	}
	err := db.Find(ctx, rows, &row, "AND participation_identifier = ?", identifier)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.ErrNotFound
	}
	return row, err
}

// participationsBy are participations of the label by their ids.
func participationsBy(ctx context.Context, db module.Querier, ids []string) (map[string]participationRow, error) {
	all := module.Label(ctx, "an order names participations of its seller and its buyer")
	out := map[string]participationRow{}
	if ids = distinct(ids); len(ids) == 0 {
		return out, nil
	}
	var rows []participationRow
	err := all.Select(db, &rows).Where("id IN (?)", bun.List(ids)).Scan(ctx)
	for _, r := range rows {
		out[r.ID] = r
	}
	return out, err
}

// participationsOf are those of the call's relation that have shares, as the browser gets them.
func participationsOf(ctx context.Context, db module.DB, rows module.Rows) ([]Participation, error) {
	var found []participationRow
	if err := db.Find(ctx, rows, &found, "AND share > 0 ORDER BY project_code, participation_identifier"); err != nil {
		return nil, err
	}
	ids := make([]string, len(found))
	for i, r := range found {
		ids[i] = r.ID
	}
	changes, err := changesOf(ctx, db, ids)
	if err != nil {
		return nil, err
	}
	out := make([]Participation, len(found))
	for i, r := range found {
		d, err := r.document()
		if err != nil {
			return nil, err
		}
		out[i] = Participation{Identifier: r.ParticipationIdentifier, ProviderIdentifier: r.ProviderIdentifier, ProjectCode: r.ProjectCode, Share: r.Share,
			Offered: r.OfferedShare(), Available: r.available(), Moving: r.Moving, Supplier: d.Supplier, SupplierFrom: maybe(d.SupplierFrom),
			SupplierTo: maybe(d.SupplierTo), EAN: d.EAN, Address: d.Address, Production: d.Production, Shares: grown(changes[r.ID])}
		if n := len(out[i].Shares); n > 0 {
			out[i].Mutation = &out[i].Shares[n-1].From
		}
	}
	return out, nil
}

// changesOf are the changes of share of participations, in the order in which they were written down.
func changesOf(ctx context.Context, db module.Querier, ids []string) (map[string][]change, error) {
	all := module.Label(ctx, "entries have no relation: their participations were found before")
	out := map[string][]change{}
	if len(ids) == 0 {
		return out, nil
	}
	var rows []entryRow
	err := all.Select(db, &rows).Column("participation_id", "share", "effective").
		Where("participation_id IN (?) AND share <> 0", bun.List(ids)).OrderExpr("participation_id, sequence").Scan(ctx)
	for _, r := range rows {
		out[r.ParticipationID] = append(out[r.ParticipationID], change{r.Effective, r.Share})
	}
	return out, err
}
