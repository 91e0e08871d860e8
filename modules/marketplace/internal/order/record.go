package order

import (
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/fields"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// ImportKind is the kind of a record of an order that ended before its label moved to this portal. Buyer and staff see it; its shares are
// already part of the imported participations, and its payment was processed elsewhere.
const ImportKind = "market_order"

// RecordKind describes the order records.
var RecordKind = record.Kind{
	Name: ImportKind, Doc: "An order of an imported offer that ended before the portal. The natural key is identifier.",
	Fields: orderFields{}, Required: []string{"identifier", "debtor_number", "offer", "shares", "status", "placed", "transfer_date",
		"address", "address.street_name",
		"address.house_number", "address.postal_code", "address.city"},
	Values: map[string][]string{"status": record.Texts(orderEnds)},
	Example: `{"identifier":"order-1","debtor_number":"10002","offer":"offer-1","shares":"5","status":"COMPLETED","placed":"2026-02-03T10:00:00Z","paid":"2026-02-04T10:00:00Z",
		"ended":"2026-02-05T10:00:00Z","transfer_date":"2026-03-01","address":{"street_name":"Dorpsstraat","house_number":"3","postal_code":"1234AC","city":"Delft"}}`,
}

// orderFields are the fields of an order, as the back office sends them.
type orderFields struct {
	Identifier record.Loose                `json:"identifier"`
	Reference  record.Loose                `json:"reference"`
	Debtor     record.Loose                `json:"debtor_number"`
	Offer      record.Loose                `json:"offer"`
	Shares     record.Loose                `json:"shares"`
	Status     record.Loose                `json:"status"`
	Placed     record.Loose                `json:"placed"`
	Paid       record.Loose                `json:"paid"`
	Ended      record.Loose                `json:"ended"`
	Transfer   record.Loose                `json:"transfer_date"`
	Address    participation.AddressFields `json:"address"`
}

// importedOrder is the order in a record. Its offer is the identifier of an imported offer.
type importedOrder struct {
	line                                 int
	identifier, reference, debtor, offer string
	shares                               int64
	status                               state.Status
	placed, paid, ended                  fields.Moment
	transfer                             value.Day
	address                              participation.Address
}

// orderEnds are the statuses that imported orders may have. An open order needs shares and a payment, and cannot be imported.
var orderEnds = []state.Status{Completed, Cancelled, Expired}

// readOrder reads an order from a record; wrong contains all errors that prevent it from being stored.
func readOrder(row record.Row) (o importedOrder, _ []record.Refusal) {
	var in orderFields
	c, ok := fields.Read(row, &in)
	if !ok {
		return o, c.Refusals()
	}
	o = importedOrder{line: row.Line, identifier: c.ID("identifier", in.Identifier), reference: in.Reference.Text(),
		debtor: c.Required("debtor_number", in.Debtor), offer: c.ID("offer", in.Offer), shares: c.Count("shares", in.Shares),
		status: state.Status(c.Required("status", in.Status)), placed: c.Moment("placed", in.Placed), paid: c.Moment("paid", in.Paid),
		ended: c.Moment("ended", in.Ended), transfer: c.Day("transfer_date", in.Transfer), address: participation.ReadAddress(c, in.Address)}
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
	if in.Paid.Text() == "" && o.status == Completed {
		c.Refuse("paid", problem.CodeRequired)
	}
	return o, c.Refusals()
}
