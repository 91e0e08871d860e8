package usage

import (
	"math/bits"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// CostBar is the part of a cost that belongs to one period of a chart. The bars of a cost that is known as a whole and in all its periods add
// up to its total.
type CostBar struct {
	Start  time.Time    `json:"start" doc:"Start of the period, with the offset of the label's time zone"`
	Day    value.Day    `json:"day,omitzero" doc:"First day of the period; absent for hours"`
	Amount *value.Cents `json:"amount" nullable:"true" doc:"Cost in euros including VAT of the days asked for; negative: paid to the customer; null: not known"`
	// Estimated is true in a CostEstimate only.
	Estimated bool `json:"estimated,omitempty" doc:"Whether a day of the period is estimated"`
}

// CostBars are the bars of a cost. Like Points, they are encoded without reflection.
type CostBars []CostBar

// MarshalJSON implements json.Marshaler.
func (b CostBars) MarshalJSON() ([]byte, error) {
	out := make([]byte, 1, 2+len(b)*80)
	out[0] = '['
	for i, bar := range b {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(bar.Start.AppendFormat(append(out, `{"start":"`...), time.RFC3339), '"')
		if !bar.Day.IsZero() {
			out = append(append(append(out, `,"day":"`...), bar.Day.String()...), '"')
		}
		out = append(out, `,"amount":`...)
		if bar.Amount == nil {
			out = append(out, "null"...)
		} else {
			out = append(out, bar.Amount.String()...)
		}
		if bar.Estimated {
			out = append(out, `,"estimated":true`...)
		}
		out = append(out, '}')
	}
	return append(out, ']'), nil
}

// part is the usage and feed-in of a cell in one quantity.
type part struct {
	quantity    int // index
	use, feedin Amount
}

// share is a quantity of a row that comes from the usage or the feed-in of a cell.
type share struct {
	cell     *cell
	isFeedin bool
	quantity Amount
}

// maxPasses limits how often days that are not known are left out.
const maxPasses = 8

// CostBarsOf calculates the cost of the days of a span and divides its rows over periods (9-usage-euro-bars): usage by what was used in each
// period, feed-in by what was fed in, at the mean of what the feed-in of these days brings, and charges by time by days. Each row is divided
// to the cent. hours is what was measured in each hour of the span, for periods of an hour. A period with a day whose cost is not known has
// no amount; the amounts of the others are those of the days that are known.
func CostBarsOf(t Tariff, days span, quantities []Quantity, unit Period, hours Points, loc *time.Location) (Cost, CostBars) {
	c := calculate(t, days, quantities, nil)
	cost := c.cost()
	for n := 0; len(c.unknown) > 0; n++ {
		skipped := slices.Clone(c.skipped)
		for _, u := range c.unknown {
			skipped = append(skipped, span{from: u.From, until: u.To})
		}
		if n == maxPasses {
			skipped = []span{days}
		}
		c = calculate(t, days, quantities, merged(skipped))
		c.cost()
	}
	d := newDivision(days, unit, loc)
	for _, s := range c.skipped {
		d.forget(s)
	}
	for key, row := range c.rows {
		if len(row.shares) == 0 {
			d.divideTimed(row.amount, c.notSkipped(c.part(c.Prices[key.price])), c.Prices[key.price].Unit)
		} else {
			d.divideMeasured(row, quantities, hours)
		}
	}
	return cost, d.bars
}

// merged sorts spans and joins those that overlap.
func merged(all []span) (out []span) {
	slices.SortFunc(all, func(a, b span) int { return a.from.DaysSince(b.from) })
	for _, s := range all {
		if n := len(out); n > 0 && !out[n-1].until.Before(s.from) {
			out[n-1].until = later(out[n-1].until, s.until)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// skips reports whether all days of a span are skipped.
func (c *costing) skips(s span) bool {
	return slices.ContainsFunc(c.skipped, func(o span) bool { return !s.from.Before(o.from) && !o.until.Before(s.until) })
}

// skipsAny reports whether any day of a span is skipped.
func (c *costing) skipsAny(s span) bool {
	return slices.ContainsFunc(c.skipped, func(o span) bool { return s.from.Before(o.until) && o.from.Before(s.until) })
}

// notSkipped returns the parts of a span that are not skipped.
func (c *costing) notSkipped(s span) (out []span) {
	for _, o := range c.skipped {
		if !o.from.Before(s.until) || !s.from.Before(o.until) {
			continue
		}
		if s.from.Before(o.from) {
			out = append(out, span{from: s.from, until: o.from})
		}
		s.from = o.until
	}
	if s.from.Before(s.until) {
		out = append(out, s)
	}
	return out
}

// division divides amounts over the periods of a chart.
type division struct {
	bars  CostBars
	days  span
	unit  Period
	index map[value.Day][2]int // first bar and the one after the last, by the first day of a period; for hours by day
}

func newDivision(days span, unit Period, loc *time.Location) *division {
	starts := periodStarts(unit, align(unit, days.from, days.until), loc)
	d := &division{bars: make(CostBars, len(starts)), days: days, unit: unit, index: make(map[value.Day][2]int, len(starts))}
	amounts := make([]value.Cents, len(starts))
	for i, s := range starts {
		d.bars[i] = CostBar{Start: s.at, Amount: &amounts[i]}
		if unit != Hourly {
			d.bars[i].Day = s.day
		}
		at, ok := d.index[s.day]
		if !ok {
			at[0] = i
		}
		d.index[s.day] = [2]int{at[0], i + 1}
	}
	return d
}

// of returns the bars of the days of a span: from the first to the one before until.
func (d *division) of(s span) (first, until int) {
	return d.index[d.begin(s.from)][0], d.index[d.begin(s.until.AddDays(-1))][1]
}

func (d *division) begin(day value.Day) value.Day {
	if d.unit == Hourly {
		return day
	}
	return d.unit.begin(day)
}

// forget removes the amounts of the periods that contain a day of a span.
func (d *division) forget(s span) {
	first, until := d.of(s)
	for i := first; i < until; i++ {
		d.bars[i].Amount = nil
	}
}

func (d *division) add(bar int, amount int64) {
	if a := d.bars[bar].Amount; a != nil {
		*a += value.Cents(amount)
	}
}

// Multiples of the parts of a month or year that days are, so that they are whole numbers.
const (
	monthParts = 4 * 3 * 5 * 7 * 29 * 31 // divisible by 28 to 31
	yearParts  = 365 * 366
	hourParts  = 23 * 24 * 25
)

// divideTimed divides the amount of a charge by time over the days of spans, and of a day over its hours.
func (d *division) divideTimed(amount value.Cents, spans []span, unit string) {
	weights := make([]int64, len(d.bars))
	for _, s := range spans {
		for day := s.from; day.Before(s.until); day = day.AddDays(1) {
			weight := int64(1)
			switch unit {
			case "month":
				weight = monthParts / int64(Monthly.next(Monthly.begin(day)).DaysSince(Monthly.begin(day)))
			case "year":
				weight = yearParts / int64(Yearly.next(Yearly.begin(day)).DaysSince(Yearly.begin(day)))
			}
			first, until := d.of(span{from: day, until: day.AddDays(1)})
			for i := first; i < until; i++ {
				weights[i] += weight * (hourParts / int64(until-first))
			}
		}
	}
	for i, n := range divide(int64(amount), weights) {
		d.add(i, n)
	}
}

// divideMeasured divides the amount of a row of usage or feed-in over its quantities, and those over their hours.
func (d *division) divideMeasured(row *rowSum, quantities []Quantity, hours Points) {
	whole := make([]int64, len(row.shares))
	for i, s := range row.shares {
		whole[i] = int64(max(s.quantity, -s.quantity))
	}
	for i, amount := range divide(int64(row.amount), whole) {
		s := row.shares[i]
		weights := make([]int64, len(s.cell.parts))
		for j, p := range s.cell.parts {
			if weights[j] = int64(p.use); s.isFeedin {
				weights[j] = int64(p.feedin)
			}
		}
		for j, amount := range divide(amount, weights) {
			if weights[j] > 0 {
				d.addQuantity(quantities[s.cell.parts[j].quantity].span(), amount, s, hours)
			}
		}
	}
}

// addQuantity adds an amount of a quantity to the bar of its days, or to those of its hours. The bars of days between meter readings, and of
// hours that were not measured, are not known.
func (d *division) addQuantity(days span, amount int64, of share, hours Points) {
	first, until := d.of(days)
	if until-first == 1 {
		d.add(first, amount)
		return
	}
	if d.unit != Hourly || days.days() > 1 || until > len(hours) {
		d.forget(days)
		return
	}
	weights := make([]int64, until-first)
	for i := range weights {
		weights[i] = int64(amountOrZero(hours[first+i].register(of)))
	}
	if !slices.ContainsFunc(weights, func(w int64) bool { return w > 0 }) {
		d.forget(days)
		return
	}
	for i, n := range divide(amount, weights) {
		d.add(first+i, n)
	}
}

// register returns the usage or feed-in that a share is about.
func (a Amounts) register(of share) *Amount {
	switch {
	case of.cell.register == priceSingle:
		return a.Consumption
	case of.cell.register == priceLow && of.isFeedin:
		return a.FeedinLow
	case of.cell.register == priceLow:
		return a.Low
	case of.isFeedin:
		return a.FeedinNormal
	}
	return a.Normal
}

// divide divides an amount in proportion to weights, which are not negative. The parts add up to the amount, and each sum of successive parts
// is rounded by at most a half at both ends. Without any weight, nothing is divided.
func divide(amount int64, weights []int64) []int64 {
	out := make([]int64, len(weights))
	total := uint64(0)
	for _, w := range weights {
		total += uint64(w)
	}
	if total == 0 {
		return out
	}
	sign, size := int64(1), uint64(amount)
	if amount < 0 {
		sign, size = -1, uint64(-amount)
	}
	reached, before := uint64(0), int64(0)
	for i, w := range weights {
		reached += uint64(w)
		high, low := bits.Mul64(size, reached)
		quotient, rest := bits.Div64(high, low, total) // reached <= total, so that the quotient fits
		if rest >= total-rest {
			quotient++
		}
		out[i], before = sign*(int64(quotient)-before), int64(quotient)
	}
	return out
}
