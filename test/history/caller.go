package history

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

type object = map[string]any

// decode decodes a response.
func decode[T any](h *History, raw []byte) (out T) {
	if err := json.Unmarshal(raw, &out); err != nil {
		h.t.Errorf("an answer that cannot be read: %v: %s", err, raw)
	}
	return out
}

// caller is one device of a member, or a member of staff.
type caller struct {
	*History
	client int
	who    int8
	rand   *rand.Rand
}

func (h *History) caller(client int, who int8) *caller {
	return &caller{h, client, who, rand.New(rand.NewPCG(h.Seed, uint64(client)))}
}

func (c *caller) request(method, path string, body any, header ...string) (int, []byte) {
	token := c.Staff
	if c.who >= 0 {
		token = c.People[c.who].Token
	}
	return c.History.request(c.rand.IntN(2), method, path, token(), body, header...)
}

// run makes the calls of a member. Two thirds of them change something.
func (c *caller) run() {
	for i := range c.Calls {
		if c.Think > 0 {
			<-time.After(time.Duration(c.rand.Int64N(2 * int64(c.Think))))
		}
		if c.Silent && c.rand.IntN(4) == 0 {
			c.notifyLate()
		}
		switch n := c.rand.IntN(20); {
		case n < 2:
			c.sell(int16(i))
		case n < 3:
			c.retract()
		case n < 9:
			if c.fill() && c.rand.IntN(4) > 0 || c.rand.IntN(8) == 0 {
				c.place(int16(c.client/Members*1000+i), c.rand.IntN(4) == 0) // the second device uses other keys
			}
		case n < 12:
			c.pay()
		case n < 14:
			c.cancel()
		case n < 16:
			c.seeOrders()
		case n < 18:
			c.seeShares()
		default:
			c.seeMarket()
		}
	}
}

// offerOf returns the number of an offer, which is assigned when the offer is first seen.
func (h *History) offerOf(id, reference string, owner int8) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n, ok := h.offerNo[id]
	if !ok {
		n = len(h.offers)
		h.offerNo[id] = n
		h.offers = append(h.offers, seenOffer{id: id, reference: reference, owner: owner})
	}
	return n
}

// orderOf returns the number of an order. placed is the time of the request; 0 when it is unknown.
func (h *History) orderOf(id string, owner int8, placed int64) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n, ok := h.orderNo[id]
	if !ok {
		n = len(h.orders)
		h.orderNo[id] = n
		h.orders = append(h.orders, seenOrder{id: id, owner: owner, placed: placed})
	}
	if o := &h.orders[n]; placed > 0 && (o.placed == 0 || placed < o.placed) {
		o.placed = placed
	}
	return n
}

