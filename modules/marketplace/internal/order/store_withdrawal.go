package order

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// ending is the way in which a buyer ends an order.
type ending int

const (
	cancelling  ending = iota // by cancelling it
	withdrawing               // by withdrawing from the purchase, with a receipt
)

// endOrder ends an order of the caller: it releases the shares of an unpaid order; it undoes a paid order within its withdrawal period and
// starts the refund (9-withdrawal-reconcile). It returns 409 for any other order. Withdrawing again returns the unchanged order.
func (s *Service) endOrder(ctx context.Context, id string, how ending) (o Row, lines []Line, back value.Cents, err error) {
	mine, err := module.Mine(ctx)
	if err != nil {
		return o, nil, 0, err
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		now := state.StoredTime(s.host.Now())
		back = 0
		if o, lines, err = Lock(ctx, tx, mine, id); err != nil {
			return err
		}
		if how == withdrawing && o.Status == Cancelled && o.PaidAt != nil && o.EndReason == "" { // a retry of a request whose response was lost
			back, err = payment.RefundedAmount(ctx, tx, o.ID)
			return err
		}
		if how == withdrawing && o.Status != Bought {
			return state.ErrTransition
		}
		paid := o.Status == Bought
		if paid && LastUndoDay(o, state.Zone(ctx)).Before(module.Today(ctx, now)) {
			return errWithdrawalOver
		}
		mail := notice.Notice{Kind: notice.OrderCancelled, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares, Amount: o.Due(),
			At: now}
		if paid {
			if err := Undo(ctx, tx, now, &o, lines, ""); err != nil {
				return err
			}
			if back, err = payment.RefundOrder(ctx, tx, now, o.ID, payment.NoteUndone); err != nil {
				return err
			}
			mail.Refund = back
		} else if err := Cancel(ctx, tx, now, &o, lines); err != nil {
			return err
		}
		if how == withdrawing {
			mail.Kind = notice.Withdrawal
		}
		return notice.Send(ctx, tx, mail)
	})
	return o, lines, back, err
}
