package meter

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Period is the length of the periods of a series.
type Period string

// Lengths of periods.
const (
	Hourly  Period = "hour"
	Daily   Period = "day"
	Weekly  Period = "week" // weeks begin on Monday
	Monthly Period = "month"
	Yearly  Period = "year"
)

// Begin returns the first day of the period that contains a day.
func (p Period) Begin(d value.Day) value.Day {
	switch p {
	case Weekly:
		weekday := d.In(time.UTC).Weekday()
		return d.AddDays(-(int(weekday) + 6) % 7)
	case Monthly:
		d.Day = 1
	case Yearly:
		d.Month, d.Day = time.January, 1
	}
	return d
}

// Next returns the first day of the period after the one that begins on d.
func (p Period) Next(d value.Day) value.Day {
	switch p {
	case Weekly:
		return d.AddDays(7)
	case Monthly:
		return d.AddMonths(1)
	case Yearly:
		return d.AddMonths(12)
	}
	return d.AddDays(1)
}

// Align extends a range of days to whole periods; to is the day after the last one.
func Align(p Period, from, to value.Day) Span {
	return Span{From: p.Begin(from), Until: p.Next(p.Begin(to.AddDays(-1)))}
}

// PeriodStart is the start of a period: the instant, and its civil day in the label's time zone.
type PeriodStart struct {
	At  time.Time
	Day value.Day
}

// PeriodStarts returns the starts of the periods in a range, which must begin with a whole period.
func PeriodStarts(p Period, s Span, loc *time.Location) (out []PeriodStart) {
	for d := s.From; d.Before(s.Until); d = p.Next(d) {
		if p != Hourly {
			out = append(out, PeriodStart{d.In(loc), d})
			continue
		}
		first, end := d.In(loc), d.AddDays(1).In(loc)
		for at := first; at.Before(end); at = at.Add(time.Hour) {
			out = append(out, PeriodStart{at, d})
		}
	}
	return out
}
