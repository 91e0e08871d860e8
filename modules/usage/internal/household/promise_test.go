package household

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

// readingsOf returns the readings of a household in thousandths, by day and register.
func readingsOf(t *testing.T, h Household, from, until value.Day) (days []value.Day, at []map[string]int64) {
	t.Helper()
	for b := range h.ReadingRecords(from, until, metertest.Amsterdam(t)) {
		var fields map[string]any
		require.NoError(t, json.Unmarshal(b, &fields))
		d, err := value.ParseDay(fields["measurement_date"].(string))
		require.NoError(t, err)
		registers := map[string]int64{}
		for name, v := range fields {
			if n, is := v.(float64); is {
				registers[name] = int64(math.Round(n * 1000))
			}
		}
		days, at = append(days, d), append(at, registers)
	}
	return days, at
}

// The difference between two readings equals the sum of the hours between them, including the hours that the demo leaves out.
func TestDemoReadingsMatchTheHours(t *testing.T) {
	loc, from := metertest.Amsterdam(t), metertest.Day("2025-01-01")
	sum := func(values ...[]demodata.Amount) (all int64) {
		for _, v := range values {
			for _, a := range v {
				all += int64(a)
			}
		}
		return all
	}
	for _, c := range []struct {
		Household
		months    int // number of months between readings
		registers int
	}{
		{Household{EAN: "871600000000000017", Commodity: "ELECTRICITY", Yearly: 2810}, 1, 2},
		{Household{EAN: "871600000000000031", Commodity: "ELECTRICITY", Yearly: 3400, Solar: 4.2}, 1, 4},
		{Household{EAN: "871600000000000024", Commodity: gas, Yearly: 1180}, 1, 1},
		{Household{EAN: "871600000000000048", Commodity: gas, Yearly: 1180, Conventional: true}, 6, 1},
	} {
		_, none := readingsOf(t, c.Household, from, from.AddMonths(12))
		assert.Empty(t, none, "%s: without readings", c.EAN)
		c.Readings = true
		days, at := readingsOf(t, c.Household, from, from.AddMonths(12).AddDays(1))
		require.Len(t, at, 12/c.months+1, c.EAN)
		x := c.In(loc)
		for i, d := range days {
			assert.Equal(t, from.AddMonths(i*c.months), d, c.EAN)
			assert.Len(t, at[i], c.registers, c.EAN)
			if i == 0 {
				continue
			}
			want := map[string]int64{}
			for day := days[i-1]; day.Before(d); day = day.AddDays(1) {
				used := x.Day(day)
				for name, n := range map[string]int64{"consumption_normal": sum(used.Normal, used.Consumption), "consumption_low": sum(used.Low),
					"feedin_normal": sum(used.FeedInNormal), "feedin_low": sum(used.FeedInLow)} {
					if _, has := at[i][name]; has {
						want[name] += n
					}
				}
			}
			for name, n := range want {
				assert.Equal(t, n, at[i][name]-at[i-1][name], "%s: %s until %s", c.EAN, name, d)
			}
		}
		if c.Conventional {
			assert.Empty(t, meteredDays(t, c.Household, from, from.AddMonths(1)), "a conventional meter has no intervals")
		}
	}
}

