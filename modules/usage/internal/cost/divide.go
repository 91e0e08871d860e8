package cost

import (
	"math/bits"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/series"
)

// division divides amounts over the periods of a chart.
type division struct {
	bars  Bars
	days  meter.Span
	unit  meter.Period
	index map[value.Day][2]int // index of the first bar and of the bar after the last, by first day of the period; by day for hours
}

// newDivision returns a division of the days of a span in which every period has the amount 0.
func newDivision(days meter.Span, unit meter.Period, loc *time.Location) *division {
	starts := meter.PeriodStarts(unit, meter.Align(unit, days.From, days.Until), loc)
	d := &division{bars: make(Bars, len(starts)), days: days, unit: unit, index: make(map[value.Day][2]int, len(starts))}
	amounts := make([]value.Cents, len(starts))
	for i, s := range starts {
		d.bars[i] = CostBar{Start: s.At, Amount: &amounts[i]}
		if unit != meter.Hourly {
			d.bars[i].Day = s.Day
		}
		at, ok := d.index[s.Day]
		if !ok {
			at[0] = i
		}
		d.index[s.Day] = [2]int{at[0], i + 1}
	}
	return d
}

// of returns the indexes of the bars for the days of a span: from first to until (exclusive).
func (d *division) of(s meter.Span) (first, until int) {
	return d.index[d.begin(s.From)][0], d.index[d.begin(s.Until.AddDays(-1))][1]
}

// begin returns the first day of the period that contains a day; for hours, that is the day itself.
func (d *division) begin(day value.Day) value.Day {
	if d.unit == meter.Hourly {
		return day
	}
	return d.unit.Begin(day)
}

// forget removes the amounts of the periods that contain a day of a span.
func (d *division) forget(s meter.Span) {
	first, until := d.of(s)
	for i := first; i < until; i++ {
		d.bars[i].Amount = nil
	}
}

// add adds an amount in cents to a bar, unless the bar's amount is unknown.
func (d *division) add(bar int, amount int64) {
	if a := d.bars[bar].Amount; a != nil {
		*a += value.Cents(amount)
	}
}

// Common multiples of the possible numbers of days in a month or year and of hours in a day, so that all weights are integers.
const (
	monthParts = 4 * 3 * 5 * 7 * 29 * 31 // divisible by 28 to 31
	yearParts  = 365 * 366
	hourParts  = 23 * 24 * 25
)

// divideTimed divides the amount of a charge by time over the days of spans, and the amount of each day over its hours.
func (d *division) divideTimed(amount value.Cents, spans []meter.Span, unit string) {
	weights := make([]int64, len(d.bars))
	for _, s := range spans {
		for day := s.From; day.Before(s.Until); day = day.AddDays(1) {
			weight := int64(1)
			switch unit {
			case "month":
				weight = monthParts / int64(meter.Monthly.Next(meter.Monthly.Begin(day)).DaysSince(meter.Monthly.Begin(day)))
			case "year":
				weight = yearParts / int64(meter.Yearly.Next(meter.Yearly.Begin(day)).DaysSince(meter.Yearly.Begin(day)))
			}
			first, until := d.of(meter.Span{From: day, Until: day.AddDays(1)})
			for i := first; i < until; i++ {
				weights[i] += weight * (hourParts / int64(until-first))
			}
		}
	}
	for i, n := range divide(int64(amount), weights) {
		d.add(i, n)
	}
}

// divideMeasured divides the amount of a row of usage or feed-in over its quantities, and the amount of each quantity over its hours.
func (d *division) divideMeasured(row *rowSum, quantities []meter.Quantity, hours series.Points) {
	amounts := make([]int64, len(row.shares))
	for i, s := range row.shares {
		amounts[i] = int64(max(s.quantity, -s.quantity))
	}
	for i, amount := range divide(int64(row.amount), amounts) {
		s := row.shares[i]
		weights := make([]int64, len(s.cell.parts))
		for j, p := range s.cell.parts {
			if weights[j] = int64(p.use); s.isFeedin {
				weights[j] = int64(p.feedin)
			}
		}
		for j, amount := range divide(amount, weights) {
			if weights[j] > 0 {
				d.addQuantity(quantities[s.cell.parts[j].quantity].Span(), amount, s, hours)
			}
		}
	}
}

// addQuantity adds the amount of a quantity to the bar of its days, or to the bars of its hours. If a quantity covers several bars between
// two meter readings, or its hours were not measured, its bars become unknown.
func (d *division) addQuantity(days meter.Span, amount int64, of share, hours series.Points) {
	first, until := d.of(days)
	if until-first == 1 {
		d.add(first, amount)
		return
	}
	if d.unit != meter.Hourly || days.Days() > 1 || until > len(hours) {
		d.forget(days)
		return
	}
	weights := make([]int64, until-first)
	for i := range weights {
		weights[i] = int64(meter.OrZero(registerOf(hours[first+i].Amounts, of)))
	}
	if !slices.ContainsFunc(weights, func(w int64) bool { return w > 0 }) {
		d.forget(days)
		return
	}
	for i, n := range divide(amount, weights) {
		d.add(first+i, n)
	}
}

// registerOf returns the usage or feed-in to which a share belongs.
func registerOf(a meter.Amounts, of share) *meter.Amount {
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

// divide divides an amount in proportion to weights, which must not be negative. The parts add up to the amount. Both ends of any run of
// successive parts are rounded by at most a half. If all weights are zero, all parts are zero.
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
		quotient, remainder := bits.Div64(high, low, total) // reached <= total, so the quotient fits
		if remainder >= total-remainder {
			quotient++
		}
		out[i], before = sign*(int64(quotient)-before), int64(quotient)
	}
	return out
}
