package production

import (
	"math/bits"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// mark is what the counter of a meter showed at a moment.
type mark struct {
	at int64 // Unix time in ms
	wh int64
}

// slot is an hour of a civil day of the label's zone.
type slot struct {
	day  value.Day
	hour int
}

// most is what a project can make between two marks, in Wh. An hour is added for counters that go by leaps, and some power for machines
// that give more than they are rated for.
func most(rated int64, a, b mark) int64 {
	return int64(1.3 * float64(rated) * (float64(b.at-a.at)/float64(time.Hour.Milliseconds()) + 1))
}

// follows reports whether a counter can have gone from one mark to a later one.
func follows(rated int64, a, b mark) bool {
	return b.wh >= a.wh && b.wh-a.wh <= most(rated, a, b)
}

// rise is what was made between two successive marks of a chain. A counter that was set back began at zero; one that leapt, or began
// elsewhere, is another one, of whose begin nothing is known.
func rise(rated int64, a, b mark) int64 {
	switch {
	case follows(rated, a, b):
		return b.wh - a.wh
	case b.wh < a.wh && b.wh <= most(rated, a, b):
		return b.wh
	}
	return 0
}

// chain says which marks count, in the order of time. A mark that does not follow the one before is a glitch when the next one does, and
// else the first of a new count. Of two successive marks at least one counts. base is the mark before the first, which counts; nil without one.
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

// spread gives the hours between two marks what was made, each as much as it lies between them, in whole Wh that add up to all of it.
func spread(loc *time.Location, a, b mark, made int64, give func(slot, int64)) {
	given := int64(0)
	for at := a.at; at < b.at; {
		s, end := hourAt(loc, at)
		end = min(end, b.at)
		hi, lo := bits.Mul64(uint64(made), uint64(end-a.at))
		until, _ := bits.Div64(hi, lo, uint64(b.at-a.at)) // no more than made, as end is no later than b
		give(s, int64(until)-given)
		given, at = int64(until), end
	}
}

// hourAt is the hour in which a moment lies, and when the next begins. The last hour of a day lasts until midnight.
func hourAt(loc *time.Location, at int64) (slot, int64) {
	day := value.DayOf(time.UnixMilli(at).In(loc))
	begin, hour, last := day.In(loc).UnixMilli(), time.Hour.Milliseconds(), hoursOf(day, loc)-1
	n := int((at - begin) / hour)
	if n >= last {
		return slot{day, last}, day.AddDays(1).In(loc).UnixMilli()
	}
	return slot{day, n}, begin + int64(n+1)*hour
}
