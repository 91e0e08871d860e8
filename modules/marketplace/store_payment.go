package marketplace

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
)

// Notes that staff read on a payment.
const (
	noteHonoured = "HONOURED"        // late, but the shares were still there: a new order took its place
	noteGone     = "SHARES_GONE"     // late, and they were not
	noteEnded    = "ORDER_CANCELLED" // its order had been cancelled
	noteTwice    = "PAID_TWICE"      // its order had been paid
	noteAmount   = "AMOUNT_DIFFERS"  // the provider speaks of another amount or payment: somebody must look
	noteOutside  = "REFUNDED_OUTSIDE"
	noteRefused  = "REFUND_REFUSED" // the provider does not give it back: somebody must look
	noteUndone   = "WITHDRAWN"      // the buyer undid a paid order
	noteStaff    = "BY_STAFF"
)

// paymentsMost is how many payments are asked for at once.
const paymentsMost = 4

// newPayment is the n-th payment of an order, from 1. Its id is the same however often it is asked for: it is the key under which
// the provider makes it once.
func newPayment(label, provider string, o orderRow, n int) paymentRow {
	return paymentRow{LabelKey: label, ID: module.StableID(label, "payment", o.ID, fmt.Sprint(n)), RelationID: o.RelationID, OrderID: o.ID,
		Provider: provider, Amount: o.Amount, State: string(payOpen)}
}

// paymentOf reads a payment under lock: it is about to be written.
func paymentOf(ctx context.Context, tx module.Tx, id string) (p paymentRow, err error) {
	err = locked(tx, tx.NewSelect().Model(&p).ApplyQueryBuilder(module.Label(ctx).Where).Where("id = ?", id)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = module.ErrNotFound
	}
	return p, err
}

// paymentWith reads a payment by one of its ids: "id", or "provider_id".
func (s *service) paymentWith(ctx context.Context, column, id string) (p paymentRow, err error) {
	err = s.host.DB.Read().NewSelect().Model(&p).ApplyQueryBuilder(module.Label(ctx).Where).Where("? = ?", bun.Ident(column), id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = module.ErrNotFound
	}
	return p, err
}

// paymentsOf lists the payments of an order, newest first.
func (s *service) paymentsOf(ctx context.Context, order string) (rows []paymentRow, err error) {
	err = s.host.DB.Read().NewSelect().Model(&rows).ApplyQueryBuilder(module.Label(ctx).Where).Where("order_id = ?", order).
		OrderExpr("created_at DESC, id").Scan(ctx)
	return rows, err
}

func (s *service) openPayments(ctx context.Context, order string) (open []paymentRow, err error) {
	all, err := s.paymentsOf(ctx, order)
	for _, p := range all {
		if p.State == string(payOpen) && p.ProviderID != nil {
			open = append(open, p)
		}
	}
	return open, err
}

// refundsWished lists payments whose money is still to go back, but for those that somebody has taken over.
func (s *service) refundsWished(ctx context.Context, limit int) (ids []string, err error) {
	err = s.host.DB.Read().NewSelect().Model((*paymentRow)(nil)).Column("id").ApplyQueryBuilder(module.Label(ctx).Where).
		Where("state = ? AND NOT (note = ? AND seen_at IS NOT NULL)", payRefunding, noteRefused).OrderExpr("id").Limit(int64(limit)).Scan(ctx, &ids)
	return ids, err
}

// wishFor is what a provider is asked for.
func wishFor(ctx context.Context, p paymentRow, o orderRow) paymentWish {
	portal := module.ScopeOf(ctx).URL
	locale := o.Locale
	if locale == "" {
		locale = module.ScopeOf(ctx).Locale
	}
	return paymentWish{Key: p.ID, Order: o.Reference, Amount: p.Amount, Description: o.Reference, Locale: locale,
		Return: portal + "/thank-you?n=" + ThankYou(o.Reference, o.Amount), Cancel: portal + "/payment-cancelled", // 7.6-paylink-return
		Webhook: portal + "/api/v0" + base + "/payments/webhook"}
}

// ask has the provider of the call's label make a payment. What it gives is not stored yet.
func (s *service) ask(ctx context.Context, o orderRow, n int) (p paymentRow, err error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return p, err
	}
	pay, err := s.provider(ctx)
	if err != nil {
		return p, err
	}
	now := cut(s.host.Now())
	p = newPayment(module.ScopeOf(ctx).Label, set.Payment.Provider, o, n)
	made, err := pay.Create(ctx, wishFor(ctx, p, o))
	if err != nil {
		return p, down(err)
	}
	p.ProviderID, p.URL, p.CreatedAt = &made.ID, made.URL, now
	p.ExpiresAt = linkUntil(now, o.ExpiresAt, made.Expires, set.Order.LinkDays)
	return p, nil
}

