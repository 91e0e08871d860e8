package history

import (
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/anishathalye/porcupine"
)

// The model: the responses that members may get while they buy and sell shares of one project. It is independent of the program except for
// the meaning of the calls. A state has a fixed size, so that the checker can copy and compare it cheaply.
const (
	Members   = 4
	maxOffers = 12
	maxOrders = 64
	Begun     = 20 // shares of each member at the beginning
)

// Statuses of offers and orders; zero means that there is none.
const (
	created, active, sold, revoked      int8 = 1, 2, 3, 4
	unpaid, bought, completed, canceled int8 = 1, 2, 3, 4
)

type offerState struct{ status, owner, price, left, reserved, held, gone int8 }

type orderState struct {
	status, buyer int8
	key           int16
	later         bool // its transfer date is a later day; until then the order can be undone
	lines         [maxOffers]int8
}

type market struct {
	share, free [Members]int8
	offers      [maxOffers]offerState
	orders      [maxOrders]orderState
	baskets     [Members][maxOffers]int8
}

// question is a call and answer its response. Offers and orders are numbered in the order in which they were first seen.
type question struct {
	what         string
	who          int8
	offer, order int
	n, price     int8
	key          int16
	later        bool
}

type answer struct {
	lost         bool // the connection broke: the call was executed, or not
	refused      bool
	outcome      string
	offer, order int
	amount       int
	share, free  int8
	orders       map[int]int8    // order -> status
	offers       map[int][2]int8 // offer -> shares left and sold
}

// step returns whether a response is possible in a state, and the next state.
func (s market) step(q question, a answer) (bool, market) {
	switch q.what {
	case "sell":
		if a.refused {
			return s.free[q.who] < q.n, s
		}
		ok := s.free[q.who] >= q.n && s.offers[a.offer].status == 0
		s.free[q.who] -= q.n
		s.offers[a.offer] = offerState{status: created, owner: q.who, price: q.price, left: q.n}
		return ok, s
	case "approve":
		o := &s.offers[q.offer]
		if a.refused {
			return true, s // another decision or a retraction was first
		}
		ok := o.status == created
		o.status = active
		return ok, s
	case "retract":
		o := &s.offers[q.offer]
		can := (o.status == created || o.status == active) && o.left >= q.n
		if a.refused || !can {
			return a.refused && !can, s
		}
		o.left -= q.n
		s.free[o.owner] += q.n
		if o.left == 0 && o.reserved == 0 {
			if o.status = revoked; o.held+o.gone > 0 {
				o.status = sold
			}
		}
		return true, s
	case "fill":
		if !a.refused {
			s.baskets[q.who][q.offer] = q.n
		}
		return a.refused || s.offers[q.offer].owner != q.who, s
	case "place":
		return s.place(q, a)
	case "link":
		return (s.orders[q.order].status == unpaid) == !a.refused, s
	case "pay": // a payment for a canceled order is refunded
		if s.orders[q.order].status == unpaid && !a.refused {
			s.orders[q.order].status = bought
			s.each(q.order, func(o *offerState, n int8) {
				o.reserved, o.held = o.reserved-n, o.held+n
				if o.left == 0 && o.reserved == 0 {
					o.status = sold
				}
			})
		}
		return true, s
	case "cancel":
		d := &s.orders[q.order]
		can := d.status == unpaid || d.status == bought && d.later
		if a.refused || !can {
			return a.refused && !can, s
		}
		paid := d.status == bought
		d.status = canceled
		s.each(q.order, func(o *offerState, n int8) {
			switch {
			case !paid:
				o.reserved, o.left = o.reserved-n, o.left+n
			case o.status == active:
				o.held, o.left = o.held-n, o.left+n
			default:
				o.held, s.free[o.owner] = o.held-n, s.free[o.owner]+n
			}
		})
		return true, s
	case "transfer": // made by the portal, once the order is paid and its transfer date has been reached
		d := &s.orders[q.order]
		ok := d.status == bought && !d.later
		d.status = completed
		s.each(q.order, func(o *offerState, n int8) {
			o.held, o.gone, s.share[o.owner] = o.held-n, o.gone+n, s.share[o.owner]-n
			s.share[d.buyer], s.free[d.buyer] = s.share[d.buyer]+n, s.free[d.buyer]+n
		})
		return ok, s
	case "my orders":
		n := 0
		for i, d := range s.orders {
			if d.status != 0 && d.buyer == q.who {
				if n++; a.orders[i] != d.status {
					return false, s
				}
			}
		}
		return n == len(a.orders), s
	case "my shares":
		return s.share[q.who] == a.share && s.free[q.who] == a.free, s
	case "market":
		n := 0
		for i, o := range s.offers {
			if o.status == active && o.left > 0 && o.owner != q.who {
				if n++; a.offers[i] != [2]int8{o.left, o.held + o.gone} {
					return false, s
				}
			}
		}
		return n == len(a.offers), s
	}
	panic(q.what)
}

