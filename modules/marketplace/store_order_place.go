package marketplace

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Bounds of placing orders together.
const (
	placeMost   = 64               // orders in one transaction
	placeWithin = 20 * time.Second // for all of them
	eventMost   = 16               // orders in one event: so many payments are made by one handling of it
)

// placing is an order on its way into the database.
type placing struct {
	by     module.Scope
	wish   orderWish
	key    string // of idempotency; empty: none
	digest string
	done   chan struct{} // closed when the two below are there
	out    placedOrder
	err    error
}

// placedOrder is what came of it.
type placedOrder struct {
	outcome string
	basket  Basket
	order   *orderRow // nil: none was placed
	lines   []orderLineRow
}

// placer puts the orders that arrive while a transaction is under way into the next one together. A hot offer is one row, which
// one transaction at a time can write: what they all wait for is paid once for all of them (docs/decisions/0023).
type placer struct {
	run func(context.Context, []*placing) error
	mu  sync.Mutex
	by  map[string]*placeQueue // label
}

type placeQueue struct {
	waiting []*placing
	running bool
}

func newPlacer(run func(context.Context, []*placing) error) *placer {
	return &placer{run: run, by: map[string]*placeQueue{}}
}

// place has an order placed and waits for it. A caller that leaves may have ordered: an idempotency key tells.
func (p *placer) place(ctx context.Context, w *placing) (placedOrder, error) {
	if w.by.ReadOnly {
		return placedOrder{}, problem.ErrReadOnly
	}
	w.done = make(chan struct{})
	p.mu.Lock()
	q := p.by[w.by.Label]
	if q == nil {
		q = &placeQueue{}
		p.by[w.by.Label] = q
	}
	q.waiting = append(q.waiting, w)
	if !q.running {
		q.running = true
		go p.work(context.WithoutCancel(ctx), q)
	}
	p.mu.Unlock()
	select {
	case <-w.done:
		return w.out, w.err
	case <-ctx.Done():
		return placedOrder{}, ctx.Err()
	}
}

// work places what waits until nothing does. ctx gives it the label and its settings.
func (p *placer) work(ctx context.Context, q *placeQueue) {
	for {
		batch := p.next(q)
		if len(batch) == 0 {
			return
		}
		p.together(ctx, batch)
		for _, w := range batch {
			close(w.done)
		}
	}
}

// next takes the oldest that wait, one of each buyer: the second order of a double click finds the basket as the first has left it.
func (p *placer) next(q *placeQueue) (batch []*placing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := map[string]bool{}
	q.waiting = slices.DeleteFunc(q.waiting, func(w *placing) bool {
		if len(batch) == placeMost || seen[w.wish.Buyer] {
			return false
		}
		seen[w.wish.Buyer] = true
		batch = append(batch, w)
		return true
	})
	q.running = len(batch) > 0
	return batch
}

// together places a batch in one transaction. Should that fail, each is tried alone, so that nobody fails for another.
func (p *placer) together(ctx context.Context, batch []*placing) {
	ctx, cancel := context.WithTimeout(ctx, placeWithin)
	defer cancel()
	err := p.safely(ctx, batch)
	if err == nil {
		return
	}
	if len(batch) == 1 || ctx.Err() != nil {
		for _, w := range batch {
			w.err = err
		}
		return
	}
	for i, w := range batch {
		if err := p.safely(ctx, batch[i:i+1]); err != nil {
			w.err = err
		}
	}
}

// safely turns a panic into an error: those who wait must hear.
func (p *placer) safely(ctx context.Context, batch []*placing) (err error) {
	err = errors.New("marketplace: a panic while placing orders")
	defer func() {
		if v := recover(); v != nil {
			problem.Observe(ctx, err)
		}
	}()
	return p.run(ctx, batch)
}

// placeAll places orders in one transaction: baskets and offers are read under lock, each wish is judged in the order of arrival
// against what those before it have left, and what comes of all of them is written with as few statements as there are tables.
func (s *service) placeAll(ctx context.Context, batch []*placing) error {
	all := module.Label(ctx, "orders of several buyers are placed in one transaction")
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return err
	}
	buyers := make([]string, len(batch))
	for i, w := range batch {
		buyers[i] = w.wish.Buyer
	}
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		now := state.StoredTime(s.host.Now())
		b := orderBatch{s: s, set: set, now: now, today: module.Today(ctx, now), label: all.Key(), taken: map[string]int64{}}
		known, err := ordersOfKeys(ctx, tx, batch)
		if err != nil {
			return err
		}
		var rows []basketRow
		err = all.SelectForUpdate(tx, &rows).Where("relation_id IN (?)", bun.List(buyers)).OrderExpr("relation_id, added_at, offer_id").Scan(ctx)
		if err != nil {
			return err
		}
		lines, err := withOffers(ctx, rows, func(all module.Rows, offers *[]offer.Offer) *bun.SelectQuery {
			return all.SelectForUpdate(tx, offers)
		})
		if err != nil {
			return err
		}
		baskets := map[string][]basketLine{}
		for _, l := range lines {
			baskets[l.RelationID] = append(baskets[l.RelationID], l)
		}
		for _, w := range batch {
			w.out, w.err = b.judge(w, known[w.wish.Buyer], baskets[w.wish.Buyer])
		}
		return b.write(ctx, tx)
	})
}

