package order

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// The functions below change the status of an order in the caller's transaction, together with its shares, and send the emails about it.
// They lock the order, then its offers, then the participations of the sellers.

// Buy makes a paid order BOUGHT: its shares are held until the transfer date. A transfer date that has already been reached is postponed
// (9-transfer-when-paid).
func Buy(ctx context.Context, tx module.Tx, now time.Time, o *Row, lines []Line) error {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return err
	}
	if o.Status == Created { // paid before awaitPayments stored the payment
		if err := move(ctx, tx, o, Awaiting); err != nil {
			return err
		}
	}
	zone := state.Zone(ctx)
	o.PaidAt, o.WithdrawalDays = &now, &set.WithdrawalDays
	o.TransferDate = TransferWhenPaid(o.TransferDate, value.DayOf(now.In(zone)), *set)
	if err := move(ctx, tx, o, Bought); err != nil {
		return err
	}
	sold := make([]ledger.Lot, len(lines))
	for i, l := range lines {
		if err := offer.Sell(ctx, tx, l.OfferID, l.Shares); err != nil {
			return err
		}
		sold[i] = l.lot()
	}
	if err := ledger.Sell(ctx, tx, now, sold...); err != nil {
		return err
	}
	last := LastUndoDay(*o, zone)
	mail := notice.Notice{Kind: notice.OrderPaid, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares, Amount: o.Due(),
		Day: o.TransferDate}
	if !last.Before(value.DayOf(now.In(zone))) {
		mail.Until = last.In(zone)
	}
	if err := notice.Send(ctx, tx, mail); err != nil {
		return err
	}
	for _, l := range lines {
		offer, err := offer.Lock(ctx, tx, l.OfferID)
		if err != nil {
			return err
		}
		if err := notice.Send(ctx, tx, notice.Notice{Kind: notice.OfferSold, Relation: offer.RelationID, Reference: l.OfferReference,
			Project: l.ProjectName,
			Shares:  l.Shares, Amount: value.Cents(l.Shares) * l.Price, Day: o.TransferDate}); err != nil {
			return err
		}
	}
	if err := Publish(ctx, tx, marketplaceapi.EventOrderBought, []string{o.ID}, time.Time{}); err != nil {
		return err
	}
	return Publish(ctx, tx, marketplaceapi.EventOrdersTransfer, []string{o.ID}, o.TransferDate.In(zone))
}

// lot returns the line as a ledger lot.
func (l Line) lot() ledger.Lot {
	return ledger.Lot{Participation: l.SellerParticipation, Shares: l.Shares, Ref: l.OrderID}
}

// release returns the reserved shares of an unpaid order to their offers (4-order-release-shares). It returns the lots that the caller
// records in the ledger.
func release(ctx context.Context, tx module.Tx, lines []Line) ([]ledger.Lot, error) {
	lots := make([]ledger.Lot, len(lines))
	for i, l := range lines {
		if err := offer.Release(ctx, tx, l.OfferID, l.Shares); err != nil {
			return nil, err
		}
		lots[i] = l.lot()
	}
	return lots, nil
}

// Expire ends an order that was not paid in time. It does nothing to an order in another status or whose reservation is not over.
func Expire(ctx context.Context, db module.DB, clock func() time.Time, id string) error {
	return db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		now := state.StoredTime(clock())
		o, lines, err := Lock(ctx, tx, module.Label(ctx, "a job ends the orders of all members"), id)
		if err != nil {
			return err
		}
		if !state.Allows(Transitions, o.Status, Expired) || now.Before(o.ExpiresAt) {
			return nil
		}
		o.EndedAt = &now
		if err := move(ctx, tx, &o, Expired); err != nil {
			return err
		}
		lots, err := release(ctx, tx, lines)
		if err != nil {
			return err
		}
		if err := ledger.Expire(ctx, tx, now, lots...); err != nil {
			return err
		}
		return notice.Send(ctx, tx, notice.Notice{Kind: notice.OrderExpired, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares,
			Amount: o.Due()})
	})
}

// Cancel cancels an unpaid order. Its shares return to their offers.
func Cancel(ctx context.Context, tx module.Tx, now time.Time, o *Row, lines []Line) error {
	o.EndedAt = &now
	if err := move(ctx, tx, o, Cancelled); err != nil {
		return err
	}
	lots, err := release(ctx, tx, lines)
	if err != nil {
		return err
	}
	return ledger.Release(ctx, tx, now, lots...)
}

// Undo cancels a paid order: its held shares return to their sellers, who are notified. why is the reason of the portal or of staff; it is
// empty when the buyer withdrew. The caller starts the refund.
func Undo(ctx context.Context, tx module.Tx, now time.Time, o *Row, lines []Line, why string) error {
	o.EndedAt, o.EndReason = &now, why
	if err := move(ctx, tx, o, Cancelled); err != nil {
		return err
	}
	return returnShares(ctx, tx, now, o, lines, why)
}