// down makes a provider that is away a 503 for who waits, and something to be tried again for an event.
func down(err error) error {
	if errors.Is(err, module.ErrDown) || errors.Is(err, errPaymentKey) {
		return fmt.Errorf("%w: %w", module.ErrUnavailable, err)
	}
	return err
}

// makePayments makes the first payments of orders that are CREATED, and says so to their buyers: AWAITING_PAYMENT. An order for
// nothing is BOUGHT at once.
func (s *service) makePayments(ctx context.Context, ids []string) error {
	var orders []orderRow
	err := s.host.DB.Read().NewSelect().Model(&orders).ApplyQueryBuilder(module.Label(ctx).Where).
		Where("id IN (?) AND status = ?", bun.List(ids), orderCreated).Scan(ctx)
	if err != nil || len(orders) == 0 {
		return err
	}
	made := make([]*paymentRow, len(orders))
	errs := make([]error, len(orders)+1)
	var wg sync.WaitGroup
	turns := make(chan struct{}, paymentsMost)
	for i, o := range orders {
		if o.Amount == 0 {
			continue
		}
		turns <- struct{}{}
		wg.Go(func() {
			defer func() { <-turns }()
			p, err := s.ask(ctx, o, 1)
			if errs[i] = err; err == nil {
				made[i] = &p
			}
		})
	}
	wg.Wait()
	errs[len(orders)] = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return s.awaitPayments(ctx, tx, orders, made) })
	return errors.Join(errs...)
}

// awaitPayments stores payments that were made, and moves their orders.
func (s *service) awaitPayments(ctx context.Context, tx module.Tx, orders []orderRow, made []*paymentRow) error {
	now := cut(s.host.Now())
	var payments []paymentRow
	var ready []string
	byID := map[string]orderRow{}
	for i, o := range orders {
		byID[o.ID] = o
		if p := made[i]; p != nil {
			payments = append(payments, *p)
			ready = append(ready, o.ID)
		}
		if o.Amount == 0 {
			o, lines, err := orderOf(ctx, tx, module.Label(ctx), o.ID)
			if err != nil {
				return err
			}
			if o.Status == orderCreated {
				if err := s.buyOrder(ctx, tx, now, &o, lines); err != nil {
					return err
				}
			}
		}
	}
	if len(ready) == 0 {
		return nil
	}
	if _, err := tx.NewInsert().Model(&payments).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
		return err
	}
	var moved []string // not those that were cancelled meanwhile
	err := tx.NewUpdate().Model((*orderRow)(nil)).ApplyQueryBuilder(module.Label(ctx).Where).Where("id IN (?) AND status = ?", bun.List(ready), orderCreated).
		Set("status = ?", orderAwaiting).Returning("id").Scan(ctx, &moved)
	if errors.Is(err, sql.ErrNoRows) || err == nil && len(moved) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	for _, id := range moved {
		o := byID[id]
		if err := tell(ctx, tx, notice{Kind: noticeOrderPlaced, Relation: o.RelationID, Reference: o.Reference, Shares: o.Shares, Amount: o.Amount,
			Day: o.TransferDate, Until: o.ExpiresAt}); err != nil {
			return err
		}
	}
	expires := byID[moved[0]].ExpiresAt // they were placed together; one that is later is looked at again by the sweep
	for _, id := range moved {
		if e := byID[id].ExpiresAt; e.After(expires) {
			expires = e
		}
	}
	if remind := expires.Add(-remindBefore); remind.After(now) {
		if err := publishOrders(ctx, tx, eventOrdersRemind, moved, remind); err != nil {
			return err
		}
	}
	return publishOrders(ctx, tx, eventOrdersExpire, moved, expires)
}

