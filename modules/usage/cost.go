package usage

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/wattle-portal/wattle/core/value"
)

// Price is a price that module billing agreed for one commodity, for the days on which it applies.
type Price struct {
	Kind        PriceKind
	Unit        string // kWh, m3, day, month or year
	Amount      value.Price
	IncludesVAT *bool // nil: not known
	From        value.Day
	Until       value.Day // day after the last; zero: no end is known
}

// PriceKind is the purpose of a price, as in module billing.
type PriceKind string

// Kinds of prices.
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

// priceKinds are the kinds in the order of rows.
var priceKinds = []PriceKind{priceNormal, priceLow, priceSingle, priceFeedin, priceFeedinCost, priceEnergyTax, priceStanding, priceGrid, priceTaxReduction}

// timeUnits are the units of prices that are charged by time.
var timeUnits = []string{"day", "month", "year"}

// isTimed reports whether prices of the kind are charged by time.
func (k PriceKind) isTimed() bool {
	return k == priceStanding || k == priceGrid || k == priceTaxReduction
}

// isExclusive reports whether a day can have only one price of the kind. Prices of the other kinds are added up.
func (k PriceKind) isExclusive() bool {
	return k == priceNormal || k == priceLow || k == priceSingle || k == priceFeedin
}

func (p Price) span() span { return span{from: p.From, until: p.Until} }

// applies reports whether the price applies on all days of a span.
func (p Price) applies(s span) bool {
	return !s.from.Before(p.From) && (p.Until.IsZero() || !s.until.After(p.Until))
}

// touches reports whether the price applies on any day of a span.
func (p Price) touches(s span) bool {
	return p.From.Before(s.until) && (p.Until.IsZero() || s.from.Before(p.Until))
}

// Quantity is a measured amount from a day until another one: of one day, or between two meter readings.
type Quantity struct {
	From, Until value.Day
	Amounts
	Partial bool
}

func (q Quantity) span() span { return span{from: q.From, until: q.Until} }

// Tariff contains the prices and settings for the cost of a connection (9-cost-rows).
type Tariff struct {
	Commodity Commodity
	Prices    []Price
	// NetMeteringUntil is the last day on which feed-in is subtracted from usage (9-cost-net-metering). Zero: on no day.
	NetMeteringUntil value.Day
	// VATPercent is added to prices without VAT.
	VATPercent int
}

// Cost is the cost of a connection in a range of days. The total is the sum of the rows, which are rounded to cents one by one. If something
// is not known, there are no rows and no total, because a part of the cost would look like all of it.
type Cost struct {
	From    value.Day    `json:"from" doc:"First day"`
	To      value.Day    `json:"to" doc:"Day after the last"`
	Total   *value.Cents `json:"total" nullable:"true" doc:"Sum of the amounts of the rows; null: not known, see unknown"`
	Rows    []CostRow    `json:"rows" nullable:"false" doc:"What the total consists of; empty if it is not known"`
	Unknown []Unknown    `json:"unknown" nullable:"false" doc:"Why the cost is not known; empty if it is"`
}

// CostRow is one part of a cost: a quantity at a price.
type CostRow struct {
	Kind     PriceKind   `json:"kind" enum:"normal,low,single,feed_in,feed_in_cost,standing,grid,energy_tax,tax_reduction" doc:"Kind of the price"`
	Netted   bool        `json:"netted" doc:"Whether this is feed-in that is subtracted from usage, at the price of that usage"`
	From     value.Day   `json:"from" doc:"First day of the row"`
	To       value.Day   `json:"to" doc:"Day after the last"`
	Quantity Amount      `json:"quantity" doc:"Quantity in the unit of the price, rounded to three decimals; negative: subtracted or paid to the customer"`
	Unit     string      `json:"unit" enum:"kWh,m3,day,month,year" doc:"Unit of the quantity and of the price"`
	Price    value.Price `json:"price" doc:"Price of one unit including VAT, rounded to five decimals"`
	Amount   value.Cents `json:"amount" doc:"Cost in euros including VAT, calculated exactly and rounded once; negative: paid to the customer"`
}

