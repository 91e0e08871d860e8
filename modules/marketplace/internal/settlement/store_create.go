package settlement

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/source"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/notice"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/payment"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// maxParallelPayments is the maximum number of payments that are created concurrently.
const maxParallelPayments = 4

// requestFor returns the request for a payment.
func requestFor(ctx context.Context, p payment.Payment, o order.Row) payment.Request {
	portal := module.ScopeOf(ctx).URL
	locale := o.Locale
	if locale == "" {
		locale = module.ScopeOf(ctx).Locale
	}
	return payment.Request{Key: p.ID, Order: o.Reference, Amount: p.Amount, Description: o.Reference, Locale: locale,
		Return: portal + "/thank-you?n=" + order.ThankYou(o.Reference, o.Due()), Cancel: portal + "/payment-cancelled", // 7.6-paylink-return
		Webhook: portal + "/api/v0" + operation.Base + "/payments/webhook"}
}

// createPayment creates a payment at the provider of the call's label. It does not store the payment.
func (s *Service) createPayment(ctx context.Context, o order.Row, n int) (p payment.Payment, err error) {
	set, err := module.Settings[order.Settings](ctx)
	if err != nil {
		return p, err
	}
	by, err := payment.SettingsOf(ctx)
	if err != nil {
		return p, err
	}
	pay, err := s.providers.Of(ctx, by.Provider)
	if err != nil {
		return p, err
	}
	now := state.StoredTime(s.host.Now())
	p = payment.New(module.ScopeOf(ctx).Label, by.Provider, o.RelationID, o.ID, o.Due(), n)
	made, err := pay.Create(ctx, requestFor(ctx, p, o))
	if err != nil {
		return p, asUnavailable(err)
	}
	p.ProviderID, p.URL, p.CreatedAt = &made.ID, made.URL, now
	p.ExpiresAt = payment.LinkUntil(now, o.ExpiresAt, made.Expires, set.Order.LinkDays)
	return p, nil
}

// asUnavailable converts the error of an unavailable provider to ErrUnavailable: a 503 for callers, retryable for events.
func asUnavailable(err error) error {
	if errors.Is(err, source.ErrDown) || errors.Is(err, payment.ErrKey) {
		return fmt.Errorf("%w: %w", problem.ErrUnavailable, err)
	}
	return err
}

// makePayments creates the first payments of orders that are CREATED, makes them AWAITING_PAYMENT and notifies their buyers. An order
// without an amount due is BOUGHT immediately.
func (s *Service) makePayments(ctx context.Context, ids []string) error {
	orders, err := order.WaitingForPayment(ctx, s.host.DB, ids)
	if err != nil || len(orders) == 0 {
		return err
	}
	made := make([]*payment.Payment, len(orders))
	errs := make([]error, len(orders)+1)
	var calls errgroup.Group
	calls.SetLimit(maxParallelPayments)
	for i, o := range orders {
		if o.Due() == 0 {
			continue
		}
		calls.Go(func() error {
			p, err := s.createPayment(ctx, o, 1)
			if errs[i] = err; err == nil {
				made[i] = &p
			}
			return nil
		})
	}
	_ = calls.Wait() // errs has the error of each order
	errs[len(orders)] = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return s.awaitPayments(ctx, tx, orders, made) })
	return errors.Join(errs...)
}

// awaitPayments stores payments that were created and makes their orders AWAITING_PAYMENT.
func (s *Service) awaitPayments(ctx context.Context, tx module.Tx, orders []order.Row, made []*payment.Payment) error {
	rows := module.Label(ctx, "orders of several buyers are placed in one transaction")
	now := state.StoredTime(s.host.Now())
	var payments []payment.Payment
	var ready []string
	byID := map[string]order.Row{}
	for i, o := range orders {
		byID[o.ID] = o
		if p := made[i]; p != nil {
			payments = append(payments, *p)
			ready = append(ready, o.ID)
		}
		if o.Due() == 0 {
			o, lines, err := order.Lock(ctx, tx, rows, o.ID)
			if err != nil {
				return err
			}
			if o.Status == order.Created {
				if err := order.Buy(ctx, tx, now, &o, lines); err != nil {
					return err
				}
			}
		}
	}
	if len(ready) == 0 {
		return nil
	}
	if err := payment.Insert(ctx, tx, payments...); err != nil {
		return err
	}
	moved, err := order.SetAwaitingPayment(ctx, tx, ready)
	if err != nil || len(moved) == 0 {
		return err
	}
	for _, id := range moved {
		o := byID[id]
		if err := notice.Send(ctx, tx, notice.Notice{Kind: notice.OrderPlaced, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares,
			Amount: o.Due(),
			Day:    o.TransferDate, Until: o.ExpiresAt}); err != nil {
			return err
		}
	}
	expires := byID[moved[0]].ExpiresAt // the latest of all: the orders were placed together
	for _, id := range moved {
		if e := byID[id].ExpiresAt; e.After(expires) {
			expires = e
		}
	}
	if remind := expires.Add(-remindBefore); remind.After(now) {
		if err := order.Publish(ctx, tx, marketplaceapi.EventOrdersRemind, moved, remind); err != nil {
			return err
		}
	}
	return order.Publish(ctx, tx, marketplaceapi.EventOrdersExpire, moved, expires)
}

// payLink returns the link to pay an order of the caller: that of the open payment, or of a new one (7.6-get-paylink). It creates the
// first payment of a new order if the event has not done so yet: the customer pays right after ordering (4-checkout-success).
func (s *Service) payLink(ctx context.Context, id string) (string, error) {
	rows := module.Label(ctx, "the payment is made for an order that was found among the caller's")
	o, err := order.FindOwn(ctx, s.host.DB, id)
	if err != nil {
		return "", err
	}
	if o.Status == order.Created { // the event that creates the first payment has not been handled yet
		if err := s.makePayments(ctx, []string{id}); err != nil {
			return "", err
		}
		if o, err = order.FindOwn(ctx, s.host.DB, id); err != nil {
			return "", err
		}
	}
	if o.Status != order.Awaiting || !s.host.Now().Before(o.ExpiresAt) {
		return "", errNotPayable // 7.6-paylink-status
	}
	all, err := payment.ByOrder(ctx, s.host.DB, id)
	if err != nil {
		return "", err
	}
	now := s.host.Now()
	for _, p := range all {
		if p.State != string(payment.Open) || !now.Before(p.ExpiresAt) {
			continue
		}
		_, err := s.settlePayment(ctx, p) // in case the notification of its end was lost
		switch is, err2 := payment.Find(ctx, s.host.DB, "id", p.ID); {
		case err2 != nil:
			return "", err2
		case is.State == string(payment.Open): // also when the provider's API is unavailable, because its page may still work
			return p.URL, nil
		case is.State != string(payment.Failed) && is.State != string(payment.Cancelled) && is.State != string(payment.Expired):
			return "", errNotPayable
		case err != nil:
			return "", err
		}
	}
	p, err := s.createPayment(ctx, o, len(all)+1)
	if err != nil {
		return "", err
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		fresh, _, err := order.Lock(ctx, tx, rows, id)
		if err != nil {
			return err
		}
		if fresh.Status != order.Awaiting {
			return errNotPayable
		}
		return payment.Insert(ctx, tx, p)
	})
	return p.URL, err
}
