package fields

import (
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/state"
)

// Moment is a time in a record: a day, or a time with its offset.
type Moment struct {
	day value.Day
	at  time.Time
}

// IsZero reports whether the record has no time.
func (m Moment) IsZero() bool { return m.day.IsZero() && m.at.IsZero() }

// In returns the time; a day starts at midnight in the zone of the label.
func (m Moment) In(zone *time.Location) time.Time {
	if m.at.IsZero() {
		return m.day.In(zone).UTC()
	}
	return state.StoredTime(m.at)
}

// Moment reads a time; zero when it is absent.
func (c Reading) Moment(field string, v record.Loose) (m Moment) {
	if strings.ContainsRune(v.Text(), 'T') {
		at, err := time.Parse(time.RFC3339, v.Text())
		if err != nil || at.IsZero() {
			c.Refuse(field, problem.CodeInvalid)
		}
		return Moment{at: at}
	}
	return Moment{day: c.OptionalDay(field, v)}
}