// Reasons why a cost is not known.
const (
	unknownMeasurement = "measurement"  // a day without a complete measurement
	unknownPrice       = "price"        // a day without a price of a kind that is needed
	unknownPriceKind   = "price_kind"   // a price of which the kind or the unit is not known
	unknownVAT         = "vat"          // a price of which is not known whether it includes VAT
	unknownPriceChange = "price_change" // a price that changes between two meter readings
	unknownAmbiguous   = "ambiguous"    // two prices for the same usage
	unknownAmount      = "amount"       // an amount of money that is too large
)

// Unknown is a reason why a cost is not known, with the days that it is about.
type Unknown struct {
	Reason string    `json:"reason" enum:"measurement,price,price_kind,vat,price_change,ambiguous,amount" doc:"measurement: not all was measured; price: no price of this kind; price_kind: a price whose kind or unit is not known; vat: not known whether a price includes VAT; price_change: a price that changed between two meter readings; ambiguous: two prices for the same usage; amount: too large"`
	Kind   PriceKind `json:"kind,omitempty" enum:"normal,low,single,feed_in,feed_in_cost,standing,grid,energy_tax,tax_reduction" doc:"Kind of the price, if the reason is about one"`
	From   value.Day `json:"from" doc:"First day"`
	To     value.Day `json:"to" doc:"Day after the last"`
}

// CostOf calculates the cost of the days of a span. Quantities are sorted, oldest first, and do not overlap.
func CostOf(t Tariff, days span, quantities []Quantity) Cost {
	return calculate(t, days, quantities, nil).cost()
}

// calculate collects the rows of the days of a span, except those of skipped spans.
func calculate(t Tariff, days span, quantities []Quantity, skipped []span) *costing {
	c := &costing{Tariff: t, days: days, skipped: skipped, last: map[PriceKind]*cell{}, rows: map[rowKey]*rowSum{}}
	c.checkPrices()
	c.addMeasured(quantities)
	c.settleFeedin()
	c.addTimed()
	return c
}

// costing collects the rows of a cost.
type costing struct {
	Tariff
	days    span
	skipped []span // sorted, without overlap
	cells   []*cell
	last    map[PriceKind]*cell // by register
	rows    map[rowKey]*rowSum
	unknown []Unknown
}

// rowKey identifies a row: a price and whether feed-in is subtracted at that price.
type rowKey struct {
	price  int // index in Tariff.Prices
	netted bool
}

type rowSum struct {
	from, until value.Day
	quantity    *big.Rat // in units of the price
	shares      []share  // the parts of a row of usage or feed-in
	amount      value.Cents
}

// cell is the usage and feed-in of one register in successive quantities with the same prices.
type cell struct {
	span        span
	register    PriceKind // normal or low; single for gas
	netting     bool      // whether net metering holds
	use, feedin Amount
	parts       []part // of use and feedin, by quantity
	usePrices   []int  // the price of usage and energy tax, as indexes in Tariff.Prices
	feedinPrice int
}

func (c *costing) miss(reason string, kind PriceKind, s span) {
	if c.skips(s) {
		return
	}
	for i, u := range c.unknown {
		if u.Reason == reason && u.Kind == kind && !s.from.After(u.To) && !s.until.Before(u.From) {
			if s.from.Before(u.From) {
				c.unknown[i].From = s.from
			}
			if s.until.After(u.To) {
				c.unknown[i].To = s.until
			}
			return
		}
	}
	c.unknown = append(c.unknown, Unknown{reason, kind, s.from, s.until})
}

// part returns the days of a price within the days of the cost.
func (c *costing) part(p Price) span {
	s := p.span()
	if s.from.Before(c.days.from) {
		s.from = c.days.from
	}
	if s.until.IsZero() || s.until.After(c.days.until) {
		s.until = c.days.until
	}
	return s
}

