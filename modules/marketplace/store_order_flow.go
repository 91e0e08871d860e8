package marketplace

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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

var (
	errNoPayments     = problem.Fail(http.StatusConflict, codeNoPayments)
	errNotPayable     = problem.Fail(http.StatusConflict, codeNotPayable)
	errWithdrawalOver = problem.Fail(http.StatusConflict, codeWithdrawalOver)
)

// The functions below move an order from one status to another, in the caller's transaction, with the shares and with the mails that
// tell of it. They lock the order, then its offers, then the participations of the sellers.

// buyOrder makes an order whose money has come BOUGHT: its shares are held for it until the transfer date.
func (s *service) buyOrder(ctx context.Context, tx module.Tx, now time.Time, o *orderRow, lines []orderLineRow) error {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return err
	}
	if o.Status == orderCreated { // paid before we heard that it can be
		if err := moveOrder(ctx, tx, o, orderAwaiting); err != nil {
			return err
		}
	}
	o.PaidAt = &now
	if err := moveOrder(ctx, tx, o, orderBought); err != nil {
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
	zone := zoneOf(ctx)
	last := undoable(*o, zone, set.WithdrawalDays)
	told := notice.Notice{Kind: notice.OrderPaid, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares, Amount: o.Amount, Day: o.TransferDate}
	if !last.Before(value.DayOf(now.In(zone))) {
		told.Until = last.In(zone)
	}
	if err := notice.Send(ctx, tx, told); err != nil {
		return err
	}
	for _, l := range lines {
		offer, err := offer.Lock(ctx, tx, l.OfferID)
		if err != nil {
			return err
		}
		if err := notice.Send(ctx, tx, notice.Notice{Kind: notice.OfferSold, Relation: offer.RelationID, Reference: l.OfferReference, Project: l.ProjectName,
			Shares: l.Shares, Amount: value.Cents(l.Shares) * l.Price, Day: o.TransferDate}); err != nil {
			return err
		}
	}
	if err := publishOrders(ctx, tx, marketplaceapi.EventOrderBought, []string{o.ID}, time.Time{}); err != nil {
		return err
	}
	return publishOrders(ctx, tx, marketplaceapi.EventOrdersTransfer, []string{o.ID}, o.TransferDate.In(zone))
}

// lot is the line as the ledger takes it.
func (l orderLineRow) lot() ledger.Lot {
	return ledger.Lot{Participation: l.SellerParticipation, Shares: l.Shares, Ref: l.OrderID}
}

// release gives the reserved shares of an unpaid order back to their offers (4-order-release-shares) and returns what the caller
// enters in the ledger.
func release(ctx context.Context, tx module.Tx, lines []orderLineRow) ([]ledger.Lot, error) {
	lots := make([]ledger.Lot, len(lines))
	for i, l := range lines {
		if err := offer.Release(ctx, tx, l.OfferID, l.Shares); err != nil {
			return nil, err
		}
		lots[i] = l.lot()
	}
	return lots, nil
}

// expireOrder ends an order that was not paid in time. One that is not there yet, or any more, stays as it is.
func (s *service) expireOrder(ctx context.Context, id string) error {
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		now := state.StoredTime(s.host.Now())
		o, lines, err := orderOf(ctx, tx, module.Label(ctx, "a job ends the orders of all members"), id)
		if err != nil {
			return err
		}
		if !state.Allows(orderTransitions, o.Status, orderExpired) || now.Before(o.ExpiresAt) {
			return nil
		}
		o.EndedAt = &now
		if err := moveOrder(ctx, tx, &o, orderExpired); err != nil {
			return err
		}
		lots, err := release(ctx, tx, lines)
		if err != nil {
			return err
		}
		if err := ledger.Expire(ctx, tx, now, lots...); err != nil {
			return err
		}
		return notice.Send(ctx, tx, notice.Notice{Kind: notice.OrderExpired, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares, Amount: o.Amount})
	})
}

// ending says how a buyer ends an order.
type ending int

const (
	cancelling  ending = iota // by cancelling it
	withdrawing               // by withdrawing from the purchase: there is a receipt
)

// endOrder ends an order of the caller: an unpaid one gives its shares back, a paid one is undone while that may be, and its money
// goes back (9-withdrawal-reconcile). 409 for any other. An order that was withdrawn from already is given as it is.
func (s *service) endOrder(ctx context.Context, id string, how ending) (o orderRow, lines []orderLineRow, back value.Cents, err error) {
	mine, err := module.Mine(ctx)
	if err != nil {
		return o, nil, 0, err
	}
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return o, nil, 0, err
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		now := state.StoredTime(s.host.Now())
		back = 0
		if o, lines, err = orderOf(ctx, tx, mine, id); err != nil {
			return err
		}
		if how == withdrawing && o.Status == orderCancelled && o.PaidAt != nil && o.EndReason == "" { // the answer was lost
			back, err = payment.RefundedAmount(ctx, tx, o.ID, o.Amount)
			return err
		}
		if how == withdrawing && o.Status != orderBought {
			return state.ErrTransition
		}
		paid := o.Status == orderBought
		if paid && undoable(o, zoneOf(ctx), set.WithdrawalDays).Before(module.Today(ctx, now)) {
			return errWithdrawalOver
		}
		o.EndedAt = &now
		if err := moveOrder(ctx, tx, &o, orderCancelled); err != nil {
			return err
		}
		told := notice.Notice{Kind: notice.OrderCancelled, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares, Amount: o.Amount, At: now}
		if paid {
			if back, err = s.undo(ctx, tx, now, &o, lines); err != nil {
				return err
			}
			told.Refund = back
		} else {
			lots, err := release(ctx, tx, lines)
			if err != nil {
				return err
			}
			if err := ledger.Release(ctx, tx, now, lots...); err != nil {
				return err
			}
		}
		if how == withdrawing {
			told.Kind = notice.Withdrawal
		}
		return notice.Send(ctx, tx, told)
	})
	return o, lines, back, err
}