// payLink is where the caller pays an order: the payment that is open or, when it is no longer, a new one (7.6-get-paylink).
func (s *service) payLink(ctx context.Context, id string) (string, error) {
	o, err := s.orderMine(ctx, id)
	if err != nil {
		return "", err
	}
	if o.Status != orderAwaiting || !s.host.Now().Before(o.ExpiresAt) {
		return "", errNotPayable // 7.6-paylink-status
	}
	all, err := s.paymentsOf(ctx, id)
	if err != nil {
		return "", err
	}
	now := s.host.Now()
	for _, p := range all {
		if p.State != string(payOpen) || !now.Before(p.ExpiresAt) {
			continue
		}
		err := s.settlePayment(ctx, p) // has it been paid, or did it fail, without our hearing of it?
		switch is, err2 := s.paymentWith(ctx, "id", p.ID); {
		case err2 != nil:
			return "", err2
		case is.State == string(payOpen): // also when the provider is away: its page may not be
			return p.URL, nil
		case is.State != string(payFailed) && is.State != string(payCancelled) && is.State != string(payExpired):
			return "", errNotPayable
		case err != nil:
			return "", err
		}
	}
	p, err := s.ask(ctx, o, len(all)+1)
	if err != nil {
		return "", err
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		fresh, _, err := orderOf(ctx, tx, module.Label(ctx), id)
		if err != nil {
			return err
		}
		if fresh.Status != orderAwaiting {
			return errNotPayable
		}
		_, err = tx.NewInsert().Model(&p).On("CONFLICT DO NOTHING").Exec(ctx)
		return err
	})
	return p.URL, err
}

// heard is told that something became of a payment, by whoever: it is asked for and never believed. An id that is not known changes
// nothing.
func (s *service) heard(ctx context.Context, providerID string) error {
	p, err := s.paymentWith(ctx, "provider_id", providerID)
	if errors.Is(err, module.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.settlePayment(ctx, p)
}

// settlePayment asks the provider what became of a payment and does what follows from it. It may come late, twice and in any order.
func (s *service) settlePayment(ctx context.Context, p paymentRow) error {
	if p.ProviderID == nil {
		return nil
	}
	pay, err := s.providerOf(ctx, p.Provider)
	if err != nil {
		return err
	}
	found, err := pay.Get(ctx, *p.ProviderID)
	if errors.Is(err, errPaymentUnknown) {
		return nil
	}
	if err != nil {
		return down(err)
	}
	if found.State == payOpen {
		return nil
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		p, err := paymentOf(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		return s.became(ctx, tx, p, found)
	})
}

// became does what follows from what the provider says of a payment.
func (s *service) became(ctx context.Context, tx module.Tx, p paymentRow, found paymentFound) error {
	had := paymentState(p.State)
	now := cut(s.host.Now())
	switch found.State {
	case payFailed, payCancelled, payExpired:
		if had != payOpen {
			return nil
		}
		p.State = string(found.State)
		return storePayment(ctx, tx, p)
	case payRefunded: // perhaps by hand, at the provider
		if had == payRefunded || had == payRefunding { // refund ends what it began, and says so
			return nil
		}
		p.State, p.Late, p.Note = string(payRefunded), true, noteOutside
		return storePayment(ctx, tx, p)
	case payPaid:
		if had == payPaid || had == payRefunding || had == payRefunded {
			return nil
		}
	default:
		return nil
	}
	p.State, p.PaidAt = string(payPaid), &now
	if found.Amount != p.Amount || found.Key != p.ID {
		p.Late, p.Note = true, noteAmount
		return storePayment(ctx, tx, p)
	}
	o, lines, err := orderOf(ctx, tx, module.Label(ctx), p.OrderID)
	if err != nil {
		return err
	}
	switch o.Status {
	case orderCreated, orderAwaiting:
		if err := storePayment(ctx, tx, p); err != nil {
			return err
		}
		return s.buyOrder(ctx, tx, now, &o, lines)
	case orderExpired:
		fresh, ok, err := s.honour(ctx, tx, now, o, lines)
		if err != nil {
			return err
		}
		if p.Late, p.Note = true, noteGone; ok {
			p.OrderID, p.Note = fresh.ID, noteHonoured
			return storePayment(ctx, tx, p)
		}
	case orderCancelled:
		p.Late, p.Note = true, noteEnded
	default: // BOUGHT, COMPLETED
		p.Late, p.Note = true, noteTwice
	}
	return s.wishRefund(ctx, tx, &p)
}

// refundOrder wishes the money of an order back that is undone.
func (s *service) refundOrder(ctx context.Context, tx module.Tx, order string) error {
	var paid []paymentRow
	q := tx.NewSelect().Model(&paid).ApplyQueryBuilder(module.Label(ctx).Where).Where("order_id = ? AND state = ?", order, payPaid).OrderExpr("id")
	if err := locked(tx, q).Scan(ctx); err != nil {
		return err
	}
	for _, p := range paid {
		p.Note = noteUndone
		if err := s.wishRefund(ctx, tx, &p); err != nil {
			return err
		}
	}
	return nil
}

// wishRefund marks a payment whose money goes back, and has that done after the commit.
func (s *service) wishRefund(ctx context.Context, tx module.Tx, p *paymentRow) error {
	p.State = string(payRefunding)
	if p.RefundSince == nil {
		p.RefundSince = new(cut(s.host.Now()))
	}
	if err := storePayment(ctx, tx, *p); err != nil {
		return err
	}
	data, err := json.Marshal(map[string]string{"payment": p.ID})
	if err != nil {
		return err
	}
	return tx.Publish(ctx, module.Event{Type: eventRefund, Key: p.ID, Seq: 1, Data: data})
}

func storePayment(ctx context.Context, tx module.Tx, p paymentRow) error {
	done, err := tx.NewUpdate().Model(&p).Column("order_id", "state", "paid_at", "late", "note", "refund_id", "refund_since", "seen_at").WherePK().Exec(ctx)
	return affected(done, err, module.ErrNotFound)
}

// refund gives the money of a payment back that is REFUNDING; any other stays as it is. What the provider refuses is for staff to
// look at, and tried again by the sweep.
func (s *service) refund(ctx context.Context, id string) error {
	p, err := s.paymentWith(ctx, "id", id)
	if err != nil || p.State != string(payRefunding) || p.ProviderID == nil {
		return err
	}
	pay, err := s.providerOf(ctx, p.Provider)
	if err != nil {
		return err
	}
	refundID, err := pay.Refund(ctx, refundWish{Payment: *p.ProviderID, Key: p.ID, Amount: p.Amount, Description: p.ID})
	refused := errors.Is(err, errPaymentUnknown) || errors.As(err, new(*module.Refused)) && !errors.Is(err, errPaymentKey)
	if err != nil && !refused {
		return again(down(err))
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		p, err := paymentOf(ctx, tx, id)
		if err != nil || p.State != string(payRefunding) {
			return err
		}
		if refused {
			p.Late, p.Note, p.SeenAt = true, noteRefused, nil
			return storePayment(ctx, tx, p)
		}
		if p.State, p.RefundID = string(payRefunded), refundID; p.Note == noteStaff {
			p.SeenAt = new(cut(s.host.Now())) // by who had it given back
		}
		if err := storePayment(ctx, tx, p); err != nil || p.Note == noteUndone {
			return err // whoever undid an order has heard
		}
		o, _, err := orderOf(ctx, tx, module.Label(ctx), p.OrderID)
		if err != nil {
			return err
		}
		return tell(ctx, tx, notice{Kind: noticeRefunded, Relation: o.RelationID, Reference: o.Reference, Refund: p.Amount})
	})
}

