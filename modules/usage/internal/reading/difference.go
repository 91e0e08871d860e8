package reading

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Between returns the usage in a span: the difference between the meter readings at its start and end (9-usage-month-readings). If a meter
// was replaced, the old meter counts until the first reading of the new one. ok is false if a reading is missing. Readings are sorted,
// oldest first.
func Between(readings []Stored, s meter.Span, c meter.Commodity) (a meter.Amounts, ok bool) {
	first := slices.IndexFunc(readings, func(r Stored) bool { return !r.Day.Before(s.From) })
	if first < 0 {
		return a, false
	}
	reached := map[value.Day]meter.Amounts{s.From: {}} // usage until each day that is reached by a chain of readings
	for i := first; i < len(readings) && !readings[i].Day.After(s.Until); i++ {
		from := readings[i]
		total, ok := reached[from.Day]
		if !ok {
			continue
		}
		for _, to := range readings[i+1:] {
			if to.Day.After(s.Until) {
				break
			}
			if _, known := reached[to.Day]; known || to.MeterNumber != from.MeterNumber || !haveSameRegisters(from, to) {
				continue
			}
			sum := total
			sum.Add(Difference(from, to, c))
			reached[to.Day] = sum
		}
	}
	a, ok = reached[s.Until]
	return a, ok
}

// haveSameRegisters reports whether two readings of a meter have the same consumption registers. Otherwise their difference would be too
// small.
func haveSameRegisters(a, b Stored) bool {
	return (a.Normal == nil) == (b.Normal == nil) && (a.Low == nil) == (b.Low == nil) && (a.Normal != nil || a.Low != nil)
}

// minSpacing is the number of days; readings that are further apart do not reveal daily values.
const minSpacing = 7

// ThinOut removes the readings of a smart meter that would reveal daily values without a legal basis (9-usage-readings-spaced). It
// keeps the readings on the first of a month, those without another reading within a week, the first one of a meter and the last one of a
// replaced meter, but never two on successive days. Readings are sorted, oldest first; ended means that the supply has ended.
func ThinOut(readings []Stored, ended bool) []Stored {
	byMeter := map[string][]int{} // by meter number
	for i, r := range readings {
		byMeter[r.MeterNumber] = append(byMeter[r.MeterNumber], i)
	}
	keep := make([]bool, len(readings))
	for _, own := range byMeter {
		day := func(n int) value.Day { return readings[own[n]].Day }
		last := len(own) - 1
		hasEnded := ended || readings[len(readings)-1].Day.DaysSince(day(last)) > minSpacing
		before := -1
		for n, i := range own {
			isolated := (n == 0 || day(n).DaysSince(day(n-1)) > minSpacing) && (n == last || day(n+1).DaysSince(day(n)) > minSpacing)
			if keep[i] = day(n).Day == 1 || isolated || n == 0 || n == last && hasEnded; !keep[i] {
				continue
			}
			if before >= 0 && readings[i].Day.DaysSince(readings[before].Day) <= 1 {
				if day(n).Day != 1 {
					keep[i] = false
					continue
				}
				keep[before] = false
			}
			before = i
		}
	}
	out := make([]Stored, 0, len(readings))
	for i, r := range readings {
		if keep[i] {
			out = append(out, r)
		}
	}
	return out
}