// undo takes the held shares of a paid order back to their sellers and wishes its money back: back is how much that is.
func (s *service) undo(ctx context.Context, tx module.Tx, now time.Time, o *orderRow, lines []orderLineRow) (back value.Cents, err error) {
	if err := takeHome(ctx, tx, now, o, lines, ""); err != nil {
		return 0, err
	}
	return payment.RefundOrder(ctx, tx, state.StoredTime(s.host.Now()), o.ID, payment.NoteUndone)
}

// takeHome takes the held shares of a paid order back to their sellers, and tells them. why is empty when the buyer undid the order;
// what the money's coming back undid is entered as the portal's own doing.
func takeHome(ctx context.Context, tx module.Tx, now time.Time, o *orderRow, lines []orderLineRow, why string) error {
	undone := make([]ledger.Undone, len(lines))
	ended := map[string]bool{} // offers that the shares do not return to
	for i, l := range lines {
		open, err := offer.Return(ctx, tx, l.OfferID, l.Shares)
		if err != nil {
			return err
		}
		undone[i] = ledger.Undone{Lot: l.lot(), Open: open}
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
		if err := notice.Send(ctx, tx, notice.Notice{Kind: notice.SaleUndone, Relation: offer.RelationID, Reference: l.OfferReference, Project: l.ProjectName,
			Shares: l.Shares, Free: ended[l.OfferID], Reason: why}); err != nil {
			return err
		}
	}
	return nil
}

// completeOrder hands the shares of a paid order over on its transfer date. One whose day has not come, or that is not BOUGHT, stays
// as it is.
func (s *service) completeOrder(ctx context.Context, id string) error {
	rows := module.Label(ctx, "a job completes the orders of all members")
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		now := state.StoredTime(s.host.Now())
		o, lines, err := orderOf(ctx, tx, rows, id)
		if err != nil {
			return err
		}
		if o.Status != orderBought || module.Today(ctx, now).Before(o.TransferDate) {
			return nil
		}
		o.EndedAt = &now
		if err := moveOrder(ctx, tx, &o, orderCompleted); err != nil {
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
			_, err = rows.Update(tx, (*orderLineRow)(nil)).
				Where("order_id = ? AND offer_id = ?", o.ID, l.OfferID).Set("buyer_participation = ?", to).Exec(ctx)
			if err != nil {
				return err
			}
		}
		if err := ledger.TransferHeld(ctx, tx, now, handovers...); err != nil {
			return err
		}
		return notice.Send(ctx, tx, notice.Notice{Kind: notice.OrderCompleted, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares, Day: o.TransferDate})
	})
}

// honour places the order of an EXPIRED one again, because its money came after all: a new order, since an ended one stays ended,
// that is BOUGHT at once. ok is false when the shares are gone.
func (s *service) honour(ctx context.Context, tx module.Tx, now time.Time, old orderRow, lines []orderLineRow) (o orderRow, ok bool, err error) {
	rows := module.Label(ctx, "a payment provider revives the order of any member")
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return o, false, err
	}
	id := value.StableID(old.LabelKey, "honoured", old.ID)
	if again, err := rows.Select(tx, (*orderRow)(nil)).Where("id = ?", id).Exists(ctx); err != nil || again {
		return o, false, err // an order is paid once
	}
	for _, l := range lines { // nothing is written before it is known that all can be taken
		offer, err := offer.Lock(ctx, tx, l.OfferID)
		if errors.Is(err, problem.ErrNotFound) || err == nil && (!offer.Buyable(old.RelationID) || offer.Left < l.Shares || offer.Price != l.Price) {
			return o, false, nil
		}
		if err != nil {
			return o, false, err
		}
	}
	o = orderRow{LabelKey: old.LabelKey, ID: id, Reference: newReference(), RelationID: old.RelationID,
		Status: orderCreated, Amount: old.Amount, Shares: old.Shares, PrivateDeal: old.PrivateDeal, TransferDate: old.TransferDate, PlacedAt: now,
		ExpiresAt: state.StoredTime(now.Add(time.Duration(set.Order.ReservationDays) * 24 * time.Hour))}
	if first := module.Today(ctx, now).AddDays(set.Transfer.EarliestDays); o.TransferDate.Before(first) {
		o.TransferDate = first
	}
	fresh := make([]orderLineRow, len(lines))
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
	return o, true, s.buyOrder(ctx, tx, now, &o, fresh)
}

// zoneOf is where the label's days begin.
func zoneOf(ctx context.Context) *time.Location {
	zone, err := time.LoadLocation(module.ScopeOf(ctx).Zone)
	if err != nil {
		return time.UTC
	}
	return zone
}
