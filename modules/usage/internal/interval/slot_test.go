package interval

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

var day = metertest.Day

func TestSlots(t *testing.T) {
	loc := metertest.Amsterdam(t)
	for d, hours := range map[string]int{"2024-03-31": 23, "2024-10-27": 25, "2024-02-29": 24, "2026-03-29": 23, "2026-10-25": 25} {
		assert.Equal(t, hours, SlotCount(day(d), HourSeconds, loc), d)
		assert.Equal(t, 4*hours, SlotCount(day(d), QuarterSeconds, loc), d)
		assert.Equal(t, 1, SlotCount(day(d), DaySeconds, loc), d)
	}
	t.Run("each interval is found by its begin and ends where the next one begins", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			zone, err := time.LoadLocation(rapid.SampledFrom([]string{"Europe/Amsterdam", "UTC", "America/New_York", "Asia/Kolkata",
				"Atlantic/Azores"}).Draw(t, "zone"))
			require.NoError(t, err)
			d := day("2023-12-30").AddDays(rapid.IntRange(0, 1200).Draw(t, "day"))
			seconds := rapid.SampledFrom([]int{QuarterSeconds, HourSeconds, DaySeconds}).Draw(t, "seconds")
			at := d.In(zone)
			for slot := range SlotCount(d, seconds, zone) {
				gotDay, gotSlot, ok := findSlot(at, seconds, zone)
				if !ok || gotDay != d || gotSlot != slot {
					t.Fatalf("%s is slot %d of %s, not %d of %s", at, gotSlot, gotDay, slot, d)
				}
				at = SlotEnd(d, seconds, slot, zone)
			}
			if !at.Equal(d.AddDays(1).In(zone)) {
				t.Fatalf("%s ends at %s", d, at)
			}
		})
	})
}
