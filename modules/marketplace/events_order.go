package marketplace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// remindBefore is how long before its end somebody is told that an order is not paid yet.
const remindBefore = 2 * 24 * time.Hour

// eachOrder does something for every order of an event. Those that fail for now are tried again with all others, which are done by
// then: everything here looks at how an order stands first.
func eachOrder(ctx context.Context, e module.Event, do func(context.Context, string) error) error {
	var told marketplaceapi.Orders
	if err := json.Unmarshal(e.Data, &told); err != nil {
		return fmt.Errorf("marketplace: data of event %s: %w", e.ID, err)
	}
	var errs []error
	for _, id := range told.Orders {
		if err := do(ctx, id); err != nil && !errors.Is(err, problem.ErrNotFound) {
			errs = append(errs, err)
		}
	}
	return again(errors.Join(errs...))
}

// ordersPlaced has payments made for orders, and says when they are due.
func (s *service) ordersPlaced(ctx context.Context, e module.Event) error {
	var told marketplaceapi.Orders
	if err := json.Unmarshal(e.Data, &told); err != nil {
		return fmt.Errorf("marketplace: data of event %s: %w", e.ID, err)
	}
	return again(s.makePayments(ctx, told.Orders))
}

// ordersExpire ends orders whose reservation is over. A provider that took the money without our hearing of it is asked first.
func (s *service) ordersExpire(ctx context.Context, e module.Event) error {
	return eachOrder(ctx, e, s.expireUnpaid)
}

func (s *service) expireUnpaid(ctx context.Context, id string) error {
	open, err := payment.Opened(ctx, s.host.DB, id)
	if err != nil {
		return err
	}
	for _, p := range open {
		if _, err := s.settlePayment(ctx, p); err != nil { // it does not hold the shares up: a payment that comes later is dealt with
			s.host.Log.WarnContext(ctx, "marketplace: a payment could not be asked for before its order expired", "payment", p.ID, "err", err)
		}
	}
	return order.Expire(ctx, s.host.DB, s.host.Now, id)
}

// ordersRemind tells buyers that their order is not paid yet.
func (s *service) ordersRemind(ctx context.Context, e module.Event) error {
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, e); err != nil || !first {
			return err
		}
		return eachOrder(ctx, e, func(ctx context.Context, id string) error {
			o, _, err := order.Lock(ctx, tx, module.Label(ctx, "a job reminds all buyers of a label"), id)
			if err != nil || o.Status != order.Awaiting {
				return err
			}
			return notice.Send(ctx, tx, notice.Notice{Kind: notice.OrderExpiresSoon, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares, Amount: o.Amount,
				Until: o.ExpiresAt})
		})
	})
}

// ordersTransfer hands shares over whose transfer date has come.
func (s *service) ordersTransfer(ctx context.Context, e module.Event) error {
	return eachOrder(ctx, e, s.handOverPaid)
}

// handOverPaid hands the shares of an order over whose money is still there (9-money-back-before-transfer).
func (s *service) handOverPaid(ctx context.Context, id string) error {
	if err := s.askPaid(ctx, id); err != nil {
		return err
	}
	return order.Complete(ctx, s.host.DB, s.host.Now, id)
}

// refundDue gives money back.
func (s *service) refundDue(ctx context.Context, e module.Event) error {
	var told struct {
		Payment string `json:"payment"`
	}
	if err := json.Unmarshal(e.Data, &told); err != nil {
		return fmt.Errorf("marketplace: data of event %s: %w", e.ID, err)
	}
	err := s.refund(ctx, told.Payment)
	if errors.Is(err, problem.ErrNotFound) {
		return nil
	}
	return err
}

// sweepOrders does what is due and was missed: an event that got lost, a provider that was away for long.
func (s *service) sweepOrders(ctx context.Context) error {
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
	ids, err := order.Due(ctx, s.host.DB, "expires_at", now, sweepMost, order.Created, order.Awaiting)
	each(ids, err, s.expireUnpaid)
	ids, err = order.Due(ctx, s.host.DB, "transfer_date", module.Today(ctx, now), sweepMost, order.Bought)
	each(ids, err, s.handOverPaid)
	ids, err = order.Due(ctx, s.host.DB, "placed_at", now.Add(-10*time.Minute), order.MaxOrdersInEvent, order.Created)
	if errs = append(errs, err); len(ids) > 0 {
		errs = append(errs, s.makePayments(ctx, ids))
	}
	ids, err = payment.RefundsDue(ctx, s.host.DB, sweepMost)
	each(ids, err, s.refund)
	errs = append(errs, s.sweepMoney(ctx))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w: %w", problem.ErrRetry, err)
	}
	return nil
}
