package meter

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// localLayouts contains the layouts of times without an offset in records.
var localLayouts = []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"}

// ParseInstant parses a time with an offset, or a time without one in the label's time zone. A time without an offset is refused if its
// hour is repeated or skipped because the clock changes.
func ParseInstant(s string, loc *time.Location) (t time.Time, code string) {
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
	return time.Time{}, CodeTime
}

// ParseDate parses a day, or a time of which it returns the civil day.
func ParseDate(s string, loc *time.Location) (value.Day, string) {
	if d, err := value.ParseDay(s); err == nil {
		return d, ""
	}
	t, code := ParseInstant(s, loc)
	if code != "" {
		return value.Day{}, code
	}
	return value.DayOf(t.In(loc)), ""
}
