package offer

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Import stores offers that were created elsewhere. Later records do not change them.
func (s *Service) Import(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	var bad []record.Refusal
	taken := []importedOffer{}
	for _, row := range rows {
		o, refusals := readOffer(row)
		if refusals != nil {
			bad = append(bad, refusals...)
			continue
		}
		taken = append(taken, o)
	}
	if len(taken) == 0 {
		return bad, nil
	}
	sibling.WarnUnknownCustomers(ctx, s.host.Client, "debtor_number", taken, func(o importedOffer) (string, int) { return o.debtor, o.line })
	sibling.WarnUnknownCustomers(ctx, s.host.Client, "buyer_debtor_number", taken,
		func(o importedOffer) (string, int) { return o.buyer, o.line })
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		refused = append([]record.Refusal(nil), bad...)
		for _, o := range taken {
			field, code, err := s.importOne(ctx, tx, o)
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

// importOne stores an offer that was created elsewhere. An offer that waits for approval is checked immediately (4-rejection-triggers). A
// record does not change an existing offer.
func (s *Service) importOne(ctx context.Context, tx module.Tx, o importedOffer) (field, code string, _ error) {
	rows := module.Label(ctx, "an import holds offers of the whole label")
	id := value.StableID(rows.Key(), "imported offer", o.identifier)
	reference := cmp.Or(o.reference, strings.ToUpper(o.identifier))
	hash, _ := CodeHash(o.code) // no hash without a code
	var existing []Offer
	err := rows.Select(tx, &existing).Column("id", "reference").
		Where("id = ? OR reference = ? OR code_hash = ?", id, reference, hash).Scan(ctx)
	if err != nil {
		return "", "", err
	}
	for _, x := range existing {
		switch {
		case x.ID == id:
			return "", "", nil
		case x.Reference == reference:
			return "reference", problem.CodeInvalid, nil
		default:
			return "direct_offer_code", problem.CodeInvalid, nil
		}
	}
	seller := sibling.RelationID(rows.Key(), o.debtor)
	of, err := ledger.Candidates(ctx, tx, seller, o.participation, o.project)
	if err != nil {
		return "", "", err
	}
	p := ledger.Participation{ProjectCode: o.project}
	if len(of) == 1 {
		p = of[0]
	}
	if o.project != "" && p.ProjectCode != o.project {
		return "project_code", participation.CodeOtherProject, nil
	}
	projects, err := project.ByCode(ctx, tx, []string{p.ProjectCode})
	if err != nil {
		return "", "", err
	}
	d := projects[p.ProjectCode]
	open := o.status == Created || o.status == Approved || o.status == Active
	reason := RejectionReason(len(of), p.Free() >= o.shares, project.Selling(d.Settings, module.Today(ctx, s.host.Now())))
	switch {
	case reason != "" && o.status == Created:
		o.status, o.rejection, open = Rejected, reason, false
	case reason == RejectShares && open:
		return "shares", CodeNotEnough, nil
	case (reason == RejectUnknown || reason == RejectSeveral) && open:
		return "participation_identifier", participation.CodeUnknown, nil
	}
	row := s.Begin(ctx, rows, p, d)
	row.ID, row.RelationID, row.Type, row.Status, row.Date, row.Price, row.Shares = id, seller, o.kind, o.status, o.date, o.price, o.shares
	row.Reference, row.RejectionReason, row.BuyerEmail, row.Code = reference, o.rejection, o.email, o.code
	if !o.created.IsZero() {
		row.CreatedAt = o.created.In(state.Zone(ctx))
	}
	if row.Type == Direct && row.Code == "" && open {
		row.Code = RandomString(CodeLength)
	}
	if hash, ok := CodeHash(row.Code); ok {
		row.CodeHash = &hash
	}
	if o.buyer != "" {
		row.BuyerRelation = sibling.RelationID(rows.Key(), o.buyer)
	}
	if row.Status == Sold {
		row.Transferred = row.Shares
	}
	if open {
		row.Left = row.Shares
	}
	return "", "", s.keepImported(ctx, tx, row, open)
}

func (s *Service) keepImported(ctx context.Context, tx module.Tx, row *Offer, open bool) error {
	if row.Status == Created {
		return s.place(ctx, tx, row)
	}
	if err := insertImported(ctx, tx, row); err != nil {
		return err
	}
	if !open {
		return nil
	}
	if err := ledger.Offer(ctx, tx, s.host.Now(), ledger.Lot{Participation: row.ParticipationID, Shares: row.Left, Ref: row.ID}); err != nil {
		return err
	}
	if row.Status != Approved {
		return nil
	}
	data, err := json.Marshal(marketplaceapi.OfferDue{Offer: row.ID})
	if err != nil {
		return err
	}
	return tx.Publish(ctx, module.Event{Type: marketplaceapi.EventOfferDue, Key: row.ID, Due: row.Date.In(state.Zone(ctx)), Data: data})
}
