package reading

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// FillGaps completes the quantities of days with meter readings (9-usage-euro-gap): the usage between two readings, minus the usage on the
// completely measured days between them, is the usage on the other days. These days become one quantity, from the first to the last one,
// including the complete days between them. Days stay unchanged if they are not between two readings of a meter, or if the readings show
// less usage than was measured. Quantities and readings are sorted, oldest first. t is the span of supply; fits limits the new quantities.
func FillGaps(quantities []meter.Quantity, readings []Stored, t, fits meter.Span, c meter.Commodity) []meter.Quantity {
	for i := range readings {
		next := slices.IndexFunc(readings, func(r Stored) bool { return r.Day.After(readings[i].Day) })
		if next < 0 {
			break
		}
		between := meter.Span{From: readings[i].Day, Until: readings[next].Day}
		if i+1 < len(readings) && readings[i+1].Day == between.From {
			continue // only once for all meters with a reading on a day
		}
		used, ok := Between(readings, between, c)
		if !ok || !t.Contains(between) {
			continue
		}
		gap := GapOf(quantities, between)
		if !gap.From.Before(gap.Until) || gap.From.Before(fits.From) || gap.Until.After(fits.Until) {
			continue
		}
		for _, q := range quantities {
			if !q.From.Before(between.From) && !q.Until.After(between.Until) && (q.Until.DaysSince(gap.From) <= 0 || !q.From.Before(gap.Until)) {
				used, ok = subtract(used, q.Amounts, ok)
			}
		}
		if !ok {
			continue
		}
		quantities = slices.DeleteFunc(quantities, func(q meter.Quantity) bool { return !q.From.Before(gap.From) && !q.Until.After(gap.Until) })
		at, _ := slices.BinarySearchFunc(quantities, gap.From, func(q meter.Quantity, day value.Day) int { return q.From.DaysSince(day) })
		quantities = slices.Insert(quantities, at, meter.Quantity{From: gap.From, Until: gap.Until, Amounts: used})
	}
	return quantities
}

// GapOf returns the span from the first to the last day within a span that was not measured completely, or an empty span if there is none.
func GapOf(quantities []meter.Quantity, within meter.Span) (gap meter.Span) {
	gap.From, gap.Until = within.Until, within.From
	next := within.From
	missing := func(s meter.Span) {
		if s.From.Before(gap.From) {
			gap.From = s.From
		}
		gap.Until = meter.Later(gap.Until, s.Until)
	}
	for _, q := range quantities {
		if q.From.Before(within.From) || q.Until.After(within.Until) {
			continue
		}
		if next.Before(q.From) {
			missing(meter.Span{From: next, Until: q.From})
		}
		if q.Partial {
			missing(q.Span())
		}
		next = q.Until
	}
	if next.Before(within.Until) {
		missing(meter.Span{From: next, Until: within.Until})
	}
	return gap
}

// subtract returns a minus b; ok is false if known is false, or if a register of a is less than that of b, or unknown while that of b is
// known.
func subtract(a, b meter.Amounts, known bool) (meter.Amounts, bool) {
	less := func(x, y *meter.Amount) *meter.Amount {
		switch {
		case y == nil || *y == 0:
			return x
		case x == nil || *x < *y:
			known = false
			return x
		}
		n := *x - *y
		return &n
	}
	a = meter.Amounts{Normal: less(a.Normal, b.Normal), Low: less(a.Low, b.Low), FeedinNormal: less(a.FeedinNormal, b.FeedinNormal),
		FeedinLow:   less(a.FeedinLow, b.FeedinLow),
		Consumption: less(a.Consumption, b.Consumption)}
	return a, known
}
