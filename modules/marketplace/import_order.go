package marketplace

import (
	"context"
	"encoding/json"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// importOrder is the kind of a record of an order that ended before its label came here. Buyer and staff see it; its shares are in the
// imported participations already, and its money is not here.
const importOrder = "market_order"

// digestImported marks an imported order: the audit does not look for its payment.
const digestImported = "imported"

func (s *service) importOrders(ctx context.Context, rows []record.Row) (refused []record.Refusal, err error) {
	var bad []record.Refusal
	taken := []importedOrder{}
	for _, row := range rows {
		o, wrong := readOrder(row)
		if wrong != nil {
			bad = append(bad, wrong...)
			continue
		}
		taken = append(taken, o)
	}
	if len(taken) == 0 {
		return bad, nil
	}
	warnOfStrangers(ctx, s, "debtor_number", taken, func(o importedOrder) (string, int) { return o.debtor, o.line })
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		refused = append([]record.Refusal(nil), bad...)
		for _, o := range taken {
			field, code, err := importPastOrder(ctx, tx, o, set.Order.ReservationDays)
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

// importPastOrder stores an imported order. An order that is here already stays as it is.
func importPastOrder(ctx context.Context, tx module.Tx, o importedOrder, reservation int) (field, code string, _ error) {
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
	if o.shares > imported.Shares || o.status == order.Completed && o.shares > imported.Transferred {
		return "shares", offer.CodeNotEnough, nil
	}
	placed, ended := o.placed.in(zone), o.ended.in(zone)
	row := order.Row{LabelKey: label, ID: value.StableID(label, "imported order", o.identifier), Reference: o.reference, RelationID: relationID(label, o.debtor),
		Status: o.status, Shares: o.shares, Amount: value.Cents(o.shares) * imported.Price, PrivateDeal: imported.Type == offer.Direct, TransferDate: o.transfer,
		PlacedAt: placed, ExpiresAt: placed.AddDate(0, 0, reservation), EndedAt: &ended, Digest: digestImported, Locale: module.ScopeOf(ctx).Locale}
	if !o.paid.isZero() {
		paid := o.paid.in(zone)
		row.PaidAt = &paid
	}
	address, err := json.Marshal(o.address)
	if err != nil {
		return "", "", err
	}
	line := order.Line{LabelKey: label, OrderID: row.ID, OfferID: imported.ID, OfferReference: imported.Reference, ProjectCode: imported.ProjectCode,
		ProjectName: imported.ProjectName, Shares: o.shares, Price: imported.Price, SellerParticipation: imported.ParticipationID, Address: string(address)}
	taken, err := order.Import(ctx, tx, row, line)
	if taken {
		return "reference", problem.CodeInvalid, nil
	}
	return "", "", err
}
