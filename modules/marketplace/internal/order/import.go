package order

import (
	"context"
	"encoding/json"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// DigestImported marks an imported order, for which the audit expects no payment.
const DigestImported = "imported"

// Import stores orders that ended elsewhere. Later records do not change them.
func (s *Service) Import(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	var bad []record.Refusal
	taken := []importedOrder{}
	for _, row := range rows {
		o, refusals := readOrder(row)
		if refusals != nil {
			bad = append(bad, refusals...)
			continue
		}
		taken = append(taken, o)
	}
	if len(taken) == 0 {
		return bad, nil
	}
	sibling.WarnUnknownCustomers(ctx, s.host.Client, "debtor_number", taken, func(o importedOrder) (string, int) { return o.debtor, o.line })
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		refused = append([]record.Refusal(nil), bad...)
		for _, o := range taken {
			field, code, err := importOne(ctx, tx, o, set.Order.ReservationDays)
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

// importOne stores an imported order. It does not change an existing order.
func importOne(ctx context.Context, tx module.Tx, o importedOrder, reservation int) (field, code string, _ error) {
	rows := module.Label(ctx, "an import holds orders of the whole label")
	label, zone := rows.Key(), state.Zone(ctx)
	var offers []offer.Offer
	err := rows.Select(tx, &offers).Where("id = ?", value.StableID(label, "imported offer", o.offer)).Scan(ctx)
	if err != nil {
		return "", "", err
	}
	if len(offers) == 0 {
		return "offer", problem.CodeNotFound, nil
	}
	imported := offers[0]
	if o.shares > imported.Shares || o.status == Completed && o.shares > imported.Transferred {
		return "shares", offer.CodeNotEnough, nil
	}
	placed, ended := o.placed.In(zone), o.ended.In(zone)
	row := Row{LabelKey: label, ID: value.StableID(label, "imported order", o.identifier), Reference: o.reference,
		RelationID: sibling.RelationID(label, o.debtor), Status: o.status, Shares: o.shares, Amount: value.Cents(o.shares) * imported.Price,
		PrivateDeal: imported.Type == offer.Direct, TransferDate: o.transfer, PlacedAt: placed, ExpiresAt: placed.AddDate(0, 0, reservation),
		EndedAt: &ended, Digest: DigestImported, Locale: module.ScopeOf(ctx).Locale}
	if !o.paid.IsZero() {
		paid := o.paid.In(zone)
		row.PaidAt = &paid
	}
	address, err := json.Marshal(o.address)
	if err != nil {
		return "", "", err
	}
	line := Line{LabelKey: label, OrderID: row.ID, OfferID: imported.ID, OfferReference: imported.Reference, ProjectCode: imported.ProjectCode,
		ProjectName: imported.ProjectName, Shares: o.shares, Price: imported.Price, SellerParticipation: imported.ParticipationID,
		Address: string(address)}
	taken, err := storeImported(ctx, tx, row, line)
	if taken {
		return "reference", problem.CodeInvalid, nil
	}
	return "", "", err
}
