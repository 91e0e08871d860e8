package usage

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Days and hours are in the label's time zone, never in the server's.

// dayLength returns the length of a civil day: 23 or 25 hours when the clock changes.
func dayLength(d value.Day, loc *time.Location) time.Duration {
	return d.AddDays(1).In(loc).Sub(d.In(loc))
}

// slotCount returns the number of intervals of a civil day.
func slotCount(d value.Day, seconds int, loc *time.Location) int {
	if seconds == daySeconds {
		return 1
	}
	step := time.Duration(seconds) * time.Second
	return int((dayLength(d, loc) + step - 1) / step)
}

// findSlot returns the civil day and the interval that begins at an instant; ok is false if no interval begins there.
func findSlot(at time.Time, seconds int, loc *time.Location) (d value.Day, slot int, ok bool) {
	d = value.DayOf(at.In(loc))
	since := at.Sub(d.In(loc))
	if seconds == daySeconds {
		return d, 0, since == 0
	}
	step := time.Duration(seconds) * time.Second
	return d, int(since / step), since%step == 0
}

// slotEnd returns the end of an interval.
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

// localLayouts are the layouts of times without offset in records.
var localLayouts = []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"}

// parseInstant parses a time with an offset, or one without in the label's time zone. A time without offset is refused if the hour is
// repeated or skipped because the clock changes.
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

// parseDate parses a day, or the civil day of a time.
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

// periodStart is the start of a period.
type periodStart struct {
	at  time.Time
	day value.Day
}

// align extends a range of days to whole periods.
func align(p Period, from, to value.Day) span {
	return span{from: p.begin(from), until: p.next(p.begin(to.AddDays(-1)))}
}

// begin returns the first day of the period that contains a day.
func (p Period) begin(d value.Day) value.Day {
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

// next returns the first day of the period after the one that begins on d.
func (p Period) next(d value.Day) value.Day {
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

// periodStarts returns the starts of the periods of a range, which begins with a whole period.
func periodStarts(p Period, s span, loc *time.Location) (out []periodStart) {
	for d := s.from; d.Before(s.until); d = p.next(d) {
		if p != Hourly {
			out = append(out, periodStart{d.In(loc), d})
			continue
		}
		first, end := d.In(loc), d.AddDays(1).In(loc)
		for at := first; at.Before(end); at = at.Add(time.Hour) {
			out = append(out, periodStart{at, d})
		}
	}
	return out
}
