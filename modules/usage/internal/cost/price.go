package cost

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Price is an agreed price from module billing for one commodity, with the days on which it applies.
type Price struct {
	Kind        PriceKind
	Unit        string // kWh, m3, day, month or year
	Amount      value.Price
	IncludesVAT *bool // nil: unknown
	From        value.Day
	Until       value.Day // day after the last; zero if no end is known
}

// PriceKind is the purpose of a price, as in module billing.
type PriceKind string

// Price kinds.
const (
	priceNormal       PriceKind = "normal"
	priceLow          PriceKind = "low"
	priceSingle       PriceKind = "single"
	priceFeedin       PriceKind = "feed_in"
	priceFeedinCost   PriceKind = "feed_in_cost"
	priceStanding     PriceKind = "standing"
	priceGrid         PriceKind = "grid"
	priceEnergyTax    PriceKind = "energy_tax"
	priceTaxReduction PriceKind = "tax_reduction"
)

// priceKinds contains the kinds in the order of rows.
var priceKinds = []PriceKind{priceNormal, priceLow, priceSingle, priceFeedin, priceFeedinCost, priceEnergyTax, priceStanding, priceGrid,
	priceTaxReduction}

// timeUnits contains the units of prices that are charged by time.
var timeUnits = []string{"day", "month", "year"}

// isTimed reports whether prices of the kind are charged by time.
func (k PriceKind) isTimed() bool {
	return k == priceStanding || k == priceGrid || k == priceTaxReduction
}

// isExclusive reports whether a day can have only one price of the kind. Prices of the other kinds are added up.
func (k PriceKind) isExclusive() bool {
	return k == priceNormal || k == priceLow || k == priceSingle || k == priceFeedin
}

// isKnown reports whether prices of the kind can be used to calculate a cost.
func (k PriceKind) isKnown() bool { return slices.Contains(priceKinds, k) }

// span returns the days on which the price applies.
func (p Price) span() meter.Span { return meter.Span{From: p.From, Until: p.Until} }

// applies reports whether the price applies on all days of a span.
func (p Price) applies(s meter.Span) bool {
	return !s.From.Before(p.From) && (p.Until.IsZero() || !s.Until.After(p.Until))
}

// touches reports whether the price applies on any day of a span.
func (p Price) touches(s meter.Span) bool {
	return p.From.Before(s.Until) && (p.Until.IsZero() || s.From.Before(p.Until))
}

// Tariff contains the prices and settings for calculating the cost of a connection (9-cost-rows).
type Tariff struct {
	Commodity meter.Commodity
	Prices    []Price
	// NetMeteringUntil is the last day on which feed-in is subtracted from usage (9-cost-net-metering). If it is zero, feed-in is never
	// subtracted.
	NetMeteringUntil value.Day
	// VATPercent is added to prices without VAT.
	VATPercent int
}

// pricesOf returns the prices on a day, changed to apply on all days of a span.
func pricesOf(day value.Day, prices []Price, days meter.Span) (out []Price) {
	for _, p := range prices {
		if p.applies(meter.Span{From: day, Until: day.AddDays(1)}) {
			p.From, p.Until = days.From, value.Day{}
			out = append(out, p)
		}
	}
	return out
}