// some picks an offer, either the caller's own or another member's, usually an approved one.
func (c *caller) some(own bool) (n int, o seenOffer, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var fit []int
	every := c.rand.IntN(8) == 0
	for i, o := range c.offers {
		if (o.owner == c.who) == own && (every || o.approved) && i < maxOffers {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		return 0, o, false
	}
	n = fit[c.rand.IntN(len(fit))]
	return n, c.offers[n], true
}

// mine picks an order of the caller, usually one of the newest.
func (c *caller) mine() (n int, o seenOrder, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var fit []int
	for i, o := range c.orders {
		if o.owner == c.who {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		return 0, o, false
	}
	if len(fit) > 3 && c.rand.IntN(4) > 0 {
		fit = fit[len(fit)-3:]
	}
	n = fit[c.rand.IntN(len(fit))]
	return n, c.orders[n], true
}

func (c *caller) sell(key int16) {
	c.mu.Lock()
	full := len(c.offers) >= maxOffers-Members
	c.mu.Unlock()
	if full {
		return
	}
	q := question{what: "sell", who: c.who, n: int8(3 + c.rand.IntN(8)), price: int8(20 + c.rand.IntN(40))}
	body := object{"participation_identifier": c.People[c.who].Participation, "project_code": c.Project, "date": c.today,
		"number_of_shares": q.n, "price": q.price}
	call := c.now()
	for range maxTries {
		status, raw := c.request(http.MethodPost, "/sustainable/offers", body, "Idempotency-Key",
			fmt.Sprintf("%s-%d-%d", c.Project, c.client, key))
		switch {
		case status == 0: // repeat the request with the same key
			<-time.After(time.Millisecond)
			continue
		case status >= 400:
			c.note(c.client, q, answer{refused: true}, call, c.now())
			return
		}
		end := c.now()
		made := decode[struct{ Identifier, Reference string }](c.History, raw)
		c.note(c.client, q, answer{offer: c.offerOf(made.Identifier, made.Reference, c.who)}, call, end)
		return
	}
	c.count(&c.Stuck)
}

func (c *caller) retract() {
	n, o, ok := c.some(true)
	if !ok {
		return
	}
	q := question{what: "retract", who: c.who, offer: n, n: int8(1 + c.rand.IntN(3))}
	c.simple(q, http.MethodPost, "/sustainable/offers/retract", object{"reference": o.reference, "shares": q.n})
}

// simple makes a call that is either done or refused, and reports whether it was done.
func (c *caller) simple(q question, method, path string, body any) bool {
	call := c.now()
	status, _ := c.request(method, path, body)
	if status != http.StatusTooManyRequests {
		c.note(c.client, q, answer{lost: status == 0, refused: status >= 400}, call, c.now())
	}
	return status > 0 && status < 400
}

// fill puts shares into the basket and reports whether that was possible.
func (c *caller) fill() bool {
	n, o, ok := c.some(false)
	if !ok {
		return false
	}
	q := question{what: "fill", who: c.who, offer: n, n: int8(1 + c.rand.IntN(4))}
	return c.simple(q, http.MethodPost, "/sustainable/basket",
		object{"offer": object{"identifier": o.id, "shares": q.n, "address": Home(c.who)}})
}

// Home returns the address of a member's participation, to which bought shares are added.
func Home(who int8) object {
	return object{"street_name": "Molenweg", "house_number": fmt.Sprint(who + 1), "house_postfix": "", "postal_code": "9861GT",
		"city": "Grootegast"}
}

// place orders the basket. A double click (twice) sends the same request twice at once.
func (c *caller) place(key int16, twice bool) {
	c.mu.Lock()
	full := len(c.orders) >= maxOrders-4*Members
	c.mu.Unlock()
	if full {
		return
	}
	q := question{what: "place", who: c.who, key: key, later: c.rand.IntN(2) == 0}
	start := c.today
	if q.later {
		start = c.later
	}
	body := object{"waiveWithdrawalPeriod": true, "start_date": start}
	header := fmt.Sprintf("%s-%d", c.Project, key) // two members may use the same key
	send := func(c *caller) {
		first := c.now()
		for range maxTries {
			call := c.now()
			status, raw := c.request(http.MethodPost, "/sustainable/basket/order", body, "Idempotency-Key", header)
			end := c.now()
			if status == 0 { // the call may have removed unavailable items from the basket; the next try returns an order
				c.note(c.client, q, answer{lost: true}, call, end)
				<-time.After(time.Millisecond)
				continue
			}
			if status != http.StatusOK {
				c.note(c.client, q, answer{outcome: fmt.Sprint(status)}, call, end)
				return
			}
			made := decode[struct {
				Status string
				Order  *struct {
					ID     string `json:"deal_identifier"`
					Amount float64
				}
			}](c.History, raw)
			a := answer{outcome: made.Status}
			if made.Order != nil {
				call = first // any of the tries may have placed the order
				a.order, a.amount = c.orderOf(made.Order.ID, c.who, call), int(made.Order.Amount)
			}
			c.note(c.client, q, a, call, end)
			return
		}
		c.count(&c.Stuck)
	}
	if !twice {
		send(c)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { send(c) })
	wg.Go(func() { send(c.History.caller(c.client+100, c.who)) })
	wg.Wait()
}

// maxTries is the maximum number of times that a call without a response is repeated.
const maxTries = 100

// pay gets the payment link of an order and pays at the provider, which repeats a notification that failed.
func (c *caller) pay() {
	n, o, ok := c.mine()
	if !ok {
		return
	}
	call := c.now()
	status, raw := c.request(http.MethodPost, "/sustainable/orders/"+o.id+"/paylink", nil)
	if status == 0 {
		return
	}
	c.note(c.client, question{what: "link", who: c.who, order: n}, answer{refused: status >= 400}, call, c.now())
	if status != http.StatusOK {
		return
	}
	link, err := url.Parse(decode[struct{ URL string }](c.History, raw).URL)
	if err != nil {
		c.t.Error(err)
		return
	}
	payment := link.Path[strings.LastIndex(link.Path, "/")+1:]
	if c.Silent {
		c.payInSilence(n, payment)
		return
	}
	call = c.now()
	for try := range maxTries {
		status, raw = c.request(http.MethodPost, "/sustainable/sandbox/"+payment, url.Values{"do": {"pay"}})
		paid := strings.HasPrefix(string(raw), "/thank-you")
		if status == http.StatusSeeOther && !paid && try > 0 { // an earlier try chose the outcome: now the provider notifies the portal
			status, _ = c.request(http.MethodPost, "/sustainable/payments/webhook", url.Values{"id": {payment}})
			paid = status == http.StatusOK
		}
		if status != 0 {
			c.note(c.client, question{what: "pay", who: c.who, order: n}, answer{refused: !paid}, call, c.now())
			return
		}
	}
	c.count(&c.Stuck)
}

// payInSilence pays at a provider that sends no notifications. Instead, the history notifies the portal: immediately, repeatedly, late, or
// never.
func (c *caller) payInSilence(order int, payment string) {
	p := &paidOrder{order: order, payment: payment, at: c.now()}
	for range maxTries {
		status, _ := c.request(http.MethodPost, "/sustainable/sandbox/"+payment, url.Values{"do": {"pay"}})
		if status == 0 || status == http.StatusTooManyRequests {
			continue
		}
		c.mu.Lock()
		if repeat := slices.IndexFunc(c.paid, func(o *paidOrder) bool { return o.payment == payment }); repeat >= 0 ||
			status != http.StatusSeeOther {
			if repeat >= 0 { // the other device already paid
				c.paid[repeat].at = min(c.paid[repeat].at, p.at)
			}
			c.mu.Unlock()
			return
		}
		c.paid = append(c.paid, p)
		how := c.rand.IntN(8) // 0, 1: never; 2, 3: late; 4: immediately and again; 5 to 7: several times at once
		if how >= 2 && how <= 4 {
			c.late = append(c.late, p)
		}
		if how != 5 {
			c.Disordered++
		}
		c.mu.Unlock()
		if how > 3 {
			var wg sync.WaitGroup
			for i := range how - 3 {
				other := c.History.caller(c.client+700+i, c.who)
				wg.Go(func() { other.notify(p) })
			}
			wg.Wait()
		}
		return
	}
	c.count(&c.Stuck)
}

// notify sends the notification of a payment, as its provider does, until the portal accepts it.
func (c *caller) notify(p *paidOrder) {
	for range maxTries {
		if status, _ := c.request(http.MethodPost, "/sustainable/payments/webhook", url.Values{"id": {p.payment}}); status == http.StatusOK {
			c.knows(p)
			return
		}
	}
	c.count(&c.Stuck)
}

// notifyLate sends a random one of the late notifications.
func (c *caller) notifyLate() {
	c.mu.Lock()
	if len(c.late) == 0 {
		c.mu.Unlock()
		return
	}
	i := c.rand.IntN(len(c.late))
	p := c.late[i]
	c.late = slices.Delete(c.late, i, i+1)
	c.mu.Unlock()
	c.notify(p)
}

func (c *caller) cancel() {
	if n, o, ok := c.mine(); ok {
		c.simple(question{what: "cancel", who: c.who, order: n}, http.MethodDelete, "/sustainable/orders/"+o.id, nil)
	}
}

var statuses = map[string]int8{"CREATED": unpaid, "AWAITING_PAYMENT": unpaid, "BOUGHT": bought, "COMPLETED": completed,
	"CANCELLED": canceled}

// seeOrders reads the orders of the member, and returns how many of them wait for their transfer.
func (c *caller) seeOrders() (waiting int) {
	call := c.now()
	status, raw := c.request(http.MethodGet, "/sustainable/orders", nil)
	if status != http.StatusOK {
		return 1
	}
	end := c.now()
	a := answer{orders: map[int]int8{}}
	for _, o := range decode[[]struct {
		ID     string `json:"deal_identifier"`
		Status string
		Offers []struct {
			Project string `json:"project_code"`
		}
		Transfer string `json:"transfer_date"`
	}](c.History, raw) {
		if len(o.Offers) == 0 || o.Offers[0].Project != c.Project {
			continue
		}
		later := o.Transfer != c.today
		is := statuses[o.Status]
		a.orders[c.orderOf(o.ID, c.who, 0)] = is
		if is == bought && !later {
			waiting++
		}
	}
	c.note(c.client, question{what: "my orders", who: c.who}, a, call, end)
	return waiting
}

func (c *caller) seeShares() {
	call := c.now()
	status, raw := c.request(http.MethodGet, "/sustainable/projects", nil)
	if status != http.StatusOK {
		return
	}
	end := c.now()
	a := answer{}
	for _, p := range decode[[]struct {
		Code           string `json:"project_code"`
		Participations []struct {
			Share     int8
			Available int8 `json:"availableShares"`
		}
	}](c.History, raw) {
		for _, x := range p.Participations {
			if p.Code == c.Project {
				a.share, a.free = a.share+x.Share, a.free+x.Available
			}
		}
	}
	c.note(c.client, question{what: "my shares", who: c.who}, a, call, end)
}

func (c *caller) seeMarket() {
	call := c.now()
	status, raw := c.request(http.MethodPost, "/sustainable/market?size=100",
		object{"filters": object{"project_code": c.Project, "my_offer": false}})
	if status != http.StatusOK {
		return
	}
	end := c.now()
	a := answer{offers: map[int][2]int8{}}
	for _, o := range decode[struct {
		Content []struct {
			Identifier, Reference string
			Shares                int8
			Sold                  int8 `json:"shares_sold"`
		}
	}](c.History, raw).Content {
		a.offers[c.offerOf(o.Identifier, o.Reference, -1)] = [2]int8{o.Shares, o.Sold}
	}
	c.note(c.client, question{what: "market", who: c.who}, a, call, end)
}

// decide approves the pending offers of the history until stop is closed.
func (c *caller) decide(stop <-chan struct{}) {
	for {
		status, raw := c.request(http.MethodGet, "/staff/changes?state=PENDING&kind=marketplace.offer&limit=50", nil)
		if status == http.StatusOK {
			for _, x := range decode[struct{ Items []struct{ ID, Key string } }](c.History, raw).Items {
				c.mu.Lock()
				n, known := c.offerNo[x.Key]
				c.mu.Unlock()
				if known {
					c.simple(question{what: "approve", who: -1, offer: n}, http.MethodPost, "/staff/changes/"+x.ID+"/decision",
						object{"state": "PROCESSED"})
				}
			}
		} else if status != 0 {
			c.t.Errorf("staff get %d %s", status, raw)
			return
		}
		select {
		case <-stop:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}
