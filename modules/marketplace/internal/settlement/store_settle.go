package settlement

import (
	"context"
	"errors"
	"fmt"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// PaymentChanged handles a notification about a payment. It does not trust the notification and checks the payment at the provider. An
// unknown id changes nothing.
func (s *Service) PaymentChanged(ctx context.Context, providerID string) error {
	p, err := payment.Find(ctx, s.host.DB, "provider_id", providerID)
	if errors.Is(err, problem.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = s.settlePayment(ctx, p)
	return err
}

// maxSettleTries is how often the provider is called for a payment that others change in the meantime.
const maxSettleTries = 5

// settlePayment gets a payment from the provider and applies the response. Responses may arrive late, twice and in any order: a response
// that was requested before another change of the payment is dropped, and the provider is called again. found is the response; its State
// is empty when the provider does not know the payment.
func (s *Service) settlePayment(ctx context.Context, p payment.Payment) (found payment.Found, err error) {
	rows := module.Label(ctx, "payment providers and jobs settle the payments of all members")
	if p.ProviderID == nil {
		return found, nil
	}
	pay, err := s.providers.Of(ctx, p.Provider)
	if err != nil {
		return found, err
	}
	for range maxSettleTries {
		found, err = pay.Get(ctx, *p.ProviderID)
		if errors.Is(err, payment.ErrUnknown) {
			return payment.Found{}, nil
		}
		if err != nil {
			return found, asUnavailable(err)
		}
		if found.State == payment.Open {
			return found, nil
		}
		stale := false
		err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
			o, lines, err := order.Lock(ctx, tx, rows, p.OrderID) // before its payment: all code locks both in this order
			if err != nil {
				return err
			}
			now, err := payment.Lock(ctx, tx, p.ID)
			if err != nil {
				return err
			}
			if stale = now.Version != p.Version || now.State != p.State || now.OrderID != p.OrderID; stale {
				p = now
				return nil
			}
			return s.applyPayment(ctx, tx, &now, found, o, lines)
		})
		if err != nil || !stale {
			return found, err
		}
	}
	return found, fmt.Errorf("%w: marketplace: payment %s is written by others all the time", problem.ErrUnavailable, p.ID)
}

// applyPayment applies what the provider reports about a payment. The payment and its order are locked.
func (s *Service) applyPayment(ctx context.Context, tx module.Tx, p *payment.Payment, found payment.Found, o order.Row,
	lines []order.Line) error {
	now := state.StoredTime(s.host.Now())
	had := payment.State(p.State)
	if had == payment.Paid || had == payment.Refunding || had == payment.Refunded {
		if found.State != payment.Paid { // an older response changes nothing
			return nil
		}
		return s.applyReturned(ctx, tx, now, p, found, o, lines)
	}
	switch found.State {
	case payment.Failed, payment.Cancelled, payment.Expired:
		if had != payment.Open {
			return nil
		}
		p.State = string(found.State)
		return payment.Save(ctx, tx, p)
	case payment.Paid:
	default:
		return nil
	}
	p.State, p.PaidAt, p.CheckedAt = string(payment.Paid), &now, &now
	p.Refunded, p.ChargedBack = found.Refunded, found.ChargedBack
	if back := p.Returned().Sum(); found.Amount != p.Amount || found.Key != p.ID || back > 0 { // already refunded or charged back
		p.Late, p.Note = true, payment.NoteAmount
		if back > 0 && back >= found.Amount {
			if p.State, p.Note = string(payment.Refunded), payment.NoteOutside; found.ChargedBack > 0 {
				p.Note = payment.NoteChargedBack
			}
		}
		if err := payment.Save(ctx, tx, p); err != nil {
			return err
		}
		return publishCase(ctx, tx, *p, o)
	}
	switch o.Status {
	case order.Created, order.Awaiting:
		p.Bought = true
		if err := payment.Save(ctx, tx, p); err != nil {
			return err
		}
		return order.Buy(ctx, tx, now, &o, lines)
	case order.Expired:
		fresh, ok, err := order.Revive(ctx, tx, now, o, lines)
		if err != nil {
			return err
		}
		if p.Late, p.Note = true, payment.NoteGone; ok {
			p.OrderID, p.Note, p.Bought = fresh.ID, payment.NoteHonoured, true
			return payment.Save(ctx, tx, p)
		}
	case order.Cancelled:
		p.Late, p.Note = true, payment.NoteEnded
	default: // BOUGHT or COMPLETED
		p.Late, p.Note = true, payment.NoteTwice
	}
	return payment.StartRefund(ctx, tx, state.StoredTime(s.host.Now()), p)
}
