package marketplace

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Kinds of record, in the order in which they are imported.
const (
	importProject       = "project"
	importParticipation = "participation"
	importOffer         = "market_offer"
)

// Import stores projects, participations, offers, orders and access. Of two records with the same natural key the later one holds; trade since
// the first import stays as it is.
func (s *service) Import(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error) {
	switch kind {
	case importProject:
		return s.importProjects(ctx, rows)
	case importParticipation:
		return s.importParticipations(ctx, rows)
	case importOffer:
		return s.importOffers(ctx, rows)
	case importOrder:
		return s.importOrders(ctx, rows)
	case importAccess:
		return s.importAccesses(ctx, rows)
	}
	return nil, fmt.Errorf("marketplace: does not import %q", kind)
}

func (s *service) importProjects(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	wide := module.Label(ctx, "projects belong to the label; an import holds all of them")
	batch, place := []projectRow{}, map[string]int{}
	for _, row := range rows {
		d, wrong := readProject(row)
		if wrong != nil {
			refused = append(refused, wrong...)
			continue
		}
		document, err := json.Marshal(d)
		if err != nil {
			return nil, fmt.Errorf("marketplace: %w", err)
		}
		stored := projectRow{LabelKey: wide.Key(), ProjectCode: d.Code, ProjectName: d.Name, Document: string(document)}
		if at, twice := place[d.Code]; twice {
			batch[at] = stored
			continue
		}
		place[d.Code] = len(batch)
		batch = append(batch, stored)
	}
	if len(batch) == 0 {
		return refused, nil
	}
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		_, err := wide.Insert(tx, &batch).On("CONFLICT (label_key, project_code) DO UPDATE").
			Set("project_name = EXCLUDED.project_name").Set("document = EXCLUDED.document").Exec(ctx)
		return err
	})
}

// relationID returns the id that module account gives to the relation with a debtor number.
func relationID(label, debtor string) string { return value.StableID(label, "relation", debtor) }

// warnOfStrangers warns of records whose customer is not known. of returns the number of a record's customer, which may be empty, and its
// line.
func warnOfStrangers[T any](ctx context.Context, s *service, field string, records []T, of func(T) (debtor string, line int)) {
	lines := make(map[string][]int, len(records)) // by relation
	for _, r := range records {
		if debtor, line := of(r); debtor != "" {
			relation := relationID(module.ScopeOf(ctx).Label, debtor)
			lines[relation] = append(lines[relation], line)
		}
	}
	accountapi.New(s.host.Client).WarnOfStrangers(ctx, field, lines)
}

func (s *service) importParticipations(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	var bad []record.Refusal
	taken, codes := []importedParticipation{}, []string{}
	for _, row := range rows {
		p, wrong := readParticipation(row)
		if wrong != nil {
			bad = append(bad, wrong...)
			continue
		}
		taken, codes = append(taken, p), append(codes, p.project)
	}
	if len(taken) == 0 {
		return bad, nil
	}
	warnOfStrangers(ctx, s, "debtor_number", taken, func(p importedParticipation) (string, int) { return p.debtor, p.line })
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		refused = append([]record.Refusal(nil), bad...)
		projects, err := projectsBy(ctx, tx, codes)
		if err != nil {
			return err
		}
		there, err := participationsNamed(ctx, tx, taken)
		if err != nil {
			return err
		}
		var issued, corrected []ledger.Grant
		for _, p := range taken {
			if _, ok := projects[p.project]; !ok {
				refused = append(refused, record.Refusal{Line: p.line, Field: "project_code", Code: codeProject})
				continue
			}
			_, known := there[p.identifier]
			field, code, grants, err := s.importParticipation(ctx, tx, p, there)
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
		if err := ledger.Issue(ctx, tx, s.host.Now(), importParticipation, issued...); err != nil {
			return err
		}
		return ledger.Correct(ctx, tx, s.host.Now(), importParticipation, corrected...)
	})
	return refused, err
}

