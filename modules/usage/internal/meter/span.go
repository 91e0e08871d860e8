package meter

import (
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Later returns the later of two days.
func Later(a, b value.Day) value.Day {
	if a.After(b) {
		return a
	}
	return b
}

// Span is a range of days from From to the day before Until. A zero Until means no end. Gaps contains the ranges within the span that do
// not belong to it.
type Span struct {
	From, Until value.Day
	Gaps        []Span
}

// Union returns the span from the first start to the last end, with the gaps in between. all must not be empty.
func Union(all []Span) Span {
	slices.SortFunc(all, func(a, b Span) int { return a.From.DaysSince(b.From) })
	s := all[0]
	for _, next := range all[1:] {
		if s.Until.IsZero() {
			break
		}
		if next.From.After(s.Until) {
			s.Gaps = append(s.Gaps, Span{From: s.Until, Until: next.From})
		}
		if next.Until.IsZero() || next.Until.After(s.Until) {
			s.Until = next.Until
		}
	}
	return s
}

// Within limits a span to another one without gaps.
func (s Span) Within(o Span) Span {
	if o.From.After(s.From) {
		s.From = o.From
	}
	if !o.Until.IsZero() && (s.Until.IsZero() || o.Until.Before(s.Until)) {
		s.Until = o.Until
	}
	return s
}

// IsInGap reports whether a day is in a gap of the span.
func (s Span) IsInGap(d value.Day) bool {
	return slices.ContainsFunc(s.Gaps, func(g Span) bool { return !d.Before(g.From) && d.Before(g.Until) })
}

// Contains reports whether all days of another span are in this one.
func (s Span) Contains(o Span) bool {
	return !o.From.Before(s.From) && !o.Until.After(s.End()) && !slices.ContainsFunc(s.Gaps, func(g Span) bool {
		return o.From.Before(g.Until) && g.From.Before(o.Until)
	})
}

// Days returns the number of days of a span with an end.
func (s Span) Days() int { return s.Until.DaysSince(s.From) }

// maxDay is the day that stands for "no end".
var maxDay = value.Day{Year: 9999, Month: time.December, Day: 31}

// End returns the day after the last one, or maxDay for a span without an end.
func (s Span) End() value.Day {
	if s.Until.IsZero() {
		return maxDay
	}
	return s.Until
}
