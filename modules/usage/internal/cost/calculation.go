package cost

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// calculate collects the rows of the days of a span, except those of skipped spans.
func calculate(t Tariff, days meter.Span, quantities []meter.Quantity, skipped []meter.Span) *calculation {
	c := &calculation{Tariff: t, days: days, skipped: skipped, last: map[PriceKind]*cell{}, rows: map[rowKey]*rowSum{}}
	c.checkPrices()
	c.addMeasured(quantities)
	c.settleFeedin()
	c.addTimed()
	return c
}

// calculation collects the rows of a cost.
type calculation struct {
	Tariff
	days    meter.Span
	skipped []meter.Span // sorted, without overlap
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

// rowSum is the sum that becomes a row.
type rowSum struct {
	from, until value.Day
	quantity    *big.Rat // in units of the price
	shares      []share  // the parts of a row of usage or feed-in
	amount      value.Cents
}

// cell is the usage and feed-in of one register in successive quantities with the same prices.
type cell struct {
	span        meter.Span
	register    PriceKind // normal or low; single for gas
	netting     bool      // whether net metering applies
	use, feedin meter.Amount
	parts       []part // parts of use and feedin, by quantity
	usePrices   []int  // the prices of usage and energy tax, as indexes in Tariff.Prices
	feedinPrice int
}

// miss adds a reason why the cost is unknown, or extends the same reason if its days overlap or are adjacent.
func (c *calculation) miss(reason string, kind PriceKind, s meter.Span) {
	if c.skips(s) {
		return
	}
	for i, u := range c.unknown {
		if u.Reason == reason && u.Kind == kind && !s.From.After(u.To) && !s.Until.Before(u.From) {
			if s.From.Before(u.From) {
				c.unknown[i].From = s.From
			}
			if s.Until.After(u.To) {
				c.unknown[i].To = s.Until
			}
			return
		}
	}
	c.unknown = append(c.unknown, Unknown{reason, kind, s.From, s.Until})
}

// part returns the days of the cost on which a price applies.
func (c *calculation) part(p Price) meter.Span {
	s := p.span()
	if s.From.Before(c.days.From) {
		s.From = c.days.From
	}
	if s.Until.IsZero() || s.Until.After(c.days.Until) {
		s.Until = c.days.Until
	}
	return s
}

// checkPrices finds prices that cannot be used in a calculation.
func (c *calculation) checkPrices() {
	for i, p := range c.Prices {
		if !p.touches(c.days) {
			continue
		}
		units := []string{"kWh"}
		switch {
		case p.Kind.isTimed():
			units = timeUnits
		case c.Commodity == meter.Gas:
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
				c.miss(unknownAmbiguous, p.Kind, c.part(Price{From: meter.Later(p.From, both.From), Until: both.Until}))
			}
		}
	}
}

