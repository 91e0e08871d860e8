package production

import (
	"math/bits"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// mark is a counter reading of a meter.
type mark struct {
	at int64 // Unix time in ms
	wh int64
}

// slot is an hour of a civil day of the label's zone.
type slot struct {
	day  value.Day
	hour int
}

// maxRise returns the maximum energy that a project can produce between two marks, in Wh. One hour is added for counters that rise in
// steps, and 30% for machines that exceed their rated power.
func maxRise(rated int64, a, b mark) int64 {
	return int64(1.3 * float64(rated) * (float64(b.at-a.at)/float64(time.Hour.Milliseconds()) + 1))
}

// follows reports whether a counter can have risen from mark a to the later mark b.
func follows(rated int64, a, b mark) bool {
	return b.wh >= a.wh && b.wh-a.wh <= maxRise(rated, a, b)
}

// rise returns the energy between two successive marks of a chain, in Wh. A counter that was reset is assumed to have restarted at zero. If
// the counter jumped, or restarted at another value, the start of the new count is unknown, so nothing is counted.
func rise(rated int64, a, b mark) int64 {
	switch {
	case follows(rated, a, b):
		return b.wh - a.wh
	case b.wh < a.wh && b.wh <= maxRise(rated, a, b):
		return b.wh
	}
	return 0
}

// chain reports for each mark whether it counts; marks are sorted by time. A mark that does not follow the previous one is a glitch if the
// next mark follows the previous one, and otherwise the start of a new count. At least one of any two successive marks counts. base is the
// last counting mark before the first one, or nil.
func chain(rated int64, base *mark, marks []mark) []bool {
	out := make([]bool, len(marks))
	for i := range marks {
		if base != nil && !follows(rated, *base, marks[i]) && i+1 < len(marks) && follows(rated, *base, marks[i+1]) {
			continue
		}
		out[i], base = true, &marks[i]
	}
	return out
}

// spread divides made, the energy between two marks, over the hours between them in proportion to time, in whole Wh that add up to made.
func spread(loc *time.Location, a, b mark, made int64, give func(slot, int64)) {
	assigned := int64(0)
	for at := a.at; at < b.at; {
		s, end := hourAt(loc, at)
		end = min(end, b.at)
		hi, lo := bits.Mul64(uint64(made), uint64(end-a.at))
		until, _ := bits.Div64(hi, lo, uint64(b.at-a.at)) // at most made, because end is not after b
		give(s, int64(until)-assigned)
		assigned, at = int64(until), end
	}
}

// hourAt returns the hour that contains the moment at, and the Unix time in ms at which the next hour begins. The last hour of a day ends
// at midnight.
func hourAt(loc *time.Location, at int64) (slot, int64) {
	day := value.DayOf(time.UnixMilli(at).In(loc))
	begin, hour, last := day.In(loc).UnixMilli(), time.Hour.Milliseconds(), hoursOf(day, loc)-1
	n := int((at - begin) / hour)
	if n >= last {
		return slot{day, last}, day.AddDays(1).In(loc).UnixMilli()
	}
	return slot{day, n}, begin + int64(n+1)*hour
}
