// Package cost calculates what the usage and feed-in of a connection cost at the prices of its agreements. It calculates with exact
// numbers, and rounds each row to cents once.
package cost

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Cost is the cost of a connection in a range of days. The total is the sum of the rows, which are rounded to cents individually. If part
// of the cost is unknown, there are no rows and no total, because an incomplete cost would look complete.
type Cost struct {
	From    value.Day    `json:"from" doc:"First day"`
	To      value.Day    `json:"to" doc:"Day after the last"`
	Total   *value.Cents `json:"total" nullable:"true" doc:"Sum of the amounts of the rows; null: not known, see unknown"`
	Rows    []CostRow    `json:"rows" nullable:"false" doc:"What the total consists of; empty if it is not known"`
	Unknown []Unknown    `json:"unknown" nullable:"false" doc:"Why the cost is not known; empty if it is"`
}

// CostRow is one part of a cost: a quantity at a price.
type CostRow struct {
	Kind     PriceKind    `json:"kind" enum:"normal,low,single,feed_in,feed_in_cost,standing,grid,energy_tax,tax_reduction" doc:"Kind of the price"`
	Netted   bool         `json:"netted" doc:"Whether this is feed-in that is subtracted from usage, at the price of that usage"`
	From     value.Day    `json:"from" doc:"First day of the row"`
	To       value.Day    `json:"to" doc:"Day after the last"`
	Quantity meter.Amount `json:"quantity" doc:"Quantity in the unit of the price, rounded to three decimals; negative: subtracted or paid to the customer"`
	Unit     string       `json:"unit" enum:"kWh,m3,day,month,year" doc:"Unit of the quantity and of the price"`
	Price    value.Price  `json:"price" doc:"Price of one unit including VAT, rounded to five decimals"`
	Amount   value.Cents  `json:"amount" doc:"Cost in euros including VAT, calculated exactly and rounded once; negative: paid to the customer"`
}

// Reasons why a cost is unknown.
const (
	unknownMeasurement = "measurement"  // a day without a complete measurement
	unknownPrice       = "price"        // a day without a required price
	unknownPriceKind   = "price_kind"   // a price whose kind or unit is unknown
	unknownVAT         = "vat"          // a price for which it is unknown whether it includes VAT
	unknownPriceChange = "price_change" // a price that changes between two meter readings
	unknownAmbiguous   = "ambiguous"    // two prices for the same usage
	unknownAmount      = "amount"       // an amount that is too large
)

// CanEstimate reports whether a cost is unknown only because days of a month were not measured.
func (c Cost) CanEstimate(month meter.Span) bool {
	return c.Total == nil && !slices.ContainsFunc(c.Unknown, func(u Unknown) bool {
		return u.Reason != unknownMeasurement || u.From.Before(month.From) || month.Until.Before(u.To)
	})
}

// Unknown is a reason why a cost is unknown, with the days to which it applies.
type Unknown struct {
	Reason string    `json:"reason" enum:"measurement,price,price_kind,vat,price_change,ambiguous,amount" doc:"measurement: not all was measured; price: no price of this kind; price_kind: a price whose kind or unit is not known; vat: not known whether a price includes VAT; price_change: a price that changed between two meter readings; ambiguous: two prices for the same usage; amount: too large"`
	Kind   PriceKind `json:"kind,omitempty" enum:"normal,low,single,feed_in,feed_in_cost,standing,grid,energy_tax,tax_reduction" doc:"Kind of the price, if the reason is about one"`
	From   value.Day `json:"from" doc:"First day"`
	To     value.Day `json:"to" doc:"Day after the last"`
}

// Of calculates the cost of the days of a span. Quantities are sorted, oldest first, and do not overlap.
func Of(t Tariff, days meter.Span, quantities []meter.Quantity) Cost {
	return calculate(t, days, quantities, nil).cost()
}
