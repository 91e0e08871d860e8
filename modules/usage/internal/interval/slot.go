package interval

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// Days and hours are in the label's time zone, never in the server's.

// dayLength returns the length of a civil day, which is 23 or 25 hours when the clock changes.
func dayLength(d value.Day, loc *time.Location) time.Duration {
	return d.AddDays(1).In(loc).Sub(d.In(loc))
}

// SlotCount returns the number of intervals with a length of seconds in a civil day.
func SlotCount(d value.Day, seconds int, loc *time.Location) int {
	if seconds == DaySeconds {
		return 1
	}
	step := time.Duration(seconds) * time.Second
	return int((dayLength(d, loc) + step - 1) / step)
}

// findSlot returns the civil day and the interval that begins at an instant; ok is false if no interval begins there.
func findSlot(at time.Time, seconds int, loc *time.Location) (d value.Day, slot int, ok bool) {
	d = value.DayOf(at.In(loc))
	since := at.Sub(d.In(loc))
	if seconds == DaySeconds {
		return d, 0, since == 0
	}
	step := time.Duration(seconds) * time.Second
	return d, int(since / step), since%step == 0
}

// SlotEnd returns the end of the interval with index slot, which starts at 0.
func SlotEnd(d value.Day, seconds, slot int, loc *time.Location) time.Time {
	end := d.AddDays(1).In(loc)
	if seconds == DaySeconds {
		return end
	}
	if t := d.In(loc).Add(time.Duration(slot+1) * time.Duration(seconds) * time.Second); t.Before(end) {
		return t
	}
	return end
}