// orderBatch collects what a transaction of placeAll writes.
type orderBatch struct {
	s      *service
	set    *Settings
	now    time.Time
	today  value.Day
	label  string
	taken  map[string]int64 // offer -> shares
	lots   []ledger.Lot
	orders []orderRow
	lines  []orderLineRow
	gone   [][]string // (relation, offer): out of a basket
}

// judge decides on one wish, and takes its shares off the offers that those after it see.
func (b *orderBatch) judge(w *placing, known *orderRow, lines []basketLine) (out placedOrder, err error) {
	if known != nil {
		if known.Digest != w.digest {
			return out, errKeyReused
		}
		return placedOrder{outcome: placedSuccess, basket: newBasket(lines, b.today, b.set.Transfer), order: known}, nil
	}
	outcome, kept := judgeOrder(w.wish, lines, b.today, b.set.Transfer)
	out.outcome = outcome
	if outcome != placedSuccess {
		out.basket = newBasket(kept, b.today, b.set.Transfer)
		for _, l := range lines {
			if outcome == placedUnavailable && !l.good() {
				b.gone = append(b.gone, []string{l.RelationID, l.OfferID})
			}
		}
		return out, nil
	}
	o := orderRow{LabelKey: b.label, ID: value.NewID(), Reference: newReference(), RelationID: w.wish.Buyer, Status: orderCreated,
		TransferDate: w.wish.Start, PlacedAt: b.now, ExpiresAt: state.StoredTime(b.now.Add(time.Duration(b.set.Order.ReservationDays) * 24 * time.Hour)),
		Digest: w.digest}
	if w.key != "" {
		o.IdempotencyKey = &w.key
	}
	for _, l := range lines {
		o.Amount += value.Cents(l.Shares) * l.offer.Price
		o.Shares += l.Shares
		o.PrivateDeal = o.PrivateDeal || l.offer.Type == offer.Direct
		l.offer.Left -= l.Shares
		b.taken[l.OfferID] += l.Shares
		b.lots = append(b.lots, ledger.Lot{Participation: l.offer.ParticipationID, Shares: l.Shares, Ref: o.ID, By: w.by})
		b.gone = append(b.gone, []string{l.RelationID, l.OfferID})
		out.lines = append(out.lines, orderLineRow{LabelKey: b.label, OrderID: o.ID, OfferID: l.OfferID, OfferReference: l.offer.Reference,
			ProjectCode: l.offer.ProjectCode, ProjectName: l.offer.ProjectName, Shares: l.Shares, Price: l.offer.Price,
			SellerParticipation: l.offer.ParticipationID, Address: l.basketRow.Address})
	}
	byOffer(out.lines)
	b.orders, b.lines = append(b.orders, o), append(b.lines, out.lines...)
	out.order, out.basket = &o, newBasket(nil, b.today, b.set.Transfer)
	return out, nil
}

// write writes what was decided.
func (b *orderBatch) write(ctx context.Context, tx module.Tx) error {
	rows := module.Label(ctx, "orders of several buyers are placed in one transaction")
	offers := make([]string, 0, len(b.taken))
	for id := range b.taken {
		offers = append(offers, id)
	}
	slices.Sort(offers)
	for _, id := range offers {
		if err := offer.Reserve(ctx, tx, id, b.taken[id]); err != nil {
			return err
		}
	}
	if err := ledger.Reserve(ctx, tx, b.now, b.lots...); err != nil {
		return err
	}
	if len(b.gone) > 0 {
		_, err := rows.Delete(tx, (*basketRow)(nil)).
			Where("(relation_id, offer_id) IN ?", bun.Tuple(b.gone)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	if len(b.orders) == 0 {
		return nil
	}
	if _, err := rows.Insert(tx, &b.orders).Exec(ctx); err != nil {
		return err
	}
	if _, err := rows.Insert(tx, &b.lines).Exec(ctx); err != nil {
		return err
	}
	ids := make([]string, len(b.orders))
	for i, o := range b.orders {
		ids[i] = o.ID
	}
	for some := range slices.Chunk(ids, eventMost) {
		if err := publishOrders(ctx, tx, marketplaceapi.EventOrdersPlaced, some, time.Time{}); err != nil {
			return err
		}
	}
	return nil
}

// ordersOfKeys finds the orders that were placed with the idempotency keys of a batch, by buyer.
func ordersOfKeys(ctx context.Context, tx module.Tx, batch []*placing) (map[string]*orderRow, error) {
	all := module.Label(ctx, "orders of several buyers are placed in one transaction")
	var keys [][]string
	for _, w := range batch {
		if w.key != "" {
			keys = append(keys, []string{w.wish.Buyer, w.key})
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	var rows []orderRow
	err := all.Select(tx, &rows).Where("(relation_id, idempotency_key) IN ?", bun.Tuple(keys)).Scan(ctx)
	out := make(map[string]*orderRow, len(rows))
	for i := range rows {
		out[rows[i].RelationID] = &rows[i]
	}
	return out, err
}
