package settlement

import (
	"context"
	"errors"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/source"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// refund refunds the remaining amount of a REFUNDING payment. It does nothing to a payment in another state or that waits for staff. When
// the provider refuses, staff must check the payment, and the sweep tries again.
func (s *Service) refund(ctx context.Context, id string) error {
	p, err := payment.Find(ctx, s.host.DB, "id", id)
	if err != nil || p.State != string(payment.Refunding) || p.WaitsForStaff() || p.ProviderID == nil {
		return err
	}
	pay, err := s.providers.Of(ctx, p.Provider)
	if err != nil {
		return err
	}
	found, err := s.settlePayment(ctx, p) // money that was already refunded or charged back is not refunded again
	if err != nil {
		return sibling.Retry(err)
	}
	if p, err = payment.Find(ctx, s.host.DB, "id", id); err != nil || p.State != string(payment.Refunding) || p.WaitsForStaff() {
		return err
	}
	paid := p.Amount
	if found.State == payment.Paid {
		paid = found.Amount
	}
	had := p.Returned()
	request := payment.Refund{Payment: *p.ProviderID, Key: p.ID, Try: p.RefundTries, Before: had.Refunded, Amount: paid - had.Sum(),
		Description: p.ID}
	refundID, refused := "", false
	if request.Amount > 0 {
		refundID, err = pay.Refund(ctx, request)
		refused = errors.Is(err, payment.ErrUnknown) || errors.As(err, new(*source.Refused)) && !errors.Is(err, payment.ErrKey)
		if err != nil && !refused {
			return sibling.Retry(asUnavailable(err))
		}
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		o, _, err := order.Lock(ctx, tx, module.Label(ctx, "a job pays back the payments of all members"), p.OrderID)
		if err != nil {
			return err
		}
		p, err := payment.Lock(ctx, tx, id)
		if err != nil || p.State != string(payment.Refunding) || p.WaitsForStaff() {
			return err
		}
		if refused {
			fresh := p.Note != payment.NoteRefused
			p.Late, p.Note, p.SeenAt = true, payment.NoteRefused, nil
			if err := payment.Save(ctx, tx, &p); err != nil || !fresh {
				return err
			}
			return publishCase(ctx, tx, p, o)
		}
		p.State, p.RefundID = string(payment.Refunded), refundID
		if p.Returned() == had { // otherwise the next check of the payment sets the amount
			p.Refunded += request.Amount
		}
		if p.Note == payment.NoteStaff && p.Late {
			p.SeenAt = new(state.StoredTime(s.host.Now())) // seen by the member of staff who refunded it
		}
		if err := payment.Save(ctx, tx, &p); err != nil || p.Note == payment.NoteUndone || o.EndReason != "" {
			return err // the buyer who undid the order, or whose sale was cancelled, was already notified
		}
		return notice.Send(ctx, tx, notice.Notice{Kind: notice.Refunded, Relation: o.RelationID, Reference: o.Reference, Refund: request.Amount})
	})
}
