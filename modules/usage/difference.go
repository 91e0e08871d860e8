package usage

import (
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// usedIn is what was taken and fed in over a stretch of days: the difference between the meter readings at its begin and at its
// end (9-usage-month-readings). A meter that was replaced in between counts until the day from which the next one has a reading.
// Not ok: a reading is missing. Standings are oldest first.
func usedIn(standings []standing, s span, c Commodity) (a Amounts, ok bool) {
	first := slices.IndexFunc(standings, func(r standing) bool { return !r.Day.Before(s.from) })
	if first < 0 {
		return a, false
	}
	reached := map[value.Day]Amounts{s.from: {}} // what was used until that day, by the days that readings lead to
	for i := first; i < len(standings) && !standings[i].Day.After(s.until); i++ {
		from := standings[i]
		so, ok := reached[from.Day]
		if !ok {
			continue
		}
		for _, to := range standings[i+1:] {
			if to.Day.After(s.until) {
				break
			}
			if _, known := reached[to.Day]; known || to.MeterNumber != from.MeterNumber || !comparable(from, to) {
				continue
			}
			sum := so
			sum.plus(used(from, to, c))
			reached[to.Day] = sum
		}
	}
	a, ok = reached[s.until]
	return a, ok
}

// comparable reports whether two readings of a meter show the same registers of consumption: with one of them missing the
// difference would be too small.
func comparable(a, b standing) bool {
	return (a.Normal == nil) == (b.Normal == nil) && (a.Low == nil) == (b.Low == nil) && (a.Normal != nil || a.Low != nil)
}

// byReadings fills a series of months or years with differences of meter readings, oldest first, over the span t in which the
// relation was supplied (9-usage-month-readings). A period without both readings is a gap; a year without them is the sum of the
// months that have both, and partial.
func (s *Series) byReadings(standings []standing, t span, loc *time.Location) {
	between := func(p span) (Amounts, bool) {
		if !t.covers(p) {
			return Amounts{}, false
		}
		return usedIn(standings, p, s.Commodity)
	}
	for _, begin := range periods(s.Unit, span{from: s.From, until: s.To}, loc) {
		point := Point{Start: begin.at, Day: begin.day}
		end := s.Unit.next(begin.day)
		a, ok := between(span{from: begin.day, until: end})
		point.Amounts = a
		for month := begin.day; !ok && s.Unit == Years && month.Before(end); month = Mon.next(month) {
			if a, ok := between(span{from: month, until: Mon.next(month)}); ok {
				point.plus(a)
			}
			point.Partial = true
		}
		s.add(point)
	}
}

// apart is how many days readings lie from one another so that they say nothing about days.
const apart = 7

// spaced leaves out the readings of a smart meter that would give daily values away where those may not be shown
// (9-usage-readings-spaced). It keeps those of the first of a month, those without another within a week, the first of a meter and
// the last of one that counts no more; never those of two successive days. Standings are oldest first; ended says that the supply
// has ended.
func spaced(standings []standing, ended bool) []standing {
	of := map[string][]int{} // by meter
	for i, r := range standings {
		of[r.MeterNumber] = append(of[r.MeterNumber], i)
	}
	keep := make([]bool, len(standings))
	for _, own := range of {
		day := func(n int) value.Day { return standings[own[n]].Day }
		last := len(own) - 1
		over := ended || standings[len(standings)-1].Day.DaysSince(day(last)) > apart
		before := -1
		for n, i := range own {
			lone := (n == 0 || day(n).DaysSince(day(n-1)) > apart) && (n == last || day(n+1).DaysSince(day(n)) > apart)
			if keep[i] = day(n).Day == 1 || lone || n == 0 || n == last && over; !keep[i] {
				continue
			}
			if before >= 0 && standings[i].Day.DaysSince(standings[before].Day) <= 1 {
				if day(n).Day != 1 {
					keep[i] = false
					continue
				}
				keep[before] = false
			}
			before = i
		}
	}
	out := make([]standing, 0, len(standings))
	for i, r := range standings {
		if keep[i] {
			out = append(out, r)
		}
	}
	return out
}
