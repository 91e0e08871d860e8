package share

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Module notifications writes to the members who have shares when a notification is published, not to those who get shares later.
func TestPeriods(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 11, 20, 10, minute, 0, 0, time.UTC) }
	for name, c := range map[string]struct {
		changes []held
		want    []Period
	}{
		"nothing":    {nil, []Period{}},
		"since then": {[]held{{"A", at(1), 5}}, []Period{{"A", at(1), time.Time{}}}},
		"more":       {[]held{{"A", at(1), 5}, {"A", at(2), 5}, {"A", at(3), -4}}, []Period{{"A", at(1), time.Time{}}}},
		"sold":       {[]held{{"A", at(1), 5}, {"A", at(3), -5}}, []Period{{"A", at(1), at(3)}}},
		"and back": {[]held{{"A", at(1), 5}, {"A", at(3), -5}, {"A", at(4), 1}},
			[]Period{{"A", at(1), at(3)}, {"A", at(4), time.Time{}}}},
		"moved to another address":  {[]held{{"A", at(1), 5}, {"A", at(3), -5}, {"A", at(3), 5}}, []Period{{"A", at(1), time.Time{}}}},
		"came and went at a moment": {[]held{{"A", at(3), 5}, {"A", at(3), -5}}, []Period{}},
		"two projects": {[]held{{"A", at(1), 5}, {"B", at(1), 1}, {"B", at(2), -1}},
			[]Period{{"A", at(1), time.Time{}}, {"B", at(1), at(2)}}},
	} {
		assert.Equal(t, c.want, periodsOf(c.changes), name)
	}
}