// at returns the indexes of the prices of a kind that apply on all days of a span. changed is true if another price of that kind applies on
// some of these days.
func (c *calculation) at(kind PriceKind, s meter.Span) (found []int, changed bool) {
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

// one returns the index of the price for a span, of the first of several kinds that has a price then; ok is false if there is none.
func (c *calculation) one(s meter.Span, kinds ...PriceKind) (price int, ok bool) {
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
func (c *calculation) addMeasured(quantities []meter.Quantity) {
	next := c.days.From
	for i, q := range quantities {
		s := q.Span()
		if next.Before(q.From) {
			c.miss(unknownMeasurement, "", meter.Span{From: next, Until: q.From})
		}
		if c.skipsAny(s) {
			c.miss(unknownMeasurement, "", s) // ignored if the whole span is skipped
			next = meter.Later(next, q.Until)
			continue
		}
		if next = meter.Later(next, q.Until); q.Partial {
			c.miss(unknownMeasurement, "", s)
			continue
		}
		registers := [...]struct {
			kind        PriceKind
			use, feedin *meter.Amount
		}{{priceNormal, q.Normal, q.FeedinNormal}, {priceLow, q.Low, q.FeedinLow}}
		if c.Commodity == meter.Gas {
			registers[0].kind, registers[0].use, registers[0].feedin = priceSingle, q.Consumption, nil
			registers[1].use, registers[1].feedin = nil, nil
		}
		if registers[0].use == nil && registers[1].use == nil {
			c.miss(unknownMeasurement, "", s)
			continue
		}
		for _, r := range registers {
			c.addRegister(i, s, r.kind, meter.OrZero(r.use), meter.OrZero(r.feedin))
		}
	}
	if next.Before(c.days.Until) {
		c.miss(unknownMeasurement, "", meter.Span{From: next, Until: c.days.Until})
	}
}

// addRegister adds the usage and feed-in of a register in a quantity. Zero does not need a price.
func (c *calculation) addRegister(quantity int, s meter.Span, register PriceKind, use, feedin meter.Amount) {
	if use == 0 && feedin == 0 {
		return
	}
	next := cell{span: s, register: register, use: use, feedin: feedin, parts: []part{{quantity, use, feedin}},
		netting: !c.NetMeteringUntil.IsZero() && s.From.Before(c.NetMeteringUntil.AddDays(1))}
	if feedin > 0 && next.netting && s.Until.After(c.NetMeteringUntil.AddDays(1)) {
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
		// Feed-in costs are not part of a cell: they apply only to these days, and do not affect from which usage feed-in is subtracted.
		c.addQuantity(costs, false, s, share{&next, true, feedin})
	}
	c.addCell(next)
}

// has reports whether there is any price of a kind. If the agreement has a charge of a kind, every day must have a price of that kind.
func (c *calculation) has(kind PriceKind) bool {
	return slices.ContainsFunc(c.Prices, func(p Price) bool { return p.Kind == kind })
}

// addCell adds to the register's last cell if the prices are the same, and otherwise adds a new cell.
func (c *calculation) addCell(next cell) {
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
	last.use, last.feedin, last.span.Until = last.use+next.use, last.feedin+next.feedin, next.span.Until
	last.parts = append(last.parts, next.parts...)
}

// settleFeedin creates the rows of usage and feed-in. While net metering applies, feed-in is first subtracted from the usage of the same
// cell; the remaining feed-in and usage are then offset in the order of the cells. Feed-in that exceeds all usage is paid at its own price.
func (c *calculation) settleFeedin() {
	usage, fed := make([]meter.Amount, len(c.cells)), make([]meter.Amount, len(c.cells)) // the remaining amounts
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
func (c *calculation) addQuantity(prices []int, netted bool, s meter.Span, of share) {
	if of.quantity == 0 {
		return
	}
	for _, p := range prices {
		row := c.addRow(rowKey{p, netted}, s, big.NewRat(int64(of.quantity), 1000))
		row.shares = append(row.shares, of)
	}
}

// addRow adds a quantity in units of the price to a row.
func (c *calculation) addRow(key rowKey, s meter.Span, quantity *big.Rat) *rowSum {
	row := c.rows[key]
	if row == nil {
		row = &rowSum{from: s.From, until: s.Until, quantity: new(big.Rat)}
		c.rows[key] = row
	}
	if s.From.Before(row.from) {
		row.from = s.From
	}
	row.until = meter.Later(row.until, s.Until)
	row.quantity.Add(row.quantity, quantity)
	return row
}

// addTimed creates the rows of charges by time. Every day needs a standing charge, and the other charges only if the agreement has them.
func (c *calculation) addTimed() {
	for _, kind := range []PriceKind{priceStanding, priceGrid, priceTaxReduction} {
		if kind != priceStanding && !c.has(kind) {
			continue
		}
		for day := c.days.From; day.Before(c.days.Until); day = day.AddDays(1) {
			one := meter.Span{From: day, Until: day.AddDays(1)}
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

// timeOf returns the number of days, months or years in a span. A day is a fraction of its own month or year: 1/28 to 1/31, 1/365 or 1/366.
func timeOf(unit string, s meter.Span) *big.Rat {
	period := map[string]meter.Period{"day": meter.Daily, "month": meter.Monthly, "year": meter.Yearly}[unit]
	total := new(big.Rat)
	if period == "" {
		return total
	}
	for from := s.From; from.Before(s.Until); {
		begin := period.Begin(from)
		end := period.Next(begin)
		until := end
		if s.Until.Before(until) {
			until = s.Until
		}
		total.Add(total, big.NewRat(int64(until.DaysSince(from)), int64(end.DaysSince(begin))))
		from = until
	}
	return total
}

// cost returns the cost of the rows, or the reasons why it is unknown.
func (c *calculation) cost() Cost {
	out := Cost{From: c.days.From, To: c.days.Until, Rows: []CostRow{}, Unknown: []Unknown{}}
	var total value.Cents
	for key, sum := range c.rows {
		p := c.Prices[key.price]
		price := big.NewRat(int64(p.Amount), 1)
		if p.IncludesVAT != nil && !*p.IncludesVAT {
			price.Mul(price, big.NewRat(int64(100+c.VATPercent), 100))
		}
		row := CostRow{Kind: p.Kind, Netted: key.netted, From: sum.from, To: sum.until, Unit: p.Unit}
		cents, fits := meter.Round(new(big.Rat).Quo(new(big.Rat).Mul(sum.quantity, price), big.NewRat(1000, 1)))
		quantity, fitsToo := meter.Round(new(big.Rat).Mul(sum.quantity, big.NewRat(1000, 1)))
		shown, fitsThree := meter.Round(price)
		if !fits || !fitsToo || !fitsThree || cents > maxCents || cents < -maxCents {
			c.miss(unknownAmount, p.Kind, meter.Span{From: sum.from, Until: sum.until})
		}
		sum.amount = value.Cents(cents)
		row.Amount, row.Quantity, row.Price = sum.amount, meter.Amount(quantity), value.Price(shown)
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

// maxCents is the maximum amount of a row. Sums of such amounts do not overflow.
const maxCents = 1_000_000_000_000_000
