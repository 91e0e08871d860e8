package marketplace

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/source"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// refundsWished lists payments whose money is still to go back, but for those that somebody has taken over or must decide on.
func (s *service) refundsWished(ctx context.Context, limit int) (ids []string, err error) {
	err = module.Label(ctx, "a job pays back the payments of all members").Select(s.host.DB, (*paymentRow)(nil)).Column("id").
		Where("state = ? AND note NOT IN (?) AND NOT (note = ? AND seen_at IS NOT NULL)", payment.Refunding, bun.List(parkedNotes), noteRefused).
		OrderExpr("id").Limit(int64(limit)).Scan(ctx, &ids)
	return ids, err
}

// refundOrder wishes the money of an order back that is undone. back is how much that is.
func (s *service) refundOrder(ctx context.Context, tx module.Tx, order, note string) (back value.Cents, err error) {
	rows := module.Label(ctx, "staff and jobs undo the orders of all members")
	var paid []paymentRow
	if err := rows.SelectForUpdate(tx, &paid).Where("order_id = ? AND state = ?", order, payment.Paid).OrderExpr("id").Scan(ctx); err != nil {
		return 0, err
	}
	for _, p := range paid {
		p.Note = note
		if err := s.wishRefund(ctx, tx, &p); err != nil {
			return 0, err
		}
		if p.Bought {
			back += p.RefundAmount
		}
	}
	return back, nil
}

// wishRefund marks a payment of which all that is left goes back, and has that done after the commit.
func (s *service) wishRefund(ctx context.Context, tx module.Tx, p *paymentRow) error {
	p.State, p.RefundAmount = string(payment.Refunding), max(0, p.Amount-p.returned().Sum())
	if p.RefundSince == nil {
		p.RefundSince = new(cut(s.host.Now()))
	}
	if err := storePayment(ctx, tx, p); err != nil {
		return err
	}
	data, err := json.Marshal(marketplaceapi.RefundDue{Payment: p.ID})
	if err != nil {
		return err
	}
	return tx.Publish(ctx, module.Event{Type: marketplaceapi.EventRefund, Key: p.ID, Seq: 1, Data: data})
}

// refund gives the money of a payment back that is REFUNDING, as much as is left of it; any other stays as it is, and so does one of
// which staff must say first that it is to go back. What the provider refuses is for staff to look at, and tried again by the sweep.
func (s *service) refund(ctx context.Context, id string) error {
	p, err := s.paymentWith(ctx, "id", id)
	if err != nil || p.State != string(payment.Refunding) || p.parked() || p.ProviderID == nil {
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
	if p, err = s.paymentWith(ctx, "id", id); err != nil || p.State != string(payment.Refunding) || p.parked() {
		return err
	}
	paid := p.Amount
	if found.State == payment.Paid {
		paid = found.Amount
	}
	had := p.returned()
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
		o, _, err := orderOf(ctx, tx, module.Label(ctx, "a job pays back the payments of all members"), p.OrderID)
		if err != nil {
			return err
		}
		p, err := paymentOf(ctx, tx, id)
		if err != nil || p.State != string(payment.Refunding) || p.parked() {
			return err
		}
		if refused {
			fresh := p.Note != noteRefused
			p.Late, p.Note, p.SeenAt = true, noteRefused, nil
			if err := storePayment(ctx, tx, &p); err != nil || !fresh {
				return err
			}
			return tellCase(ctx, tx, p, o)
		}
		p.State, p.RefundID = string(payment.Refunded), refundID
		if p.returned() == had { // else the next news of it say how much it is
			p.Refunded += wish.Amount
		}
		if p.Note == noteStaff && p.Late {
			p.SeenAt = new(cut(s.host.Now())) // by who had it given back
		}
		if err := storePayment(ctx, tx, &p); err != nil || p.Note == noteUndone || o.EndReason != "" {
			return err // whoever undid an order has been told, and so has whose sale was cancelled
		}
		return tell(ctx, tx, notice{Kind: noticeRefunded, Relation: o.RelationID, Reference: o.Reference, Refund: wish.Amount})
	})
}
