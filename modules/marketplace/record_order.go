package marketplace

import (
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/order"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// orderFields is an order as the back office sends it.
type orderFields struct {
	Identifier loose         `json:"identifier"`
	Reference  loose         `json:"reference"`
	Debtor     loose         `json:"debtor_number"`
	Offer      loose         `json:"offer"`
	Shares     loose         `json:"shares"`
	Status     loose         `json:"status"`
	Placed     loose         `json:"placed"`
	Paid       loose         `json:"paid"`
	Ended      loose         `json:"ended"`
	Transfer   loose         `json:"transfer_date"`
	Address    addressFields `json:"address"`
}

// importedOrder is an order of a record. Its offer is the identifier of an imported offer.
type importedOrder struct {
	line                                 int
	identifier, reference, debtor, offer string
	shares                               int64
	status                               state.Status
	placed, paid, ended                  moment
	transfer                             value.Day
	address                              participation.Address
}

// orderEnds are the statuses of imported orders. An order that is still open needs shares and a payment, and cannot be imported.
var orderEnds = []state.Status{order.Completed, order.Cancelled, order.Expired}

// readOrder reads an order from a record; wrong is everything that keeps it from being stored.
func readOrder(row record.Row) (o importedOrder, _ []record.Refusal) {
	var in orderFields
	c, ok := open(row, &in)
	if !ok {
		return o, c.Refusals()
	}
	o = importedOrder{line: row.Line, identifier: c.id("identifier", in.Identifier), reference: in.Reference.Text(), debtor: c.Required("debtor_number", in.Debtor),
		offer: c.id("offer", in.Offer), shares: c.count("shares", in.Shares), status: state.Status(c.Required("status", in.Status)),
		placed: c.moment("placed", in.Placed), paid: c.moment("paid", in.Paid), ended: c.moment("ended", in.Ended), transfer: c.Day("transfer_date", in.Transfer),
		address: c.address(in.Address)}
	if o.reference == "" {
		o.reference = strings.ToUpper(o.identifier)
	}
	if in.Shares.Text() != "" && o.shares == 0 {
		c.Refuse("shares", problem.CodeInvalid)
	}
	if o.status != "" && !slices.Contains(orderEnds, o.status) {
		c.Refuse("status", problem.CodeInvalid)
	}
	if in.Placed.Text() == "" {
		c.Refuse("placed", problem.CodeRequired)
	}
	if in.Ended.Text() == "" {
		c.Refuse("ended", problem.CodeRequired)
	}
	if in.Paid.Text() == "" && o.status == order.Completed {
		c.Refuse("paid", problem.CodeRequired)
	}
	return o, c.Refusals()
}

// moment is a time of a record: a day, or a time with its offset.
type moment struct {
	day value.Day
	at  time.Time
}

func (m moment) isZero() bool { return m.day.IsZero() && m.at.IsZero() }

// in returns the time; that of a day is its start in the label's zone.
func (m moment) in(zone *time.Location) time.Time {
	if m.at.IsZero() {
		return m.day.In(zone).UTC()
	}
	return state.StoredTime(m.at)
}

// moment reads a time; zero when it is absent.
func (c checked) moment(field string, v loose) (m moment) {
	if strings.ContainsRune(v.Text(), 'T') {
		at, err := time.Parse(time.RFC3339, v.Text())
		if err != nil || at.IsZero() {
			c.Refuse(field, problem.CodeInvalid)
		}
		return moment{at: at}
	}
	return moment{day: c.OptionalDay(field, v)}
}
