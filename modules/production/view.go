package production

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Timeframe selects the length of a view and of its periods (4-production-types).
type Timeframe string

// Views. A year is a calendar year, a week begins on Monday, and the newest period contains today.
const (
	Years  Timeframe = "YEAR3_YEARS" // three years by year
	Months Timeframe = "YEAR_MONTHS" // a year by month
	Weeks  Timeframe = "WEEK4_WEEKS" // four weeks by week
	Days   Timeframe = "MONTH_DAYS"  // a month by day
	Hours  Timeframe = "DAY_HOURS"   // a day by hour
)

// period is the period of a point. slot is the hour of the day, or -1 for a day or longer.
type period struct {
	day   value.Day
	until value.Day // exclusive
	slot  int
	hour  int // clock hour at its start
}

// labels returns the labels of the period in a view (7.6-production-array).
func (p period) labels(t Timeframe) Labels {
	l := Labels{Date: Date{p.day.Year, int(p.day.Month), p.day.Day}}
	switch t {
	case Years:
		l.Year = &l.Date.Year
	case Months:
		l.Month = &l.Date.Month
	case Weeks:
		_, week := p.day.In(time.UTC).ISOWeek()
		l.Week = &week
		if p.until == p.day.AddDays(1) { // 9-production-days
			l.Day = &l.Date.Day
		}
	case Days:
		l.Day = &l.Date.Day
	case Hours:
		l.Hour = &p.hour
	}
	return l
}

// periods returns the periods of a view, oldest first. offset selects the view: 0 contains today, -1 is the view before it.
func periods(t Timeframe, offset int, today value.Day, loc *time.Location) (out []period) {
	add := func(from value.Day, n int, next func(value.Day, int) value.Day) {
		for i := range n {
			out = append(out, period{day: next(from, i), until: next(from, i+1), slot: -1})
		}
	}
	days := value.Day.AddDays
	months := value.Day.AddMonths
	switch t {
	case Years:
		add(value.Day{Year: today.Year - 2 + 3*offset, Month: time.January, Day: 1}, 3,
			func(d value.Day, n int) value.Day { return months(d, 12*n) })
	case Months:
		add(value.Day{Year: today.Year + offset, Month: time.January, Day: 1}, 12, months)
	case Weeks:
		monday := days(today, -(int(today.In(time.UTC).Weekday())+6)%7)
		add(days(monday, 7*(4*offset-3)), 4, func(d value.Day, n int) value.Day { return days(d, 7*n) })
	case Days:
		first := months(value.Day{Year: today.Year, Month: today.Month, Day: 1}, offset)
		add(first, months(first, 1).DaysSince(first), days)
	case Hours:
		d := days(today, offset)
		for slot := range hoursOf(d, loc) {
			out = append(out, period{day: d, until: days(d, 1), slot: slot, hour: d.In(loc).Add(time.Duration(slot) * time.Hour).Hour()})
		}
	}
	return out
}

// byDay returns a period for each day in the given periods.
func byDay(in []period) (out []period) {
	for _, p := range in {
		for d := p.day; d.Before(p.until); d = d.AddDays(1) {
			out = append(out, period{day: d, until: d.AddDays(1), slot: -1})
		}
	}
	return out
}

// hoursOf returns the number of hours of a civil day: 23 or 25 when the clock changes, otherwise 24.
func hoursOf(d value.Day, loc *time.Location) int {
	return int(d.AddDays(1).In(loc).Sub(d.In(loc)) / time.Hour)
}
