package settlement

import (
	"context"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// publishCase publishes that staff must check a payment.
func publishCase(ctx context.Context, tx module.Tx, p payment.Payment, o order.Row) error {
	return module.Publish(ctx, tx, marketplaceapi.EventPaymentCase, p.ID, marketplaceapi.PaymentCase{Payment: p.ID, Order: o.ID,
		Reference: o.Reference, Relation: p.RelationID, OrderStatus: string(o.Status), Note: p.Note, State: p.DisplayState(), Amount: p.Amount,
		Refunded: p.Refunded, ChargedBack: p.ChargedBack})
}

// applyReturned applies the reported refunds and chargebacks of a payment (payment.DecideReturn). The payment and its order are locked.
func (s *Service) applyReturned(ctx context.Context, tx module.Tx, now time.Time, p *payment.Payment, found payment.Found, o order.Row,
	lines []order.Line) error {
	had, is := p.Returned(), p.ReturnedNow(found)
	if is == had {
		return nil
	}
	v := payment.DecideReturn(payment.Facts{State: payment.State(p.State), Note: p.Note, Bought: p.Bought, Order: payment.Sale(o.Status),
		Amount: found.Amount, Had: had, Now: is})
	p.Refunded, p.ChargedBack, p.CheckedAt = is.Refunded, is.ChargedBack, &now
	wasPaidBack := p.State == string(payment.Refunded)
	p.State, p.Note = string(v.State), v.Note
	if v.Case {
		p.Late, p.SeenAt = true, nil
	}
	if v.State == payment.Refunding && wasPaidBack { // another attempt is a new refund
		p.RefundID, p.RefundSince = "", &now
		p.RefundTries++
	}
	if v.Rest {
		if err := payment.StartRefund(ctx, tx, state.StoredTime(s.host.Now()), p); err != nil {
			return err
		}
	} else if err := payment.Save(ctx, tx, p); err != nil {
		return err
	}
	if v.Cancel != "" {
		if err := s.cancelSale(ctx, tx, now, &o, lines, p, v.Cancel); err != nil {
			return err
		}
	} else if v.Case {
		if err := notifyMoney(ctx, tx, o, lines, *p, had); err != nil {
			return err
		}
	}
	if !v.Case {
		return nil
	}
	return publishCase(ctx, tx, *p, o)
}

// cancelSale cancels a paid order after a refund or chargeback, or for staff. The withdrawal period of the buyer does not matter here
// (9-withdrawal-reconcile). The shares return, and buyer and sellers are notified. The caller has started the refund of the rest.
func (s *Service) cancelSale(ctx context.Context, tx module.Tx, now time.Time, o *order.Row, lines []order.Line, p *payment.Payment,
	why string) error {
	if err := order.Undo(ctx, tx, now, o, lines, why); err != nil {
		return err
	}
	// refunds any other payments for the order
	if _, err := payment.RefundOrder(ctx, tx, state.StoredTime(s.host.Now()), o.ID, why); err != nil {
		return err
	}
	mail := notice.Notice{Kind: notice.PurchaseReversed, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares, Amount: o.Due(),
		Reason: why}
	if p.State == string(payment.Refunding) {
		mail.Refund = p.RefundAmount
	}
	return notice.Send(ctx, tx, mail)
}

// notifyMoney notifies the buyer that money was refunded, charged back or paid again, and the sellers when their sale remains valid.
func notifyMoney(ctx context.Context, tx module.Tx, o order.Row, lines []order.Line, p payment.Payment, had payment.Returned) error {
	moved := p.Returned().Sum() - had.Sum()
	if moved < 0 {
		moved = -moved
	}
	switch p.Note {
	case payment.NoteChargedLate, payment.NotePart, payment.NoteOutside, payment.NoteFailed:
	case payment.NoteRestored:
		if p.State == string(payment.Refunding) { // staff check it first
			return nil
		}
	default:
		return nil
	}
	err := notice.Send(ctx, tx, notice.Notice{Kind: notice.MoneyReturned, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares,
		Amount: o.Due(), Refund: moved, Reason: p.Note})
	if err != nil || p.Note == payment.NoteFailed || !p.Bought || o.Status != order.Bought && o.Status != order.Completed {
		return err
	}
	for _, l := range lines {
		offer, err := offer.Lock(ctx, tx, l.OfferID)
		if err != nil {
			return err
		}
		if err := notice.Send(ctx, tx, notice.Notice{Kind: notice.SaleMoney, Relation: offer.RelationID, Reference: l.OfferReference,
			Project: l.ProjectName, Shares: l.Shares,
			Reason: p.Note}); err != nil {
			return err
		}
	}
	return nil
}