// returnShares returns the held shares of a paid order to their sellers, and notifies them. why is empty when the buyer undid the order.
// After a refund outside the portal or a chargeback, the ledger names the portal as the actor.
func returnShares(ctx context.Context, tx module.Tx, now time.Time, o *Row, lines []Line, why string) error {
	undone := make([]ledger.UndoneLot, len(lines))
	ended := map[string]bool{} // offers that no longer sell, so that the shares are only returned to the seller
	for i, l := range lines {
		open, err := offer.Return(ctx, tx, l.OfferID, l.Shares)
		if err != nil {
			return err
		}
		undone[i] = ledger.UndoneLot{Lot: l.lot(), Open: open}
		undone[i].Reason, ended[l.OfferID] = why, !open
		if why != "" && why != payment.NoteStaff {
			undone[i].By = module.Scope{Label: o.LabelKey, Role: module.RoleSystem}
		}
	}
	if err := ledger.Return(ctx, tx, now, undone...); err != nil {
		return err
	}
	for _, l := range lines {
		offer, err := offer.Lock(ctx, tx, l.OfferID)
		if err != nil {
			return err
		}
		if err := notice.Send(ctx, tx, notice.Notice{Kind: notice.SaleUndone, Relation: offer.RelationID, Reference: l.OfferReference,
			Project: l.ProjectName,
			Shares:  l.Shares, Free: ended[l.OfferID], Reason: why}); err != nil {
			return err
		}
	}
	return nil
}

// Complete transfers the shares of a paid order on its transfer date. It does nothing to an order before that date or in another status.
func Complete(ctx context.Context, db module.DB, clock func() time.Time, id string) error {
	rows := module.Label(ctx, "a job completes the orders of all members")
	return db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		now := state.StoredTime(clock())
		o, lines, err := Lock(ctx, tx, rows, id)
		if err != nil {
			return err
		}
		if o.Status != Bought || module.Today(ctx, now).Before(o.TransferDate) {
			return nil
		}
		o.EndedAt = &now
		if err := move(ctx, tx, &o, Completed); err != nil {
			return err
		}
		handovers := make([]ledger.Handover, len(lines))
		for i, l := range lines {
			if err := offer.Transfer(ctx, tx, l.OfferID, l.Shares); err != nil {
				return err
			}
			to, err := participation.Open(ctx, tx, o.RelationID, l.ProjectCode, participation.AddressOf(l.Address))
			if err != nil {
				return err
			}
			handovers[i] = ledger.Handover{From: l.SellerParticipation, To: to, Shares: l.Shares, Ref: o.ID, On: o.TransferDate}
			_, err = rows.Update(tx, (*Line)(nil)).
				Where("order_id = ? AND offer_id = ?", o.ID, l.OfferID).Set("buyer_participation = ?", to).Exec(ctx)
			if err != nil {
				return err
			}
		}
		if err := ledger.TransferHeld(ctx, tx, now, handovers...); err != nil {
			return err
		}
		return notice.Send(ctx, tx, notice.Notice{Kind: notice.OrderCompleted, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares,
			Day: o.TransferDate})
	})
}

// Revive replaces an EXPIRED order that is paid late by a new order, which is BOUGHT immediately: an ended order cannot change any more.
// ok is false when the shares are no longer available.
func Revive(ctx context.Context, tx module.Tx, now time.Time, old Row, lines []Line) (o Row, ok bool, err error) {
	rows := module.Label(ctx, "a payment provider revives the order of any member")
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return o, false, err
	}
	id := value.StableID(old.LabelKey, "honoured", old.ID)
	if exists, err := rows.Select(tx, (*Row)(nil)).Where("id = ?", id).Exists(ctx); err != nil || exists {
		return o, false, err // an order is revived only once
	}
	for _, l := range lines { // nothing is written before all lines are known to be available
		offer, err := offer.Lock(ctx, tx, l.OfferID)
		if errors.Is(err, problem.ErrNotFound) || err == nil && (!offer.Buyable(old.RelationID) || offer.Left < l.Shares ||
			offer.Price != l.Price) {
			return o, false, nil
		}
		if err != nil {
			return o, false, err
		}
	}
	o = Row{LabelKey: old.LabelKey, ID: id, Reference: newReference(), RelationID: old.RelationID,
		Status: Created, Amount: old.Amount, AdministrationCosts: old.AdministrationCosts, Shares: old.Shares, PrivateDeal: old.PrivateDeal,
		TransferDate: old.TransferDate, PlacedAt: now,
		ExpiresAt: state.StoredTime(now.Add(time.Duration(set.Order.ReservationDays) * 24 * time.Hour))}
	if first := FirstTransferDay(value.Day{}, module.Today(ctx, now), set.Transfer); o.TransferDate.Before(first) { // ordered today
		o.TransferDate = first
	}
	fresh := make([]Line, len(lines))
	lots := make([]ledger.Lot, len(lines))
	for i, l := range lines {
		if err := offer.Reserve(ctx, tx, l.OfferID, l.Shares); err != nil {
			return o, false, err
		}
		fresh[i] = l
		fresh[i].OrderID = o.ID
		lots[i] = fresh[i].lot()
		lots[i].Reason = payment.NoteHonoured
	}
	if err := ledger.Reserve(ctx, tx, now, lots...); err != nil {
		return o, false, err
	}
	if _, err := rows.Insert(tx, &o).Exec(ctx); err != nil {
		return o, false, fmt.Errorf("marketplace: honouring order %s: %w", old.ID, err)
	}
	if _, err := rows.Insert(tx, &fresh).Exec(ctx); err != nil {
		return o, false, err
	}
	return o, true, Buy(ctx, tx, now, &o, fresh)
}