// The low tariff applies to usage and feed-in at night and on non-working days. For two weeks in summer, nobody is home. A business uses
// little on non-working days and has no holidays.
func TestDemoHabits(t *testing.T) {
	loc, from := metertest.Amsterdam(t), metertest.Day("2025-01-01")
	home := Household{EAN: "871600000000000017", Commodity: "ELECTRICITY", Yearly: 3650, Solar: 3}
	trade := Household{EAN: "871600000000000055", Commodity: "ELECTRICITY", Yearly: 36500, Business: true}
	boiler := Household{EAN: "871600000000000062", Commodity: gas, Yearly: 3650, Business: true}
	perDay := func(h Household) (working, resting float64, still []value.Day) {
		x, days := h.In(loc), map[bool]float64{}
		for d := from; d.Before(from.AddMonths(12)); d = d.AddDays(1) {
			used, rest, all := x.Day(d), x.weather(d).Rest, 0.0
			for i := range x.weather(d).Hours {
				for _, series := range [][]demodata.Amount{used.Normal, used.Low, used.Consumption} {
					if series != nil {
						all += float64(series[i]) / 1000
					}
				}
			}
			if days[rest]++; rest {
				resting += all
			} else {
				working += all
			}
			if x.isAway(float64(d.DaysSince(from))) {
				still = append(still, d)
			}
		}
		return working / days[false], resting / days[true], still
	}
	x := home.In(loc)
	for d := from; d.Before(from.AddMonths(12)); d = d.AddDays(1) {
		used, w := x.Day(d), x.weather(d)
		for i, hour := range w.Hours {
			off, on := used.Normal[i]+used.FeedInNormal[i], used.Low[i]+used.FeedInLow[i]
			if !w.Rest && hour >= 7 && hour < 23 {
				off, on = on, off
			}
			if off != 0 || on <= 0 {
				t.Fatalf("%s at %d: %d at the tariff of the hour, %d at the other", d, hour, on, off)
			}
		}
	}
	home.Solar = 0
	working, resting, still := perDay(home)
	assert.InEpsilon(t, 10, working, 0.1)
	assert.InEpsilon(t, 10, resting, 0.2)
	require.Len(t, still, 14)
	assert.True(t, still[0].Month >= time.July && still[13].Month <= time.August && still[13].DaysSince(still[0]) == 13, "from %s", still[0])
	x = home.In(loc)
	quiet, usual := 0.0, 0.0
	for _, d := range still {
		for _, sum := range []struct {
			d   value.Day
			sum *float64
		}{{d, &quiet}, {d.AddMonths(-2), &usual}} {
			used := x.Day(sum.d)
			for i := range used.Normal {
				*sum.sum += float64(used.Normal[i] + used.Low[i])
			}
		}
	}
	assert.InEpsilon(t, 0.35*usual, quiet, 0.3, "standby use")

	working, resting, still = perDay(trade)
	assert.Greater(t, working, 36500.0/365)
	assert.Less(t, resting, working/2)
	assert.Empty(t, still)
	working, resting, _ = perDay(boiler)
	assert.Less(t, resting, working*0.7)
}

// On one in 173 days, three hours in the afternoon are missing. No other hours are missing.
func TestDemoMissingHours(t *testing.T) {
	from := metertest.Day("2025-01-01")
	for _, h := range []Household{{EAN: "871600000000000031", Commodity: "ELECTRICITY", Yearly: 3400, Solar: 4.2},
		{EAN: "871600000000000024", Commodity: gas, Yearly: 1180}} {
		days := 0
		for _, d := range meteredDays(t, h, from, from.AddDays(3*173)) {
			for _, values := range [][]*float64{d.Normal, d.Low, d.FeedIn, d.FeedInLow, d.Consumption} {
				var missing []int
				for hour, v := range values {
					if v == nil {
						missing = append(missing, hour)
					}
				}
				if missing != nil {
					assert.Equal(t, []int{13, 14, 15}, missing, "%s on %s", h.EAN, d.Day)
				}
			}
			if slices.Contains(slices.Concat(d.Normal, d.Consumption), nil) {
				days++
			}
		}
		assert.InDelta(t, 3, days, 1, "%s: a day on which they are missing may be missing itself", h.EAN)
	}
}

// Hours are generated until yesterday, and readings until today.
func TestDemoRecordsUntilToday(t *testing.T) {
	h := Household{EAN: "871600000000000017", Commodity: "ELECTRICITY", Yearly: 2810, FromDays: 40, Readings: true}
	now := time.Date(2026, time.December, 1, 0, 30, 0, 0, metertest.Amsterdam(t))
	kinds := map[string][]string{}
	for r := range h.Records(metertest.Day("2026-11-01"), now) {
		var of struct {
			Day  string `json:"day"`
			Date string `json:"measurement_date"`
		}
		require.NoError(t, json.Unmarshal(r.Data, &of))
		kinds[r.Kind] = append(kinds[r.Kind], of.Day+of.Date)
	}
	assert.Equal(t, []string{"2026-11-01", "2026-12-01"}, kinds[meter.KindReading])
	days := kinds[meter.KindIntervalDay]
	assert.Equal(t, []string{"2026-11-01", "2026-11-30"}, []string{days[0], days[len(days)-1]})
	for r := range h.Records(value.DayOf(now), now) {
		t.Errorf("%s of today", r.Kind)
	}
}