// participationsNamed reads and locks the participations of the label with the identifiers of records.
func participationsNamed(ctx context.Context, tx module.Tx, of []importedParticipation) (map[string]ledger.Participation, error) {
	names := make([]string, len(of))
	for i, p := range of {
		names[i] = p.identifier
	}
	found, err := ledger.LockNamed(ctx, tx, participation.Distinct(names))
	out := make(map[string]ledger.Participation, len(found))
	for _, r := range found {
		out[r.ParticipationIdentifier] = r
	}
	return out, err
}

// importParticipation stores a participation, and returns the grants that bring its shares to what the back office says. It stores the new
// participation in there.
func (s *service) importParticipation(ctx context.Context, tx module.Tx, p importedParticipation, there map[string]ledger.Participation) (field, code string, _ []ledger.Grant, _ error) {
	label := module.ScopeOf(ctx).Label
	document, err := json.Marshal(p.Document)
	if err != nil {
		return "", "", nil, err
	}
	row := ledger.Participation{LabelKey: label, ID: value.StableID(label, "imported participation", p.identifier), RelationID: relationID(label, p.debtor),
		ParticipationIdentifier: p.identifier, ProviderIdentifier: p.provider, ProjectCode: p.project, AddressKey: p.Address.Key(), Document: string(document)}
	old, known := there[p.identifier]
	if !known {
		if err := ledger.Add(ctx, tx, row); err != nil {
			return "", "", nil, err
		}
		row.Share = p.share
		there[p.identifier] = row
		return "", "", p.issue(row.ID), nil
	}
	switch { // shares change owner in the ledger only
	case old.RelationID != row.RelationID:
		return "debtor_number", codeOwnerDiffers, nil, nil
	case old.ProjectCode != row.ProjectCode:
		return "project_code", codeOtherProject, nil, nil
	}
	before, err := participation.DocumentOf(old)
	if err != nil {
		return "", "", nil, err
	}
	delta := p.share - before.Imported // trade since then is not corrected away
	if !old.Plus(ledger.Balance{Share: delta}).Possible() {
		return "share", codeSharesGone, nil, nil
	}
	row.ID = old.ID
	if err := ledger.Describe(ctx, tx, row); err != nil {
		return "", "", nil, err
	}
	row.Balance = old.Plus(ledger.Balance{Share: delta})
	there[p.identifier] = row
	if delta == 0 {
		return "", "", nil, nil
	}
	correction := ledger.Grant{Participation: old.ID, Shares: delta}
	if n := len(p.history); n > 0 {
		correction.From = p.history[n-1].From
	}
	return "", "", []ledger.Grant{correction}, nil
}

func (s *service) importOffers(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	var bad []record.Refusal
	taken := []importedOffer{}
	for _, row := range rows {
		o, wrong := readOffer(row)
		if wrong != nil {
			bad = append(bad, wrong...)
			continue
		}
		taken = append(taken, o)
	}
	if len(taken) == 0 {
		return bad, nil
	}
	warnOfStrangers(ctx, s, "debtor_number", taken, func(o importedOffer) (string, int) { return o.debtor, o.line })
	warnOfStrangers(ctx, s, "buyer_debtor_number", taken, func(o importedOffer) (string, int) { return o.buyer, o.line })
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		refused = append([]record.Refusal(nil), bad...)
		for _, o := range taken {
			field, code, err := s.importOffer(ctx, tx, o)
			if err != nil {
				return err
			}
			if code != "" {
				refused = append(refused, record.Refusal{Line: o.line, Field: field, Code: code})
			}
		}
		return nil
	})
	return refused, err
}