// checkPrices finds prices that cannot be calculated with.
func (c *costing) checkPrices() {
	for i, p := range c.Prices {
		if !p.touches(c.days) {
			continue
		}
		units := []string{"kWh"}
		switch {
		case p.Kind.isTimed():
			units = timeUnits
		case c.Commodity == Gas:
			units = []string{"m3"}
		}
		switch {
		case !p.Kind.isKnown() || !slices.Contains(units, p.Unit):
			c.miss(unknownPriceKind, "", c.part(p))
		case p.IncludesVAT == nil:
			c.miss(unknownVAT, p.Kind, c.part(p))
		}
		for _, o := range c.Prices[:i] {
			if both := c.part(o); p.Kind.isExclusive() && p.Kind == o.Kind && o.touches(c.days) && p.touches(both) {
				c.miss(unknownAmbiguous, p.Kind, c.part(Price{From: later(p.From, both.from), Until: both.until}))
			}
		}
	}
}

func later(a, b value.Day) value.Day {
	if a.After(b) {
		return a
	}
	return b
}

func (k PriceKind) isKnown() bool { return slices.Contains(priceKinds, k) }

// at returns the indexes of the prices of a kind that apply on all days of a span; changed is true if another applies on some.
func (c *costing) at(kind PriceKind, s span) (found []int, changed bool) {
	for i, p := range c.Prices {
		switch {
		case p.Kind != kind || !p.touches(s):
		case p.applies(s):
			found = append(found, i)
		default:
			changed = true
		}
	}
	return found, changed
}

// one returns the price of the first of several kinds that has one in a span; ok is false if there is none.
func (c *costing) one(s span, kinds ...PriceKind) (price int, ok bool) {
	for _, kind := range kinds {
		found, changed := c.at(kind, s)
		if changed {
			c.miss(unknownPriceChange, kind, s)
			return 0, false
		}
		if len(found) > 0 {
			return found[0], true
		}
	}
	c.miss(unknownPrice, kinds[0], s)
	return 0, false
}

// addMeasured divides the quantities over cells, and finds days that were not measured.
func (c *costing) addMeasured(quantities []Quantity) {
	next := c.days.from
	for i, q := range quantities {
		s := q.span()
		if next.Before(q.From) {
			c.miss(unknownMeasurement, "", span{from: next, until: q.From})
		}
		if c.skipsAny(s) {
			c.miss(unknownMeasurement, "", s) // the part that is not skipped
			next = later(next, q.Until)
			continue
		}
		if next = later(next, q.Until); q.Partial {
			c.miss(unknownMeasurement, "", s)
			continue
		}
		registers := [...]struct {
			kind        PriceKind
			use, feedin *Amount
		}{{priceNormal, q.Normal, q.FeedinNormal}, {priceLow, q.Low, q.FeedinLow}}
		if c.Commodity == Gas {
			registers[0].kind, registers[0].use, registers[0].feedin = priceSingle, q.Consumption, nil
			registers[1].use, registers[1].feedin = nil, nil
		}
		if registers[0].use == nil && registers[1].use == nil {
			c.miss(unknownMeasurement, "", s)
			continue
		}
		for _, r := range registers {
			c.addRegister(i, s, r.kind, amountOrZero(r.use), amountOrZero(r.feedin))
		}
	}
	if next.Before(c.days.until) {
		c.miss(unknownMeasurement, "", span{from: next, until: c.days.until})
	}
}

func amountOrZero(a *Amount) Amount {
	if a == nil {
		return 0
	}
	return *a
}

// addRegister adds the usage and feed-in of a register in a quantity. Zero needs no price.
func (c *costing) addRegister(quantity int, s span, register PriceKind, use, feedin Amount) {
	if use == 0 && feedin == 0 {
		return
	}
	next := cell{span: s, register: register, use: use, feedin: feedin, parts: []part{{quantity, use, feedin}}, netting: !c.NetMeteringUntil.IsZero() && s.from.Before(c.NetMeteringUntil.AddDays(1))}
	if feedin > 0 && next.netting && s.until.After(c.NetMeteringUntil.AddDays(1)) {
		c.miss(unknownPriceChange, priceFeedin, s) // net metering ends between two meter readings
		return
	}
	if use > 0 {
		price, ok := c.one(s, register, priceSingle)
		if !ok {
			return
		}
		taxes, changed := c.at(priceEnergyTax, s)
		if changed {
			c.miss(unknownPriceChange, priceEnergyTax, s)
			return
		}
		if len(taxes) == 0 && c.has(priceEnergyTax) {
			c.miss(unknownPrice, priceEnergyTax, s)
			return
		}
		next.usePrices = append([]int{price}, taxes...)
	}
	if feedin > 0 {
		next.feedinPrice = -1
		if found, changed := c.at(priceFeedin, s); changed {
			c.miss(unknownPriceChange, priceFeedin, s)
			return
		} else if len(found) > 0 {
			next.feedinPrice = found[0]
		}
		costs, changed := c.at(priceFeedinCost, s)
		if changed {
			c.miss(unknownPriceChange, priceFeedinCost, s)
			return
		}
		if len(costs) == 0 && !next.netting {
			c.miss(unknownPrice, priceFeedinCost, s)
			return
		}
		// Costs are not in cells: they apply to these days only, and what feed-in is subtracted from does not depend on them.
		c.addQuantity(costs, false, s, share{&next, true, feedin})
	}
	c.addCell(next)
}

