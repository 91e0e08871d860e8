package billing

import (
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// PriceKind is the purpose of a price (9-price-kind). A price without a kind is shown but not used in cost calculations.
type PriceKind string

// Price kinds.
const (
	kindNormal       PriceKind = "normal"
	kindLow          PriceKind = "low"
	kindSingle       PriceKind = "single"        // both electricity registers; gas
	kindFeedin       PriceKind = "feed_in"       // paid to the customer
	kindFeedinCost   PriceKind = "feed_in_cost"  // charged for feed-in
	kindStanding     PriceKind = "standing"      // standing charge of the supplier
	kindGrid         PriceKind = "grid"          // charge of the grid operator
	kindEnergyTax    PriceKind = "energy_tax"    // if the prices of usage do not include it
	kindTaxReduction PriceKind = "tax_reduction" // zero or negative
)

// PriceKinds are the valid values.
var PriceKinds = []PriceKind{kindNormal, kindLow, kindSingle, kindFeedin, kindFeedinCost, kindStanding, kindGrid, kindEnergyTax,
	kindTaxReduction}

// PriceUnit is the normalized unit of a price. Agreements show the back office's spelling.
type PriceUnit string

// Price units.
const (
	unitKWH   PriceUnit = "kWh"
	unitM3    PriceUnit = "m3"
	unitDay   PriceUnit = "day"
	unitMonth PriceUnit = "month"
	unitYear  PriceUnit = "year"
)

// priceUnits contains the unit for each spelling in records, in lower case.
var priceUnits = map[string]PriceUnit{"kwh": unitKWH, "m³": unitM3, "m3": unitM3, "m3n": unitM3, "day": unitDay, "dag": unitDay,
	"month": unitMonth, "maand": unitMonth, "year": unitYear, "jaar": unitYear}

// parsePriceUnit returns the unit for a spelling, or "" if it is unknown.
func parsePriceUnit(s string) PriceUnit { return priceUnits[strings.ToLower(strings.TrimSpace(s))] }

const gas = "GAS"

// units returns the units that a price of the kind may have for a commodity. It returns nil if the commodity has no such price.
func (k PriceKind) units(commodity string) []PriceUnit {
	switch k {
	case kindStanding, kindGrid:
		return []PriceUnit{unitDay, unitMonth, unitYear}
	case kindSingle, kindEnergyTax:
		if commodity == gas {
			return []PriceUnit{unitM3}
		}
		return []PriceUnit{unitKWH}
	}
	switch {
	case commodity == gas:
		return nil
	case k == kindTaxReduction:
		return []PriceUnit{unitDay, unitMonth, unitYear}
	}
	return []PriceUnit{unitKWH}
}

// isExclusive reports whether a day can have only one price of the kind. Prices of the other kinds are added up.
func (k PriceKind) isExclusive() bool {
	return k == kindNormal || k == kindLow || k == kindSingle || k == kindFeedin
}

// checkKind validates a price that has a kind: such a price needs a commodity, a VAT flag and a matching unit. Prices without a kind are
// accepted unchanged.
func (c recordReader) checkKind(p PriceAgreement) {
	if p.Kind == "" {
		return
	}
	enumValue(c, "kind", p.Kind, PriceKinds)
	if p.Commodity == "" {
		c.Refuse("commodity", problem.CodeRequired)
	}
	if p.IncludesVAT == nil {
		c.Refuse("includes_vat", problem.CodeRequired)
	}
	if !slices.Contains(PriceKinds, p.Kind) || !slices.Contains(commodities, p.Commodity) {
		return
	}
	switch units := p.Kind.units(p.Commodity); {
	case units == nil:
		c.Refuse("kind", problem.CodeInvalid)
	case p.Unit == "":
		c.Refuse("unit", problem.CodeRequired)
	case !slices.Contains(units, parsePriceUnit(p.Unit)):
		c.Refuse("unit", problem.CodeInvalid)
	}
	if p.Kind == kindTaxReduction && p.Amount > 0 {
		c.Refuse("amount", problem.CodeInvalid)
	}
}

// overlaps reports whether a day would have two prices of a kind that allows only one.
func (p PriceAgreement) overlaps(o PriceAgreement) bool {
	return p.Kind.isExclusive() && p.Kind == o.Kind && p.Commodity == o.Commodity &&
		(p.To == nil || !o.From.After(*p.To)) && (o.To == nil || !p.From.After(*o.To))
}

// Pricing contains the prices of an agreement, for siblings (9-neighbour-prices).
type Pricing struct {
	ID     string        `json:"agreement_identifier_with_sequence" doc:"Id of the agreement"`
	Period Period        `json:"period" doc:"Days on which the agreement applies"`
	Prices []AgreedPrice `json:"prices" nullable:"false" doc:"Prices of the agreement, each with the days on which it applies"`
}

// AgreedPrice is a price of an agreement and the period in which it applies.
type AgreedPrice struct {
	Kind        PriceKind   `json:"kind" enum:"normal,low,single,feed_in,feed_in_cost,standing,grid,energy_tax,tax_reduction,unknown" doc:"unknown: the record has no kind"`
	Commodity   string      `json:"commodity" enum:"ELECTRICITY,GAS,NONE" doc:"Commodity of the price; NONE: the record names none"`
	Unit        PriceUnit   `json:"unit" enum:"kWh,m3,day,month,year,unknown" doc:"Unit of the price; unknown: the record names another one"`
	Amount      value.Price `json:"amount" doc:"Price of one unit in euros, at most five decimals"`
	IncludesVAT *bool       `json:"includes_vat" nullable:"true" doc:"null: not known"`
	From        value.Day   `json:"from" doc:"First day of the price"`
	To          *value.Day  `json:"to" nullable:"true" doc:"Last day of the price; null: no end is known"`
}

// unknown replaces a kind or unit that is missing or unrecognized in a record.
const unknown = "unknown"

// Pricing returns the prices of the agreement for siblings.
func (a *Agreement) Pricing() Pricing {
	out := Pricing{a.ID, a.Period, make([]AgreedPrice, len(a.Prices))}
	for i, p := range a.Prices {
		out.Prices[i] = AgreedPrice{p.Kind, p.Commodity, parsePriceUnit(p.Unit), p.Amount, p.IncludesVAT, p.From, p.To}
		if p.Kind == "" {
			out.Prices[i].Kind = unknown
		}
		if p.Commodity == "" {
			out.Prices[i].Commodity = "NONE"
		}
		if out.Prices[i].Unit == "" {
			out.Prices[i].Unit = unknown
		}
	}
	return out
}
