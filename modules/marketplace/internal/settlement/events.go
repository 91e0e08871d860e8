package settlement

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// remindBefore is how long before its expiry the buyer of an unpaid order is reminded.
const remindBefore = 2 * 24 * time.Hour

// eachOrder calls a function for every order of an event. When one call fails, the event is delivered again with all orders; the functions
// check the status of an order first and skip those that are done.
func eachOrder(ctx context.Context, e module.Event, do func(context.Context, string) error) error {
	var data marketplaceapi.Orders
	if err := json.Unmarshal(e.Data, &data); err != nil {
		return fmt.Errorf("marketplace: data of event %s: %w", e.ID, err)
	}
	var errs []error
	for _, id := range data.Orders {
		if err := do(ctx, id); err != nil && !errors.Is(err, problem.ErrNotFound) {
			errs = append(errs, err)
		}
	}
	return sibling.Retry(errors.Join(errs...))
}

// HandlePlaced creates the payments of new orders and publishes when they expire.
func (s *Service) HandlePlaced(ctx context.Context, e module.Event) error {
	var data marketplaceapi.Orders
	if err := json.Unmarshal(e.Data, &data); err != nil {
		return fmt.Errorf("marketplace: data of event %s: %w", e.ID, err)
	}
	return sibling.Retry(s.makePayments(ctx, data.Orders))
}

// HandleExpire ends orders whose reservation is over, after checking at the provider whether they were paid.
func (s *Service) HandleExpire(ctx context.Context, e module.Event) error {
	return eachOrder(ctx, e, s.expireUnpaid)
}

func (s *Service) expireUnpaid(ctx context.Context, id string) error {
	if err := s.settleOpen(ctx, id); err != nil { // the order expires anyway: the sweep finds a late payment
		s.host.Log.WarnContext(ctx, "marketplace: a payment could not be asked for before its order expired", "order", id, "error", err)
	}
	return order.Expire(ctx, s.host.DB, s.host.Now, id)
}

// settleOpen checks the open payments of an order at the provider, in case a notification was lost.
func (s *Service) settleOpen(ctx context.Context, order string) error {
	open, err := payment.ListOpen(ctx, s.host.DB, order)
	errs := []error{err}
	for _, p := range open {
		_, err := s.settlePayment(ctx, p)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// HandleRemind reminds buyers of unpaid orders.
func (s *Service) HandleRemind(ctx context.Context, e module.Event) error {
	return eachOrder(ctx, e, func(ctx context.Context, id string) error { return s.remind(ctx, e, id) })
}

// remind reminds the buyer of one order of an event, once. It checks the payments first and fails if the provider is unavailable: a buyer
// who has paid is not reminded, even if the notification was lost (9-payment-lost-news).
func (s *Service) remind(ctx context.Context, e module.Event, id string) error {
	if err := s.settleOpen(ctx, id); err != nil {
		return err
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		if first, err := tx.Once(ctx, module.Event{ID: value.StableID(e.ID, id)}); err != nil || !first {
			return err
		}
		o, _, err := order.Lock(ctx, tx, module.Label(ctx, "a job reminds all buyers of a label"), id)
		if err != nil || o.Status != order.Awaiting {
			return err
		}
		return notice.Send(ctx, tx, notice.Notice{Kind: notice.OrderExpiresSoon, Relation: o.RelationID, Reference: o.Reference,
			Shares: o.Shares, Amount: o.Due(), Until: o.ExpiresAt})
	})
}

// HandleTransfer transfers the shares of orders on their transfer date.
func (s *Service) HandleTransfer(ctx context.Context, e module.Event) error {
	return eachOrder(ctx, e, s.handOverPaid)
}

// handOverPaid transfers the shares of an order unless its payment was refunded or charged back (9-money-back-before-transfer).
func (s *Service) handOverPaid(ctx context.Context, id string) error {
	if err := s.checkPaid(ctx, id); err != nil {
		return err
	}
	return order.Complete(ctx, s.host.DB, s.host.Now, id)
}

// checkPaid checks the payments of an order at the provider before its shares are transferred, in case a notification was lost. The
// transfer does not wait for an unavailable provider.
func (s *Service) checkPaid(ctx context.Context, order string) error {
	all, err := payment.ByOrder(ctx, s.host.DB, order)
	if err != nil {
		return err
	}
	for _, p := range all {
		if p.State != string(payment.Paid) {
			continue
		}
		if _, err := s.settlePayment(ctx, p); err != nil {
			s.host.Log.WarnContext(ctx, "marketplace: a payment could not be asked for before its shares were handed over", "payment", p.ID,
				"error", err)
		}
	}
	return nil
}

// HandleRefund refunds a payment.
func (s *Service) HandleRefund(ctx context.Context, e module.Event) error {
	var data struct {
		Payment string `json:"payment"`
	}
	if err := json.Unmarshal(e.Data, &data); err != nil {
		return fmt.Errorf("marketplace: data of event %s: %w", e.ID, err)
	}
	err := s.refund(ctx, data.Payment)
	if errors.Is(err, problem.ErrNotFound) {
		return nil
	}
	return err
}