// importOffer stores an offer that was made elsewhere. An offer that waits for approval is judged at once (4-rejection-triggers). A record
// does not change an offer that is here already.
func (s *service) importOffer(ctx context.Context, tx module.Tx, o importedOffer) (field, code string, _ error) {
	rows := module.Label(ctx, "an import holds offers of the whole label")
	id := value.StableID(rows.Key(), "imported offer", o.identifier)
	reference := cmp.Or(o.reference, strings.ToUpper(o.identifier))
	hash, _ := offer.CodeHash(o.code) // no code
	var there []offer.Offer
	err := rows.Select(tx, &there).Column("id", "reference").
		Where("id = ? OR reference = ? OR code_hash = ?", id, reference, hash).Scan(ctx)
	if err != nil {
		return "", "", err
	}
	for _, x := range there {
		switch {
		case x.ID == id:
			return "", "", nil
		case x.Reference == reference:
			return "reference", problem.CodeInvalid, nil
		default:
			return "direct_offer_code", problem.CodeInvalid, nil
		}
	}
	seller := relationID(rows.Key(), o.debtor)
	of, err := ledger.Candidates(ctx, tx, seller, o.participation, o.project)
	if err != nil {
		return "", "", err
	}
	p := ledger.Participation{ProjectCode: o.project}
	if len(of) == 1 {
		p = of[0]
	}
	if o.project != "" && p.ProjectCode != o.project {
		return "project_code", codeOtherProject, nil
	}
	projects, err := projectsBy(ctx, tx, []string{p.ProjectCode})
	if err != nil {
		return "", "", err
	}
	project := projects[p.ProjectCode]
	open := o.status == offer.Created || o.status == offer.Approved || o.status == offer.Active
	reason := offer.Judge(len(of), p.Free() >= o.shares, offer.Selling(project.Settings, s.today(ctx)))
	switch {
	case reason != "" && o.status == offer.Created:
		o.status, o.rejection, open = offer.Rejected, reason, false
	case reason == offer.RejectShares && open:
		return "shares", offer.CodeNotEnough, nil
	case (reason == offer.RejectUnknown || reason == offer.RejectSeveral) && open:
		return "participation_identifier", codeParticipation, nil
	}
	row := s.offer(ctx, rows, p, project)
	row.ID, row.RelationID, row.Type, row.Status, row.Date, row.Price, row.Shares = id, seller, o.kind, o.status, o.date, o.price, o.shares
	row.Reference, row.RejectionReason, row.BuyerEmail, row.Code = reference, o.rejection, o.email, o.code
	if !o.created.isZero() {
		row.CreatedAt = o.created.in(state.Zone(ctx))
	}
	if row.Type == offer.Direct && row.Code == "" && open {
		row.Code = offer.RandomString(offer.CodeLength)
	}
	if hash, ok := offer.CodeHash(row.Code); ok {
		row.CodeHash = &hash
	}
	if o.buyer != "" {
		row.BuyerRelation = relationID(rows.Key(), o.buyer)
	}
	if row.Status == offer.Sold {
		row.Transferred = row.Shares
	}
	if open {
		row.Left = row.Shares
	}
	return "", "", s.keepImported(ctx, tx, row, open)
}

func (s *service) keepImported(ctx context.Context, tx module.Tx, row *offer.Offer, open bool) error {
	if row.Status == offer.Created {
		return s.placeOffer(ctx, tx, row)
	}
	if err := offer.Import(ctx, tx, row); err != nil {
		return err
	}
	if !open {
		return nil
	}
	if err := ledger.Offer(ctx, tx, s.host.Now(), ledger.Lot{Participation: row.ParticipationID, Shares: row.Left, Ref: row.ID}); err != nil {
		return err
	}
	if row.Status != offer.Approved {
		return nil
	}
	data, err := json.Marshal(marketplaceapi.OfferDue{Offer: row.ID})
	if err != nil {
		return err
	}
	return tx.Publish(ctx, module.Event{Type: marketplaceapi.EventOfferDue, Key: row.ID, Due: row.Date.In(state.Zone(ctx)), Data: data})
}
