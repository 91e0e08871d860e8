package usage

import (
	"context"
	"slices"

	"github.com/wattle-portal/wattle/core/value"
)

// fillGaps completes the quantities of days with meter readings (9-usage-euro-gap): what was used between two readings, less what was
// measured on the complete days between them, was used on the other days. These days are one quantity, from the first to the last one, with
// the complete days among them. Days that are not between two readings of a meter, or of which the readings say less than was measured,
// stay as they are. Quantities of days and readings are sorted, oldest first; t is the span of supply, fits limits the quantities that are
// made.
func fillGaps(quantities []Quantity, readings []storedReading, t, fits span, c Commodity) []Quantity {
	for i := range readings {
		next := slices.IndexFunc(readings, func(r storedReading) bool { return r.Day.After(readings[i].Day) })
		if next < 0 {
			break
		}
		between := span{from: readings[i].Day, until: readings[next].Day}
		if i+1 < len(readings) && readings[i+1].Day == between.from {
			continue // once for all meters of a day
		}
		used, ok := usageBetween(readings, between, c)
		if !ok || !t.contains(between) {
			continue
		}
		gap := gapOf(quantities, between)
		if !gap.from.Before(gap.until) || gap.from.Before(fits.from) || gap.until.After(fits.until) {
			continue
		}
		for _, q := range quantities {
			if !q.From.Before(between.from) && !q.Until.After(between.until) && (q.Until.DaysSince(gap.from) <= 0 || !q.From.Before(gap.until)) {
				used, ok = subtract(used, q.Amounts, ok)
			}
		}
		if !ok {
			continue
		}
		quantities = slices.DeleteFunc(quantities, func(q Quantity) bool { return !q.From.Before(gap.from) && !q.Until.After(gap.until) })
		at, _ := slices.BinarySearchFunc(quantities, gap.from, func(q Quantity, day value.Day) int { return q.From.DaysSince(day) })
		quantities = slices.Insert(quantities, at, Quantity{From: gap.from, Until: gap.until, Amounts: used})
	}
	return quantities
}

// gapOf returns the days from the first to the last one within a span that have no complete measurement; none: an empty span.
func gapOf(quantities []Quantity, within span) (gap span) {
	gap.from, gap.until = within.until, within.from
	next := within.from
	missing := func(s span) {
		if s.from.Before(gap.from) {
			gap.from = s.from
		}
		gap.until = later(gap.until, s.until)
	}
	for _, q := range quantities {
		if q.From.Before(within.from) || q.Until.After(within.until) {
			continue
		}
		if next.Before(q.From) {
			missing(span{from: next, until: q.From})
		}
		if q.Partial {
			missing(q.span())
		}
		next = q.Until
	}
	if next.Before(within.until) {
		missing(span{from: next, until: within.until})
	}
	return gap
}

// subtract returns a minus b; ok is false if a register of a is less than, or not known while that of b is.
func subtract(a, b Amounts, known bool) (Amounts, bool) {
	less := func(x, y *Amount) *Amount {
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
	a = Amounts{less(a.Normal, b.Normal), less(a.Low, b.Low), less(a.FeedinNormal, b.FeedinNormal), less(a.FeedinLow, b.FeedinLow),
		less(a.Consumption, b.Consumption)}
	return a, known
}

// quantities returns the measurements of a span of days, and those from meter readings for days that were not measured completely.
func (s *service) quantities(ctx context.Context, c Connection, t, days span) ([]Quantity, error) {
	out, err := s.dailyQuantities(ctx, c, t.within(days))
	if gap := gapOf(out, days); err != nil || !gap.from.Before(gap.until) {
		return out, err
	}
	readings, err := findReadings(ctx, s.host.DB, c.EANCode, t)
	if err != nil || len(readings) < 2 {
		return out, err
	}
	around := days // extended to the readings before and after
	for _, r := range readings {
		if !r.Day.After(days.from) {
			around.from = r.Day
		}
		if !r.Day.Before(days.until) {
			around.until = r.Day
			break
		}
	}
	wide := out
	if around.from != days.from || around.until != days.until {
		if wide, err = s.dailyQuantities(ctx, c, t.within(around)); err != nil {
			return nil, err
		}
	}
	wide = fillGaps(wide, slices.DeleteFunc(readings, func(r storedReading) bool {
		return r.Day.Before(around.from) || around.until.Before(r.Day)
	}), t, days, c.Commodity)
	return slices.DeleteFunc(wide, func(q Quantity) bool { return q.From.Before(days.from) || days.until.Before(q.Until) }), nil
}