// place orders the whole basket or nothing. The same key returns the same order again.
func (s market) place(q question, a answer) (bool, market) {
	for i, d := range s.orders {
		if !a.lost && d.status != 0 && d.buyer == q.who && d.key == q.key {
			return a.outcome == "SUCCESS" && a.order == i, s
		}
	}
	basket, kept, amount := s.baskets[q.who], [maxOffers]int8{}, 0
	for i, n := range basket {
		if o := s.offers[i]; n > 0 && o.status == active && o.owner != q.who && n <= o.left {
			kept[i], amount = n, amount+int(n)*int(o.price)
		}
	}
	switch {
	case a.lost: // an order is recorded with the response to another try
		s.baskets[q.who] = kept
		return basket != kept, s
	case basket == [maxOffers]int8{}:
		return a.outcome == "BASKET_EMPTY", s
	case basket != kept: // unavailable items leave the basket
		s.baskets[q.who] = kept
		return a.outcome == "OFFER_UNAVAILABLE", s
	case a.outcome != "SUCCESS" || s.orders[a.order].status != 0 || a.amount != amount:
		return false, s
	}
	s.orders[a.order] = orderState{status: unpaid, buyer: q.who, key: q.key, later: q.later, lines: basket}
	s.baskets[q.who] = [maxOffers]int8{}
	s.each(a.order, func(o *offerState, n int8) { o.left, o.reserved = o.left-n, o.reserved+n })
	return true, s
}

// each calls a function for every offer from which an order takes shares.
func (s *market) each(order int, do func(o *offerState, n int8)) {
	for i, n := range s.orders[order].lines {
		if n > 0 {
			do(&s.offers[i], n)
		}
	}
}

// model is the model of the market for the checker.
var model = (&porcupine.NondeterministicModel{
	Init: func() []any {
		s := market{}
		for i := range Members {
			s.share[i], s.free[i] = Begun, Begun
		}
		return []any{s}
	},
	Step: func(state, input, output any) []any {
		var out []any
		a := output.(answer)
		if a.lost { // the call was not executed
			out = append(out, state)
		}
		if possible, s := state.(market).step(input.(question), a); possible && (len(out) == 0 || s != state) {
			out = append(out, s)
		}
		return out
	},
	Hash:              func(state any) uint64 { return maphash.Comparable(hashSeed, state.(market)) },
	DescribeOperation: func(input, output any) string { return describe(input.(question), output.(answer)) },
}).ToModel()

var hashSeed = maphash.MakeSeed()

// describe formats an operation as a readable line.
func describe(q question, a answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "member %d: %s", q.who, q.what)
	switch q.what {
	case "sell":
		fmt.Fprintf(&b, " %d at %d as offer %d", q.n, q.price, a.offer)
	case "approve":
		fmt.Fprintf(&b, " offer %d", q.offer)
	case "retract", "fill":
		fmt.Fprintf(&b, " %d of offer %d", q.n, q.offer)
	case "place":
		fmt.Fprintf(&b, " with key %d: %s", q.key, a.outcome)
		if a.outcome == "SUCCESS" {
			fmt.Fprintf(&b, " order %d of %d", a.order, a.amount)
		}
	case "link", "pay", "cancel", "transfer":
		fmt.Fprintf(&b, " order %d", q.order)
	case "my orders":
		fmt.Fprintf(&b, ": %v", a.orders)
	case "my shares":
		fmt.Fprintf(&b, ": %d, free %d", a.share, a.free)
	case "market":
		fmt.Fprintf(&b, ": %v", a.offers)
	}
	switch {
	case a.lost:
		b.WriteString(" (no answer)")
	case a.refused:
		b.WriteString(" (refused)")
	}
	return b.String()
}