// has reports whether any price is of a kind. A kind of charge that the agreement has at all must have a price on every day.
func (c *costing) has(kind PriceKind) bool {
	return slices.ContainsFunc(c.Prices, func(p Price) bool { return p.Kind == kind })
}

// addCell adds to the last cell of the register if the prices are the same, or begins a new one.
func (c *costing) addCell(next cell) {
	last := c.last[next.register]
	if last == nil || last.netting != next.netting || last.use > 0 && next.use > 0 && !slices.Equal(last.usePrices, next.usePrices) ||
		last.feedin > 0 && next.feedin > 0 && last.feedinPrice != next.feedinPrice {
		c.cells, c.last[next.register] = append(c.cells, &next), &next
		return
	}
	if last.feedin == 0 {
		last.feedinPrice = next.feedinPrice
	}
	if last.use == 0 {
		last.usePrices = next.usePrices
	}
	last.use, last.feedin, last.span.until = last.use+next.use, last.feedin+next.feedin, next.span.until
	last.parts = append(last.parts, next.parts...)
}

// settleFeedin makes the rows of usage and feed-in. While net metering holds, feed-in is subtracted from usage of the same register at the
// same price first; the rest of both is settled in the order of days. Feed-in that exceeds all usage is paid by its own price.
func (c *costing) settleFeedin() {
	usage, fed := make([]Amount, len(c.cells)), make([]Amount, len(c.cells)) // the rest
	net := func(from, to int) {
		n := min(fed[from], usage[to])
		fed[from], usage[to] = fed[from]-n, usage[to]-n
		c.addQuantity(c.cells[to].usePrices, true, c.cells[to].span, share{c.cells[from], true, -n})
	}
	for i, x := range c.cells {
		usage[i], fed[i] = x.use, x.feedin
		c.addQuantity(x.usePrices, false, x.span, share{x, false, x.use})
		if x.netting {
			net(i, i)
		}
	}
	for i, x := range c.cells {
		for j, y := range c.cells {
			if x.netting && y.netting {
				net(i, j)
			}
		}
		switch {
		case fed[i] == 0:
		case x.feedinPrice < 0:
			c.miss(unknownPrice, priceFeedin, x.span)
		default:
			c.addQuantity([]int{x.feedinPrice}, false, x.span, share{x, true, -fed[i]})
		}
	}
}

// addQuantity adds a quantity of electricity or gas to the rows of prices.
func (c *costing) addQuantity(prices []int, netted bool, s span, of share) {
	if of.quantity == 0 {
		return
	}
	for _, p := range prices {
		row := c.addRow(rowKey{p, netted}, s, big.NewRat(int64(of.quantity), 1000))
		row.shares = append(row.shares, of)
	}
}

func (c *costing) addRow(key rowKey, s span, quantity *big.Rat) *rowSum {
	row := c.rows[key]
	if row == nil {
		row = &rowSum{from: s.from, until: s.until, quantity: new(big.Rat)}
		c.rows[key] = row
	}
	if s.from.Before(row.from) {
		row.from = s.from
	}
	row.until = later(row.until, s.until)
	row.quantity.Add(row.quantity, quantity)
	return row
}

