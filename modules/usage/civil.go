package usage

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Days and hours are those of the label's zone, never of the server's.

// dayLength is how long a civil day lasts: 23 or 25 hours when the clock changes.
func dayLength(d value.Day, loc *time.Location) time.Duration {
	return d.AddDays(1).In(loc).Sub(d.In(loc))
}

// slotsOf is how many intervals a civil day has.
func slotsOf(d value.Day, seconds int, loc *time.Location) int {
	if seconds == daySeconds {
		return 1
	}
	step := time.Duration(seconds) * time.Second
	return int((dayLength(d, loc) + step - 1) / step)
}

// slotOf is the civil day and the interval in it that begins at an instant; ok is false where none begins.
func slotOf(at time.Time, seconds int, loc *time.Location) (d value.Day, slot int, ok bool) {
	d = value.DayOf(at.In(loc))
	since := at.Sub(d.In(loc))
	if seconds == daySeconds {
		return d, 0, since == 0
	}
	step := time.Duration(seconds) * time.Second
	return d, int(since / step), since%step == 0
}

// slotEnd is the end of an interval.
func slotEnd(d value.Day, seconds, slot int, loc *time.Location) time.Time {
	end := d.AddDays(1).In(loc)
	if seconds == daySeconds {
		return end
	}
	if t := d.In(loc).Add(time.Duration(slot+1) * time.Duration(seconds) * time.Second); t.Before(end) {
		return t
	}
	return end
}

// Layouts of times without offset that records may have.
var localLayouts = []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"}

// parseInstant reads a time with its offset, or one without in the label's zone. The hour that comes twice when the clock is set
// back needs an offset, and the one that is skipped does not exist.
func parseInstant(s string, loc *time.Location) (t time.Time, code string) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, ""
	}
	for _, layout := range localLayouts {
		wall, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		var found []time.Time
		for _, near := range []time.Duration{-24 * time.Hour, 24 * time.Hour} { // the offsets before and after a change of the clock
			_, offset := wall.Add(near).In(loc).Zone()
			at := wall.Add(-time.Duration(offset) * time.Second).In(loc)
			same := at.Format(layout) == wall.Format(layout)
			if same && (len(found) == 0 || !found[0].Equal(at)) {
				found = append(found, at)
			}
		}
		switch len(found) {
		case 0:
			return time.Time{}, codeNoSuchTime
		case 1:
			return found[0], ""
		default:
			return time.Time{}, codeOffset
		}
	}
	return time.Time{}, codeTime
}

// parseDate reads a day, or the civil day of a time.
func parseDate(s string, loc *time.Location) (value.Day, string) {
	if d, err := value.ParseDay(s); err == nil {
		return d, ""
	}
	t, code := parseInstant(s, loc)
	if code != "" {
		return value.Day{}, code
	}
	return value.DayOf(t.In(loc)), ""
}

// start is where a period of a chart begins.
type start struct {
	at  time.Time
	day value.Day
}

// align widens a range of days to whole periods.
func align(p Period, from, to value.Day) span {
	return span{from: p.begin(from), until: p.next(p.begin(to.AddDays(-1)))}
}

// begin is the first day of the period that has a day.
func (p Period) begin(d value.Day) value.Day {
	switch p {
	case Week:
		weekday := d.In(time.UTC).Weekday()
		return d.AddDays(-(int(weekday) + 6) % 7)
	case Mon:
		d.Day = 1
	case Years:
		d.Month, d.Day = time.January, 1
	}
	return d
}

// next is the first day of the period after the one that begins on d.
func (p Period) next(d value.Day) value.Day {
	switch p {
	case Week:
		return d.AddDays(7)
	case Mon:
		return d.AddMonths(1)
	case Years:
		return d.AddMonths(12)
	}
	return d.AddDays(1)
}

// periods lists those of a range that begins with one.
func periods(p Period, s span, loc *time.Location) (out []start) {
	for d := s.from; d.Before(s.until); d = p.next(d) {
		if p != Hour {
			out = append(out, start{d.In(loc), d})
			continue
		}
		first, end := d.In(loc), d.AddDays(1).In(loc)
		for at := first; at.Before(end); at = at.Add(time.Hour) {
			out = append(out, start{at, d})
		}
	}
	return out
}
