package share

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/value"
)

// The shares on a day are those of the day before plus the changes; several changes on one day are combined.
func TestAdded(t *testing.T) {
	day := func(d int) value.Day { return value.Day{Year: 2026, Month: 1, Day: d} }
	assert.Equal(t, []SharesFrom{}, runningTotals(nil))
	assert.Equal(t, []SharesFrom{{day(1), 20, 30}, {day(3), 22, 37}, {day(4), 12, 27}},
		runningTotals([]SharesFrom{{day(1), 20, 30}, {day(3), 5, 5}, {day(3), -3, 2}, {day(4), -10, -10}}))
	assert.Equal(t, []SharesFrom{{day(1), 3, 3}}, runningTotals([]SharesFrom{{day(1), 1, 1}, {day(1), 2, 2}}), "the first day too")
}
