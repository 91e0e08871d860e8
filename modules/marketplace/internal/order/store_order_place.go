package order

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
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Limits of placing orders together.
const (
	maxPlaced        = 64               // maximum number of orders in one transaction
	placeTimeout     = 20 * time.Second // timeout of the transaction
	MaxOrdersInEvent = 16               // one handler creates the payments of all orders of an event
)

// PendingOrder is a request to place an order, and its outcome.
type PendingOrder struct {
	By      module.Scope
	Request OrderRequest
	Key     string // idempotency key; empty: none
	Digest  string
	ctx     context.Context // contains the label and its settings; outlives the request
	done    chan struct{}   // closed when out and err are set
	out     PlacedOrder
	err     error
}

// PlacedOrder is the outcome of placing an order.
type PlacedOrder struct {
	Outcome string
	Basket  Basket
	Order   *Row // nil: no order was placed
	Lines   []Line
}

// Placer collects the orders that arrive during a transaction and places them together in the next one. A popular offer is one row, which
// only one transaction at a time can write; together, all orders need a single transaction (docs/decisions/0023).
type Placer struct {
	db      module.DB
	now     func() time.Time
	charges ReadCharges
	mu      sync.Mutex
	by      map[string]*placeQueue // key: label
}

// ReadCharges reads the administration costs that the calling label charges with orders for some projects.
type ReadCharges func(ctx context.Context, db module.Querier, projects []string) (Charges, error)

type placeQueue struct {
	waiting []*PendingOrder
	running bool
}

// NewPlacer returns a placer that stores orders in db. now is its clock, and charges reads the administration costs.
func NewPlacer(db module.DB, now func() time.Time, charges ReadCharges) *Placer {
	return &Placer{db: db, now: now, charges: charges, by: map[string]*placeQueue{}}
}

// Place places an order and waits for the outcome. When ctx ends first, the order may still be placed: a request with the same idempotency
// key returns it.
func (p *Placer) Place(ctx context.Context, pending *PendingOrder) (PlacedOrder, error) {
	if pending.By.ReadOnly {
		return PlacedOrder{}, problem.ErrReadOnly
	}
	pending.ctx, pending.done = context.WithoutCancel(ctx), make(chan struct{})
	p.mu.Lock()
	q := p.by[pending.By.Label]
	if q == nil {
		q = &placeQueue{}
		p.by[pending.By.Label] = q
	}
	q.waiting = append(q.waiting, pending)
	if !q.running {
		q.running = true
		go p.work(q)
	}
	p.mu.Unlock()
	select {
	case <-pending.done:
		return pending.out, pending.err
	case <-ctx.Done():
		return PlacedOrder{}, ctx.Err()
	}
}

// work places orders until none is waiting, which may never happen under load: each batch uses the settings of its newest request.
func (p *Placer) work(q *placeQueue) {
	for {
		batch := p.next(q)
		if len(batch) == 0 {
			return
		}
		p.placeTogether(batch[len(batch)-1].ctx, batch)
		for _, pending := range batch {
			close(pending.done)
		}
	}
}

// next takes the oldest waiting orders, one for each buyer: the second order of a double click must see the basket that the first one
// leaves.
func (p *Placer) next(q *placeQueue) (batch []*PendingOrder) {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := map[string]bool{}
	q.waiting = slices.DeleteFunc(q.waiting, func(pending *PendingOrder) bool {
		if len(batch) == maxPlaced || seen[pending.Request.Buyer] {
			return false
		}
		seen[pending.Request.Buyer] = true
		batch = append(batch, pending)
		return true
	})
	q.running = len(batch) > 0
	return batch
}

// placeTogether places a batch in one transaction. When that fails, it places each order alone, so that no order fails because of another.
func (p *Placer) placeTogether(ctx context.Context, batch []*PendingOrder) {
	ctx, cancel := context.WithTimeout(ctx, placeTimeout)
	defer cancel()
	err := p.placeRecovering(ctx, batch)
	if err == nil {
		return
	}
	if len(batch) == 1 || ctx.Err() != nil {
		for _, pending := range batch {
			pending.err = err
		}
		return
	}
	for i, pending := range batch {
		if err := p.placeRecovering(ctx, batch[i:i+1]); err != nil {
			pending.err = err
		}
	}
}

// placeRecovering converts a panic to an error, so that waiting callers get a response.
func (p *Placer) placeRecovering(ctx context.Context, batch []*PendingOrder) (err error) {
	err = errors.New("marketplace: a panic while placing orders")
	defer func() {
		if v := recover(); v != nil {
			problem.Observe(ctx, err)
		}
	}()
	return p.placeAll(ctx, batch)
}