// addTimed makes the rows of charges by time. A standing charge is needed on every day, the other charges if the agreement has them at all.
func (c *costing) addTimed() {
	for _, kind := range []PriceKind{priceStanding, priceGrid, priceTaxReduction} {
		if kind != priceStanding && !c.has(kind) {
			continue
		}
		for day := c.days.from; day.Before(c.days.until); day = day.AddDays(1) {
			one := span{from: day, until: day.AddDays(1)}
			if found, _ := c.at(kind, one); len(found) == 0 {
				c.miss(unknownPrice, kind, one)
			}
		}
	}
	for i, p := range c.Prices {
		if p.Kind.isTimed() && p.touches(c.days) {
			for _, s := range c.notSkipped(c.part(p)) {
				c.addRow(rowKey{price: i}, s, timeOf(p.Unit, s))
			}
		}
	}
}

// timeOf returns the number of days, months or years of a span. A day is a part of its own month or year: 1/28 to 1/31, 1/365 or 1/366.
func timeOf(unit string, s span) *big.Rat {
	period := map[string]Period{"day": Daily, "month": Monthly, "year": Yearly}[unit]
	total := new(big.Rat)
	if period == "" {
		return total
	}
	for from := s.from; from.Before(s.until); {
		begin := period.begin(from)
		end := period.next(begin)
		until := end
		if s.until.Before(until) {
			until = s.until
		}
		total.Add(total, big.NewRat(int64(until.DaysSince(from)), int64(end.DaysSince(begin))))
		from = until
	}
	return total
}

// cost returns the cost of the rows, or why it is not known.
func (c *costing) cost() Cost {
	out := Cost{From: c.days.from, To: c.days.until, Rows: []CostRow{}, Unknown: []Unknown{}}
	var total value.Cents
	for key, sum := range c.rows {
		p := c.Prices[key.price]
		price := big.NewRat(int64(p.Amount), 1)
		if p.IncludesVAT != nil && !*p.IncludesVAT {
			price.Mul(price, big.NewRat(int64(100+c.VATPercent), 100))
		}
		row := CostRow{Kind: p.Kind, Netted: key.netted, From: sum.from, To: sum.until, Unit: p.Unit}
		cents, fits := round(new(big.Rat).Quo(new(big.Rat).Mul(sum.quantity, price), big.NewRat(1000, 1)))
		quantity, fitsToo := round(new(big.Rat).Mul(sum.quantity, big.NewRat(1000, 1)))
		shown, fitsThree := round(price)
		if !fits || !fitsToo || !fitsThree || cents > maxCents || cents < -maxCents {
			c.miss(unknownAmount, p.Kind, span{from: sum.from, until: sum.until})
		}
		sum.amount = value.Cents(cents)
		row.Amount, row.Quantity, row.Price = sum.amount, Amount(quantity), value.Price(shown)
		total += row.Amount
		out.Rows = append(out.Rows, row)
	}
	if len(c.unknown) > 0 {
		out.Rows, out.Unknown = out.Rows[:0], c.unknown
		return out
	}
	slices.SortFunc(out.Rows, func(a, b CostRow) int {
		if n := slices.Index(priceKinds, a.Kind) - slices.Index(priceKinds, b.Kind); n != 0 {
			return n
		}
		if n := a.From.DaysSince(b.From); n != 0 {
			return n
		}
		if a.Netted != b.Netted {
			if a.Netted {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(a.Price, b.Price), cmp.Compare(a.Amount, b.Amount))
	})
	out.Total = &total
	return out
}

// maxCents is the largest amount of a row. Sums of such amounts do not overflow.
const maxCents = 1_000_000_000_000_000

// round rounds to the nearest integer, halves away from zero; ok is false if it does not fit.
func round(r *big.Rat) (n int64, ok bool) {
	twice := new(big.Int).Lsh(r.Num(), 1)
	if r.Sign() < 0 {
		twice.Sub(twice, r.Denom())
	} else {
		twice.Add(twice, r.Denom())
	}
	twice.Quo(twice, new(big.Int).Lsh(r.Denom(), 1)) // toward zero
	return twice.Int64(), twice.IsInt64()
}
