package settlement

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Limits of checking payments at the provider (9-money-back-news, 9-payment-lost-news).
const (
	watchPeriod     = 548 * 24 * time.Hour // after the creation of a payment: banks charge card payments back for up to 540 days
	checkInterval   = 24 * time.Hour       // minimum time between two checks of a payment
	recheckInterval = time.Hour            // minimum time after a check that failed
	maxChecked      = 20                   // payments whose check is recorded in one transaction
)

// SweepOrders does work that is due and was missed, because an event was lost or a provider was unavailable: at most limit items of each
// kind.
func (s *Service) SweepOrders(ctx context.Context, limit int) error {
	now := state.StoredTime(s.host.Now())
	var errs []error
	each := func(ids []string, err error, do func(context.Context, string) error) {
		errs = append(errs, err)
		for _, id := range ids {
			if err := do(ctx, id); err != nil && !errors.Is(err, problem.ErrNotFound) {
				errs = append(errs, err)
			}
		}
	}
	ids, err := order.Due(ctx, s.host.DB, "expires_at", now, limit, order.Created, order.Awaiting)
	each(ids, err, s.expireUnpaid)
	ids, err = order.Due(ctx, s.host.DB, "transfer_date", module.Today(ctx, now), limit, order.Bought)
	each(ids, err, s.handOverPaid)
	ids, err = order.Due(ctx, s.host.DB, "placed_at", now.Add(-10*time.Minute), order.MaxOrdersInEvent, order.Created)
	if errs = append(errs, err); len(ids) > 0 {
		errs = append(errs, s.makePayments(ctx, ids))
	}
	ids, err = payment.RefundsDue(ctx, s.host.DB, limit)
	each(ids, err, s.refund)
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w: %w", problem.ErrRetry, err)
	}
	return nil
}

// SweepMoney checks at most limit payments at the provider that were not checked for a day (payment.Unchecked): the notification that an
// open one was paid, or that a paid one was refunded or charged back, may have been lost (9-payment-lost-news, 9-money-back-news). When a
// check fails, because the provider is unavailable or refuses, the payment is checked again after recheckInterval and does not block the
// others.
func (s *Service) SweepMoney(ctx context.Context, limit int) error {
	now := state.StoredTime(s.host.Now())
	rows, err := payment.Unchecked(ctx, s.host.DB, now.Add(-watchPeriod), now.Add(-checkInterval), limit)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(rows, maxChecked) {
		var requested, failed []string
		for _, p := range some {
			if _, err := s.settlePayment(ctx, p); err != nil {
				s.host.Log.WarnContext(ctx, "marketplace: could not ask what became of a payment", "payment", p.ID, "error", err)
				failed = append(failed, p.ID)
				continue
			}
			requested = append(requested, p.ID)
		}
		err := s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
			return errors.Join(payment.SetChecked(ctx, tx, requested, now),
				payment.SetChecked(ctx, tx, failed, now.Add(recheckInterval-checkInterval)))
		})
		if err != nil {
			return err
		}
	}
	return nil
}