// placeAll places orders in one transaction. It locks baskets and offers, decides on each pending order in the order of arrival, based on
// the shares that earlier ones have left, and writes the outcomes with one statement for each table and offer.
func (p *Placer) placeAll(ctx context.Context, batch []*PendingOrder) error {
	all := module.Label(ctx, "orders of several buyers are placed in one transaction")
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return err
	}
	buyers := make([]string, len(batch))
	for i, pending := range batch {
		buyers[i] = pending.Request.Buyer
	}
	return p.db.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		now := state.StoredTime(p.now())
		b := orderBatch{set: set, now: now, today: module.Today(ctx, now), label: all.Key(), taken: map[string]int64{}}
		if err := lockBaskets(ctx, tx, buyers...); err != nil {
			return err
		}
		var rows []basketRow
		err := all.SelectForUpdate(tx, &rows).Where("relation_id IN (?)", bun.List(buyers)).OrderExpr("relation_id, added_at, offer_id").Scan(ctx)
		if err != nil {
			return err
		}
		known, err := ordersOfKeys(ctx, tx, batch) // the baskets are locked: another process may just have placed the order with the same key
		if err != nil {
			return err
		}
		lines, err := withOffers(ctx, rows, func(all module.Rows, offers *[]offer.Offer) *bun.SelectQuery {
			return all.SelectForUpdate(tx, offers)
		})
		if err != nil {
			return err
		}
		if b.charges, err = p.charges(ctx, tx, ProjectsOf(lines)); err != nil {
			return err
		}
		baskets := map[string][]BasketLine{}
		for _, l := range lines {
			baskets[l.RelationID] = append(baskets[l.RelationID], l)
		}
		for _, pending := range batch {
			pending.out, pending.err = b.decide(pending, known[pending.Request.Buyer], baskets[pending.Request.Buyer])
		}
		return b.write(ctx, tx)
	})
}

// orderBatch collects what a transaction of placeAll writes.
type orderBatch struct {
	set     *Settings
	charges Charges
	now     time.Time
	today   value.Day
	label   string
	taken   map[string]int64 // shares taken so far, by offer
	lots    []ledger.Lot
	orders  []Row
	lines   []Line
	gone    [][]string // relation and offer of each line to remove from a basket
}

// decide decides on one pending order and subtracts its shares from the offers for the orders after it.
func (b *orderBatch) decide(pending *PendingOrder, known *Row, lines []BasketLine) (out PlacedOrder, err error) {
	if known != nil {
		if known.Digest != pending.Digest {
			return out, operation.ErrKeyReused
		}
		return PlacedOrder{Outcome: PlacedSuccess, Basket: b.basket(lines), Order: known}, nil
	}
	outcome, kept := decideOrder(pending.Request, lines, b.today, b.set.Transfer, b.charges)
	out.Outcome = outcome
	if outcome != PlacedSuccess {
		out.Basket = b.basket(kept)
		for _, l := range lines {
			if outcome == placedUnavailable && !l.isOrderable() {
				b.gone = append(b.gone, []string{l.RelationID, l.OfferID})
			}
		}
		return out, nil
	}
	o := Row{LabelKey: b.label, ID: value.NewID(), Reference: newReference(), RelationID: pending.Request.Buyer, Status: Created,
		TransferDate: pending.Request.Start, PlacedAt: b.now,
		ExpiresAt: state.StoredTime(b.now.Add(time.Duration(b.set.Order.ReservationDays) * 24 * time.Hour)), Digest: pending.Digest,
		AdministrationCosts: b.charges.On(pending.Request.Start, ProjectsOf(lines))}
	if pending.Key != "" {
		o.IdempotencyKey = &pending.Key
	}
	for _, l := range lines {
		o.Amount += value.Cents(l.Shares) * l.offer.Price
		o.Shares += l.Shares
		o.PrivateDeal = o.PrivateDeal || l.offer.Type == offer.Direct
		l.offer.Left -= l.Shares
		b.taken[l.OfferID] += l.Shares
		b.lots = append(b.lots, ledger.Lot{Participation: l.offer.ParticipationID, Shares: l.Shares, Ref: o.ID, By: pending.By})
		b.gone = append(b.gone, []string{l.RelationID, l.OfferID})
		out.Lines = append(out.Lines, Line{LabelKey: b.label, OrderID: o.ID, OfferID: l.OfferID, OfferReference: l.offer.Reference,
			ProjectCode: l.offer.ProjectCode, ProjectName: l.offer.ProjectName, Shares: l.Shares, Price: l.offer.Price,
			SellerParticipation: l.offer.ParticipationID, Address: l.basketRow.Address})
	}
	byOffer(out.Lines)
	b.orders, b.lines = append(b.orders, o), append(b.lines, out.Lines...)
	out.Order, out.Basket = &o, b.basket(nil)
	return out, nil
}

// basket returns the basket for some lines.
func (b *orderBatch) basket(lines []BasketLine) Basket {
	return NewBasket(lines, b.today, b.set.Transfer, b.charges)
}

// write stores the outcomes of the batch.
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
	for some := range slices.Chunk(ids, MaxOrdersInEvent) {
		if err := Publish(ctx, tx, marketplaceapi.EventOrdersPlaced, some, time.Time{}); err != nil {
			return err
		}
	}
	return nil
}

// ordersOfKeys reads the orders that were placed with the idempotency keys of a batch, keyed by buyer.
func ordersOfKeys(ctx context.Context, tx module.Tx, batch []*PendingOrder) (map[string]*Row, error) {
	all := module.Label(ctx, "orders of several buyers are placed in one transaction")
	var keys [][]string
	for _, pending := range batch {
		if pending.Key != "" {
			keys = append(keys, []string{pending.Request.Buyer, pending.Key})
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	var rows []Row
	err := all.Select(tx, &rows).Where("(relation_id, idempotency_key) IN ?", bun.Tuple(keys)).Scan(ctx)
	out := make(map[string]*Row, len(rows))
	for i := range rows {
		out[rows[i].RelationID] = &rows[i]
	}
	return out, err
}
