package reading

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// FillGaps completes the quantities of days with meter readings (9-usage-euro-gap): what was used between two readings, less what was
// measured on the complete days between them, was used on the other days. These days are one quantity, from the first to the last one, with
// the complete days among them. Days that are not between two readings of a meter, or of which the readings say less than was measured,
// stay as they are. Quantities of days and readings are sorted, oldest first; t is the span of supply, fits limits the quantities that are
// made.
func FillGaps(quantities []meter.Quantity, readings []Stored, t, fits meter.Span, c meter.Commodity) []meter.Quantity {
	for i := range readings {
		next := slices.IndexFunc(readings, func(r Stored) bool { return r.Day.After(readings[i].Day) })
		if next < 0 {
			break
		}
		between := meter.Span{From: readings[i].Day, Until: readings[next].Day}
		if i+1 < len(readings) && readings[i+1].Day == between.From {
			continue // once for all meters of a day
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

// GapOf returns the days from the first to the last one within a span that have no complete measurement; none: an empty span.
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

// subtract returns a minus b; ok is false if a register of a is less than, or not known while that of b is.
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
