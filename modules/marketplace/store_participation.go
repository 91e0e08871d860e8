package marketplace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

func documentOf(p ledger.Participation) (d participationDocument, err error) {
	if err = json.Unmarshal([]byte(p.Document), &d); err != nil {
		err = fmt.Errorf("marketplace: document of a participation: %w", err)
	}
	return d, err
}

// openParticipation finds the participation of a relation in a project at an address, or makes one without shares.
func openParticipation(ctx context.Context, tx module.Tx, relation, project string, at Address) (string, error) {
	id, err := ledger.At(ctx, tx, relation, project, at.Key())
	if !errors.Is(err, problem.ErrNotFound) {
		return id, err
	}
	document, err := json.Marshal(participationDocument{Address: at})
	if err != nil {
		return "", err
	}
	label := module.ScopeOf(ctx).Label
	p := ledger.Participation{LabelKey: label, ID: value.StableID(label, "participation", relation, project, at.Key()), RelationID: relation,
		ProjectCode: project, AddressKey: at.Key(), Document: string(document)}
	p.ParticipationIdentifier = "D-" + p.ID[:12]
	return p.ID, ledger.Open(ctx, tx, p)
}

// participationFor is where shares of a project that a relation gets are kept: with those that it has of it, else where it lives.
func participationFor(ctx context.Context, tx module.Tx, relation, project string, home Address) (string, error) {
	id, err := ledger.Receiving(ctx, tx, relation, project, home.Key())
	if errors.Is(err, problem.ErrNotFound) {
		return openParticipation(ctx, tx, relation, project, home)
	}
	return id, err
}

// participationNamed is a participation by its identifier. problem.ErrNotFound when rows have none of that name.
func participationNamed(ctx context.Context, db module.DB, rows module.Rows, identifier string) (ledger.Participation, error) {
	if !idPattern.MatchString(identifier) { // not even a text that PostgreSQL takes, perhaps
		return ledger.Participation{}, problem.ErrNotFound
	}
	return ledger.Named(ctx, db, rows, identifier)
}

// participationsBy are participations of the label by their ids.
func participationsBy(ctx context.Context, db module.Querier, ids []string) (map[string]ledger.Participation, error) {
	out := map[string]ledger.Participation{}
	if ids = distinct(ids); len(ids) == 0 {
		return out, nil
	}
	found, err := ledger.ByID(ctx, db, ids)
	for _, p := range found {
		out[p.ID] = p
	}
	return out, err
}

// ownParticipations are those that rows are narrowed to, by their identifier.
func ownParticipations(ctx context.Context, db module.DB, rows module.Rows) (map[string]ledger.Participation, error) {
	found, err := ledger.All(ctx, db, rows)
	own := make(map[string]ledger.Participation, len(found))
	for _, p := range found {
		own[p.ParticipationIdentifier] = p
	}
	return own, err
}

// participationsOf are those of the call's relation that have shares, as the browser gets them.
func participationsOf(ctx context.Context, db module.DB, rows module.Rows) ([]Participation, error) {
	found, err := ledger.WithShares(ctx, db, rows)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(found))
	for i, p := range found {
		ids[i] = p.ID
	}
	changes, err := ledger.Changes(ctx, db, ids)
	if err != nil {
		return nil, err
	}
	out := make([]Participation, len(found))
	for i, p := range found {
		d, err := documentOf(p)
		if err != nil {
			return nil, err
		}
		out[i] = Participation{Identifier: p.ParticipationIdentifier, ProviderIdentifier: p.ProviderIdentifier, ProjectCode: p.ProjectCode, Share: p.Share,
			Offered: p.OfferedShare(), Available: p.Available(), Moving: p.Moving, Supplier: d.Supplier, SupplierFrom: maybe(d.SupplierFrom),
			SupplierTo: maybe(d.SupplierTo), EAN: d.EAN, Address: d.Address, Production: d.Production, Shares: grown(changes[p.ID])}
		if n := len(out[i].Shares); n > 0 {
			out[i].Mutation = &out[i].Shares[n-1].From
		}
	}
	return out, nil
}