// providers are those that labels have chosen: one for each label and key, so that a key that is refused is so for its label only.
type providers struct {
	mu    sync.Mutex
	known map[string]provider
}

// provider takes the money of the call's label.
func (s *service) provider(ctx context.Context) (provider, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	return s.providerOf(ctx, set.Payment.Provider)
}

// providerOf is the one that took a payment, even when the label has chosen another since.
func (s *service) providerOf(ctx context.Context, name string) (provider, error) {
	if name == providerSandbox {
		return &sandbox{s}, nil
	}
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	if set.Payment.Key == "" {
		return nil, fmt.Errorf("%w: marketplace: payments of %s without its key in the settings", module.ErrUnavailable, name)
	}
	secret, err := module.Call[struct {
		Value string `json:"value"`
	}](ctx, s.host.Client, http.MethodGet, "http://core/secrets/"+set.Payment.Key, nil)
	if errors.Is(known(err), module.ErrNotFound) {
		err = fmt.Errorf("%w: marketplace: there is no secret of the name in the settings", module.ErrUnavailable)
	}
	if err != nil {
		return nil, err
	}
	s.providers.mu.Lock()
	defer s.providers.mu.Unlock()
	id := module.ScopeOf(ctx).Label + "\x00" + set.Payment.URL + "\x00" + secret.Value
	p := s.providers.known[id]
	if p == nil {
		p = newMollie(s.host.Web, set.Payment.URL, secret.Value)
		if s.providers.known == nil {
			s.providers.known = map[string]provider{}
		}
		s.providers.known[id] = p
	}
	return p, nil
}
