package order

import (
	"context"
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
)

// WithdrawalReceipt proves that a member withdrew from a purchase, and when (9-withdrawal-function). It is also sent by email.
type WithdrawalReceipt struct {
	Reference string      `json:"reference" doc:"deal_reference of the order"`
	At        time.Time   `json:"at" doc:"Time of the withdrawal"`
	Amount    value.Cents `json:"amount" doc:"Amount that is refunded, with the original payment method"`
	Refund    string      `json:"refund" enum:"REFUNDING,REFUNDED,NONE" doc:"State of the refund; NONE: nothing was paid"`
}

type withdrawalAnswer struct{ Body WithdrawalReceipt }

// withdrawOrder undoes a paid order within its withdrawal period. A repeated request returns the same receipt.
func (s *Service) withdrawOrder(ctx context.Context, in *orderInput) (*withdrawalAnswer, error) {
	o, _, back, err := s.endOrder(ctx, in.ID, withdrawing)
	if err != nil {
		return nil, err
	}
	all, err := payment.ByOrder(ctx, s.host.DB, o.ID)
	if err != nil {
		return nil, err
	}
	return &withdrawalAnswer{WithdrawalReceipt{Reference: o.Reference, At: *o.EndedAt, Amount: back, Refund: refundOf(all)}}, nil
}

// refundOf returns the state of the refund of an order. It is REFUNDING while any of its payments is.
func refundOf(payments []payment.Payment) string {
	out := "NONE"
	for _, p := range payments {
		switch payment.State(p.State) {
		case payment.Refunding:
			return p.State
		case payment.Refunded:
			out = p.State
		}
	}
	return out
}
