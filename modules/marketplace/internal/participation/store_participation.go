package participation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/fields"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

func DocumentOf(p ledger.Participation) (d Document, err error) {
	if err = json.Unmarshal([]byte(p.Document), &d); err != nil {
		err = fmt.Errorf("marketplace: document of a participation: %w", err)
	}
	return d, err
}

// Open returns the id of the participation of a relation in a project at an address. It creates one without shares when there is none.
func Open(ctx context.Context, tx module.Tx, relation, project string, at Address) (string, error) {
	id, err := ledger.At(ctx, tx, relation, project, at.Key())
	if !errors.Is(err, problem.ErrNotFound) {
		return id, err
	}
	document, err := json.Marshal(Document{Address: at})
	if err != nil {
		return "", err
	}
	label := module.ScopeOf(ctx).Label
	p := ledger.Participation{LabelKey: label, ID: value.StableID(label, "participation", relation, project, at.Key()), RelationID: relation,
		ProjectCode: project, AddressKey: at.Key(), Document: string(document)}
	p.ParticipationIdentifier = "D-" + p.ID[:12]
	return p.ID, ledger.Open(ctx, tx, p)
}

// ReceiverID returns the id of the participation that receives shares of a project for a relation: one that has shares of it, else one at
// the home address of the relation.
func ReceiverID(ctx context.Context, tx module.Tx, relation, project string, home Address) (string, error) {
	id, err := ledger.ReceiverID(ctx, tx, relation, project, home.Key())
	if errors.Is(err, problem.ErrNotFound) {
		return Open(ctx, tx, relation, project, home)
	}
	return id, err
}

// Named reads a participation by its identifier. It returns problem.ErrNotFound when rows do not contain it.
func Named(ctx context.Context, db module.DB, rows module.Rows, identifier string) (ledger.Participation, error) {
	if !fields.Identifier.MatchString(identifier) { // PostgreSQL rejects some strings as text
		return ledger.Participation{}, problem.ErrNotFound
	}
	return ledger.Named(ctx, db, rows, identifier)
}

// ByID reads participations of the label by their ids.
func ByID(ctx context.Context, db module.Querier, ids []string) (map[string]ledger.Participation, error) {
	out := map[string]ledger.Participation{}
	if ids = Distinct(ids); len(ids) == 0 {
		return out, nil
	}
	found, err := ledger.ByID(ctx, db, ids)
	for _, p := range found {
		out[p.ID] = p
	}
	return out, err
}

// Own reads the participations in rows, keyed by identifier.
func Own(ctx context.Context, db module.DB, rows module.Rows) (map[string]ledger.Participation, error) {
	found, err := ledger.All(ctx, db, rows)
	own := make(map[string]ledger.Participation, len(found))
	for _, p := range found {
		own[p.ParticipationIdentifier] = p
	}
	return own, err
}

// List returns the participations in rows that have shares, as the browser gets them.
func List(ctx context.Context, db module.DB, rows module.Rows) ([]Participation, error) {
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
		d, err := DocumentOf(p)
		if err != nil {
			return nil, err
		}
		out[i] = Participation{Identifier: p.ParticipationIdentifier, ProviderIdentifier: p.ProviderIdentifier, ProjectCode: p.ProjectCode,
			Share: p.Share, Offered: p.OfferedShare(), Reserved: p.Reserved, Sold: p.Held, Available: p.Available(), Moving: p.Moving,
			Supplier: d.Supplier, SupplierFrom: Optional(d.SupplierFrom), SupplierTo: Optional(d.SupplierTo), EAN: d.EAN, Address: d.Address,
			Production: d.Production, Shares: shareHistory(changes[p.ID])}
		if n := len(out[i].Shares); n > 0 {
			out[i].Mutation = &out[i].Shares[n-1].From
		}
	}
	return out, nil
}

func Distinct(texts []string) []string {
	texts = slices.Clone(texts)
	slices.Sort(texts)
	return slices.Compact(texts)
}
