package cost

import (
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/series"
)

// CostBar is the part of a cost that belongs to one period of a chart. If the cost of every period is known, the bars add up to the total.
type CostBar struct {
	Start  time.Time    `json:"start" doc:"Start of the period, with the offset of the label's time zone"`
	Day    value.Day    `json:"day,omitzero" doc:"First day of the period; absent for hours"`
	Amount *value.Cents `json:"amount" nullable:"true" doc:"Cost in euros including VAT of the days asked for; negative: paid to the customer; null: not known"`
	// Estimated is true only in a CostEstimate.
	Estimated bool `json:"estimated,omitempty" doc:"Whether a day of the period is estimated"`
}

// Bars contains the bars of a cost. Like Points, they are encoded without reflection.
type Bars []CostBar

// MarshalJSON implements json.Marshaler.
func (b Bars) MarshalJSON() ([]byte, error) {
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
	use, feedin meter.Amount
}

// share is a quantity of a row that comes from the usage or the feed-in of a cell.
type share struct {
	cell     *cell
	isFeedin bool
	quantity meter.Amount
}

// maxPasses limits how often days with an unknown cost are skipped.
const maxPasses = 8

// BarsOf calculates the cost of the days of a span and divides its rows over periods (9-usage-euro-bars): usage in proportion to the usage
// in each period, feed-in in proportion to the feed-in, at the average amount per kWh of these days, and charges by time in proportion to
// days. Each row is divided to the cent. hours contains the measurements of each hour of the span, for periods of an hour. A period that
// contains a day with an unknown cost has no amount. The amounts of the other periods are calculated as if such days were left out.
func BarsOf(t Tariff, days meter.Span, quantities []meter.Quantity, unit meter.Period, hours series.Points, loc *time.Location) (Cost,
	Bars) {
	c := calculate(t, days, quantities, nil)
	cost := c.cost()
	for n := 0; len(c.unknown) > 0; n++ {
		skipped := slices.Clone(c.skipped)
		for _, u := range c.unknown {
			skipped = append(skipped, meter.Span{From: u.From, Until: u.To})
		}
		if n == maxPasses {
			skipped = []meter.Span{days}
		}
		c = calculate(t, days, quantities, mergeSpans(skipped))
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

// mergeSpans sorts spans and joins those that overlap.
func mergeSpans(all []meter.Span) (out []meter.Span) {
	slices.SortFunc(all, func(a, b meter.Span) int { return a.From.DaysSince(b.From) })
	for _, s := range all {
		if n := len(out); n > 0 && !out[n-1].Until.Before(s.From) {
			out[n-1].Until = meter.Later(out[n-1].Until, s.Until)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// skips reports whether all days of a span are skipped.
func (c *calculation) skips(s meter.Span) bool {
	return slices.ContainsFunc(c.skipped, func(o meter.Span) bool { return !s.From.Before(o.From) && !o.Until.Before(s.Until) })
}

// skipsAny reports whether any day of a span is skipped.
func (c *calculation) skipsAny(s meter.Span) bool {
	return slices.ContainsFunc(c.skipped, func(o meter.Span) bool { return s.From.Before(o.Until) && o.From.Before(s.Until) })
}

// notSkipped returns the parts of a span that are not skipped.
func (c *calculation) notSkipped(s meter.Span) (out []meter.Span) {
	for _, o := range c.skipped {
		if !o.From.Before(s.Until) || !s.From.Before(o.Until) {
			continue
		}
		if s.From.Before(o.From) {
			out = append(out, meter.Span{From: s.From, Until: o.From})
		}
		s.From = o.Until
	}
	if s.From.Before(s.Until) {
		out = append(out, s)
	}
	return out
}
