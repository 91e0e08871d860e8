package participation

import (
	"context"
	"encoding/json"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
)

// Service imports participations.
type Service struct {
	host     module.Host
	projects Projects
}

// Projects reports which projects the label has.
type Projects interface {
	KnownCodes(ctx context.Context, db module.Querier, codes []string) (map[string]bool, error)
}

// New returns the service for a host; projects reports the known projects.
func New(h module.Host, projects Projects) *Service { return &Service{h, projects} }

// Import stores participations. A later record of a participation corrects its shares by the difference to the previous record. The first
// record of a participation that was created by trade corrects them by the difference to its current shares.
func (s *Service) Import(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	var bad []record.Refusal
	taken, codes := []importedParticipation{}, []string{}
	for _, row := range rows {
		p, refusals := readParticipation(row)
		if refusals != nil {
			bad = append(bad, refusals...)
			continue
		}
		taken, codes = append(taken, p), append(codes, p.project)
	}
	if len(taken) == 0 {
		return bad, nil
	}
	sibling.WarnUnknownCustomers(ctx, s.host.Client, "debtor_number", taken,
		func(p importedParticipation) (string, int) { return p.debtor, p.line })
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		refused = append([]record.Refusal(nil), bad...)
		projects, err := s.projects.KnownCodes(ctx, tx, codes)
		if err != nil {
			return err
		}
		existing, err := lockNamed(ctx, tx, taken)
		if err != nil {
			return err
		}
		var issued, corrected []ledger.Grant
		for _, p := range taken {
			if !projects[p.project] {
				refused = append(refused, record.Refusal{Line: p.line, Field: "project_code", Code: codeProject})
				continue
			}
			_, known := existing[p.identifier]
			field, code, grants, err := importOne(ctx, tx, p, existing)
			if err != nil {
				return err
			}
			if code != "" {
				refused = append(refused, record.Refusal{Line: p.line, Field: field, Code: code})
			}
			if known {
				corrected = append(corrected, grants...)
			} else {
				issued = append(issued, grants...)
			}
		}
		if err := ledger.Issue(ctx, tx, s.host.Now(), ImportKind, issued...); err != nil {
			return err
		}
		return ledger.Correct(ctx, tx, s.host.Now(), ImportKind, corrected...)
	})
	return refused, err
}

// lockNamed reads and locks the participations of the label whose identifiers are in records.
func lockNamed(ctx context.Context, tx module.Tx, of []importedParticipation) (map[string]ledger.Participation, error) {
	names := make([]string, len(of))
	for i, p := range of {
		names[i] = p.identifier
	}
	found, err := ledger.LockNamed(ctx, tx, Distinct(names))
	out := make(map[string]ledger.Participation, len(found))
	for _, r := range found {
		out[r.ParticipationIdentifier] = r
	}
	return out, err
}

// importOne stores a participation, and returns the grants that make its shares match the record. It adds a new participation to there.
func importOne(ctx context.Context, tx module.Tx, p importedParticipation, existing map[string]ledger.Participation) (field, code string,
	_ []ledger.Grant, _ error) {
	label := module.ScopeOf(ctx).Label
	document, err := json.Marshal(p.Document)
	if err != nil {
		return "", "", nil, err
	}
	row := ledger.Participation{LabelKey: label, ID: value.StableID(label, "imported participation", p.identifier),
		RelationID: sibling.RelationID(label, p.debtor), ParticipationIdentifier: p.identifier, ProviderIdentifier: p.provider,
		ProjectCode: p.project, AddressKey: p.Address.Key(), Document: string(document)}
	old, known := existing[p.identifier]
	if !known {
		if err := ledger.Add(ctx, tx, row); err != nil {
			return "", "", nil, err
		}
		row.Share = p.share
		existing[p.identifier] = row
		return "", "", p.issue(row.ID), nil
	}
	switch { // only the ledger changes the owner of shares
	case old.RelationID != row.RelationID:
		return "debtor_number", codeOwnerDiffers, nil, nil
	case old.ProjectCode != row.ProjectCode:
		return "project_code", CodeOtherProject, nil, nil
	}
	before, err := DocumentOf(old)
	if err != nil {
		return "", "", nil, err
	}
	said := old.Share // created by trade: the first record gives the total number of shares
	switch {
	case before.Imported != nil:
		said = *before.Imported // trade after the previous record is kept
	case old.ID == row.ID:
		said = 0 // imported when zero was not stored
	}
	delta := p.share - said
	if !old.Plus(ledger.Balance{Share: delta}).Possible() {
		return "share", ledger.CodeShares, nil, nil
	}
	row.ID = old.ID
	if err := ledger.Describe(ctx, tx, row); err != nil {
		return "", "", nil, err
	}
	row.Balance = old.Plus(ledger.Balance{Share: delta})
	existing[p.identifier] = row
	if delta == 0 {
		return "", "", nil, nil
	}
	correction := ledger.Grant{Participation: old.ID, Shares: delta}
	if n := len(p.history); n > 0 {
		correction.From = p.history[n-1].From
	}
	return "", "", []ledger.Grant{correction}, nil
}
