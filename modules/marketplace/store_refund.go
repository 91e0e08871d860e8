package marketplace

import (
	"context"
	"errors"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/source"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// refund gives the money of a payment back that is REFUNDING, as much as is left of it; any other stays as it is, and so does one of
// which staff must say first that it is to go back. What the provider refuses is for staff to look at, and tried again by the sweep.
func (s *service) refund(ctx context.Context, id string) error {
	p, err := payment.With(ctx, s.host.DB, "id", id)
	if err != nil || p.State != string(payment.Refunding) || p.Parked() || p.ProviderID == nil {
		return err
	}
	pay, err := s.providerOf(ctx, p.Provider)
	if err != nil {
		return err
	}
	found, err := s.settlePayment(ctx, p) // what came back another way does not go back twice
	if err != nil {
		return again(err)
	}
	if p, err = payment.With(ctx, s.host.DB, "id", id); err != nil || p.State != string(payment.Refunding) || p.Parked() {
		return err
	}
	paid := p.Amount
	if found.State == payment.Paid {
		paid = found.Amount
	}
	had := p.Returned()
	wish := payment.Refund{Payment: *p.ProviderID, Key: p.ID, Try: p.RefundTries, Before: had.Refunded, Amount: paid - had.Sum(), Description: p.ID}
	refundID, refused := "", false
	if wish.Amount > 0 {
		refundID, err = pay.Refund(ctx, wish)
		refused = errors.Is(err, payment.ErrUnknown) || errors.As(err, new(*source.Refused)) && !errors.Is(err, payment.ErrKey)
		if err != nil && !refused {
			return again(down(err))
		}
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		o, _, err := order.Lock(ctx, tx, module.Label(ctx, "a job pays back the payments of all members"), p.OrderID)
		if err != nil {
			return err
		}
		p, err := payment.Lock(ctx, tx, id)
		if err != nil || p.State != string(payment.Refunding) || p.Parked() {
			return err
		}
		if refused {
			fresh := p.Note != payment.NoteRefused
			p.Late, p.Note, p.SeenAt = true, payment.NoteRefused, nil
			if err := payment.Save(ctx, tx, &p); err != nil || !fresh {
				return err
			}
			return tellCase(ctx, tx, p, o)
		}
		p.State, p.RefundID = string(payment.Refunded), refundID
		if p.Returned() == had { // else the next news of it say how much it is
			p.Refunded += wish.Amount
		}
		if p.Note == payment.NoteStaff && p.Late {
			p.SeenAt = new(state.StoredTime(s.host.Now())) // by who had it given back
		}
		if err := payment.Save(ctx, tx, &p); err != nil || p.Note == payment.NoteUndone || o.EndReason != "" {
			return err // whoever undid an order has been told, and so has whose sale was cancelled
		}
		return notice.Send(ctx, tx, notice.Notice{Kind: notice.Refunded, Relation: o.RelationID, Reference: o.Reference, Refund: wish.Amount})
	})
}
