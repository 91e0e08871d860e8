package household

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

type readDay struct {
	Day                                         value.Day
	Normal, Low, FeedIn, FeedInLow, Consumption []*float64
}

func meteredDays(t *testing.T, h Household, from, until value.Day) (out []readDay) {
	for b := range h.IntervalRecords(from, until, metertest.Amsterdam(t)) {
		var r struct {
			Day          value.Day
			Normal, Low  []*float64
			FeedInNormal []*float64 `json:"feedin_normal"`
			FeedInLow    []*float64 `json:"feedin_low"`
			Consumption  []*float64
		}
		require.NoError(t, json.Unmarshal(b, &r))
		out = append(out, readDay{r.Day, r.Normal, r.Low, r.FeedInNormal, r.FeedInLow, r.Consumption})
	}
	return out
}

func total(values ...[]*float64) (sum float64) {
	for _, v := range values {
		for _, x := range v {
			if x != nil {
				sum += *x
			}
		}
	}
	return sum
}

// The usage of a generated household is realistic for the Netherlands.
func TestDemoHousehold(t *testing.T) {
	from, until := value.Day{Year: 2025, Month: 1, Day: 1}, value.Day{Year: 2026, Month: 1, Day: 1}
	electric := meteredDays(t, Household{EAN: "871600000000000017", Commodity: "ELECTRICITY", Yearly: 2810}, from, until)
	heat := meteredDays(t, Household{EAN: "871600000000000024", Commodity: gas, Yearly: 1180}, from, until)
	solar := meteredDays(t, Household{EAN: "871600000000000031", Commodity: "ELECTRICITY", Yearly: 3400, Solar: 4.2}, from, until)
	all := func(in []readDay, of func(readDay) float64) (sum float64) {
		for _, d := range in {
			sum += of(d)
		}
		return sum
	}
	month := func(in []readDay, m time.Month) []readDay {
		return slices.DeleteFunc(slices.Clone(in), func(r readDay) bool { return r.Day.Month != m })
	}
	used := func(d readDay) float64 { return total(d.Normal, d.Low, d.Consumption) }
	fed := func(d readDay) float64 { return total(d.FeedIn, d.FeedInLow) }

	assert.InEpsilon(t, 2810, all(electric, used), 0.03)
	assert.InEpsilon(t, 1180, all(heat, used), 0.03)
	assert.InDelta(t, 4.2*900, all(solar, fed)+3400-all(solar, used), 300, "a kilowatt of panels gives about 900 kWh a year")
	assert.Greater(t, all(month(heat, time.January), used), 6*all(month(heat, time.July), used), "the home is heated in winter")
	assert.Greater(t, all(month(solar, time.June), fed), 6*all(month(solar, time.December), fed), "the sun shines in summer")
	assert.Greater(t, all(month(electric, time.December), used), 1.1*all(month(electric, time.June), used))

	missing := 365 - len(electric)
	assert.True(t, missing >= 1 && missing <= 3, "days are missing: %d", missing)
	lengths := map[int]int{}
	for _, d := range electric {
		lengths[len(d.Normal)]++
		assert.Len(t, d.Low, len(d.Normal))
		for i := range d.Normal {
			if d.Normal[i] != nil {
				assert.True(t, *d.Normal[i] == 0 || *d.Low[i] == 0, "an hour has one rate")
			}
		}
		if wd := d.Day.In(time.UTC).Weekday(); wd == time.Saturday || wd == time.Sunday {
			assert.Zero(t, total(d.Normal), d.Day)
		}
	}
	assert.Equal(t, 1, lengths[23])
	assert.Equal(t, 1, lengths[25])
	for _, d := range solar {
		assert.Zero(t, *d.FeedIn[0]+*d.FeedInLow[0], "no sun at midnight")
	}
	type readingRecord struct {
		Normal float64 `json:"consumption_normal"`
		Low    float64 `json:"consumption_low"`
	}
	var at []readingRecord
	for b := range (Household{EAN: "871600000000000017", Commodity: "ELECTRICITY", Yearly: 2810, Readings: true}).ReadingRecords(from, until,
		metertest.Amsterdam(t)) {
		var r readingRecord
		require.NoError(t, json.Unmarshal(b, &r))
		at = append(at, r)
	}
	require.Len(t, at, 12)
	assert.InEpsilon(t, all(month(electric, time.March), used), at[3].Normal+at[3].Low-at[2].Normal-at[2].Low, 0.1,
		"the readings match the hours")

	half := meteredDays(t, Household{EAN: "871600000000000031", Commodity: "ELECTRICITY", Yearly: 3400, Solar: 4.2}, from.AddMonths(6), until)
	assert.Equal(t, solar[len(solar)-len(half):], half, "a day does not depend on the first day of the run")
	assert.False(t, math.IsNaN(all(half, used)))
}

func BenchmarkDemoHousehold(b *testing.B) {
	loc, _ := time.LoadLocation("Europe/Amsterdam")
	h, until := Household{EAN: "871600000000000031", Commodity: "ELECTRICITY", Yearly: 3400, Solar: 4.2},
		value.Day{Year: 2026, Month: 1, Day: 1}
	for b.Loop() {
		for range h.IntervalRecords(until.AddDays(-730), until, loc) {
		}
	}
}

// Readings may go back further than measurements, so that years can be compared without daily values. An update does not add readings from
// before its first day.
func TestDemoHouseholdReadings(t *testing.T) {
	h := Household{EAN: "871600000000000017", Commodity: "ELECTRICITY", Yearly: 2810, FromDays: 40, ReadingDays: 400, Readings: true}
	now := time.Date(2026, time.November, 20, 9, 0, 0, 0, metertest.Amsterdam(t))
	first := func(from value.Day) (reading, measured string) {
		for r := range h.Records(from, now) {
			var of struct {
				Day  string `json:"day"`
				Date string `json:"measurement_date"`
			}
			require.NoError(t, json.Unmarshal(r.Data, &of))
			if reading == "" && of.Date != "" {
				reading = of.Date
			}
			if measured == "" && of.Day != "" {
				measured = of.Day
			}
		}
		return reading, measured
	}
	today := value.DayOf(now)
	reading, measured := first(today.AddDays(-h.Days()))
	assert.Equal(t, []string{"2025-11-01", "2026-10-11"}, []string{reading, measured})
	reading, measured = first(today.AddDays(-25))
	assert.Equal(t, []string{"2026-11-01", "2026-10-26"}, []string{reading, measured})
}
