package reading

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

var day, wh, kwh = metertest.Day, metertest.Wh, metertest.KWh

func TestReplaceAndDecrease(t *testing.T) {
	read := func(d, meter string, n meter.Amount) Stored {
		return Stored{EANCode: "e", Day: day(d), MeterNumber: meter, Normal: &n}
	}
	a, b := read("2026-01-01", "m", 1), read("2026-02-01", "m", 2)
	all := []Stored{a, b}
	all = Replace(all, read("2026-01-01", "m", 9))
	require.Len(t, all, 2)
	assert.Equal(t, wh(9), all[0].Normal)
	all = Replace(all, read("2026-01-01", "other", 5))
	require.Len(t, all, 3, "another meter on the same day")
	all = Replace(all, read("2026-03-01", "m", 5))
	require.Len(t, all, 4, "the same meter on another day")
	assert.Equal(t, "consumption_normal", decreasingField(b, a))
	assert.Empty(t, decreasingField(a, b))
	assert.Empty(t, decreasingField(a, a))
	bare := a
	bare.Normal = nil
	assert.Empty(t, decreasingField(bare, a))
	assert.Empty(t, decreasingField(a, bare))
}

func newReading(d, meter string, normal, low meter.Amount) Stored {
	return Stored{EANCode: metertest.Power.EANCode, Day: day(d), MeterNumber: meter, Normal: &normal, Low: &low}
}

func TestReadings(t *testing.T) {
	t.Run("usage is not calculated across a replaced meter", func(t *testing.T) {
		list := List(metertest.Power, []Stored{newReading("2026-03-01", "E1", 1200, 800), newReading("2026-01-01", "E1", 1000, 700),
			newReading("2026-03-01", "E2", 0, 0),
			newReading("2026-04-01", "E2", 50, 25)}, meter.Span{})
		require.Len(t, list, 4)
		assert.Equal(t, day("2026-04-01"), list[0].MeasurementDate, "newest first")
		assert.Equal(t, wh(75), list[0].Consumption)
		assert.Equal(t, wh(50), list[0].ConsumptionNormal)
		var first []*meter.Amount
		for _, r := range list[1:] {
			first = append(first, r.Consumption)
		}
		assert.ElementsMatch(t, []*meter.Amount{nil, wh(300), nil}, first)
	})
	t.Run("the usage of another household in between is left out", func(t *testing.T) {
		away := meter.Span{From: day("2026-01-01"), Gaps: []meter.Span{{From: day("2026-02-01"), Until: day("2026-03-01")}}}
		all := []Stored{newReading("2026-01-01", "E1", 1000, 700), newReading("2026-02-01", "E1", 1100, 760),
			newReading("2026-03-01", "E1", 1400, 900), newReading("2026-04-01", "E1", 1450, 925)}
		list := List(metertest.Power, all, away)
		assert.Equal(t, []*meter.Amount{wh(75), nil, wh(160), nil},
			[]*meter.Amount{list[0].Consumption, list[1].Consumption, list[2].Consumption, list[3].Consumption})
	})
	t.Run("gas", func(t *testing.T) {
		list := List(metertest.Gas, []Stored{{Day: day("2026-01-01"), Normal: wh(100)}, {Day: day("2026-02-01"), Normal: wh(350)}}, meter.Span{})
		assert.Equal(t, wh(250), list[0].Consumption)
		assert.Equal(t, meter.M3N, list[0].Unit)
	})
}

func TestParseReading(t *testing.T) {
	loc := metertest.Amsterdam(t)
	read := func(c meter.Connection, record string) (Stored, string) {
		var r Record
		require.NoError(t, json.Unmarshal([]byte(record), &r), record)
		s, refused := r.Parse(c, metertest.Today, loc)
		if refused != nil {
			return s, refused.Field + ":" + refused.Code
		}
		return s, ""
	}
	s, refused := read(metertest.Power, `{"measurement_date":"2026-11-01","consumption_normal":1234.567,"consumption_low":"12"}`)
	assert.Empty(t, refused)
	assert.Equal(t, newReading("2026-11-01", "E1", 1234567, 12000), s)
	s, refused = read(metertest.Gas, `{"measurement_date":"2026-11-01T23:30:00Z","consumption":5,"meter_number":"G0"}`)
	assert.Empty(t, refused)
	assert.Equal(t, Stored{EANCode: metertest.Gas.EANCode, Day: day("2026-11-02"), MeterNumber: "G0", Normal: wh(5000)}, s)
	for record, want := range map[string]string{
		`{"consumption_normal":1}`:                                          "measurement_date:required",
		`{"measurement_date":"2026-02-30","consumption_normal":1}`:          "measurement_date:usage.time",
		`{"measurement_date":"2026-10-25T02:30:00","consumption_normal":1}`: "measurement_date:usage.offset_needed",
		`{"measurement_date":"2026-03-29T02:30:00","consumption_normal":1}`: "measurement_date:usage.no_such_time",
		`{"measurement_date":"2026-11-22","consumption_normal":1}`:          "measurement_date:usage.in_future",
		`{"measurement_date":"2026-11-01","consumption_normal":1.2345}`:     "consumption_normal:usage.decimals",
		`{"measurement_date":"2026-11-01","feedin_low":-1}`:                 "feedin_low:usage.negative",
		`{"measurement_date":"2026-11-01","consumption_low":"veel"}`:        "consumption_low:usage.number",
		`{"measurement_date":"2026-11-01","consumption_low":null}`:          ":usage.nothing",
	} {
		_, got := read(metertest.Power, record)
		assert.Equal(t, want, got, record)
	}
	_, refused = read(metertest.Gas, `{"measurement_date":"2026-11-01","consumption":5,"feedin_low":1}`)
	assert.Equal(t, "feedin_low:usage.register", refused)
	_, refused = read(metertest.Power, `{"measurement_date":"2026-11-01","consumption":5}`)
	assert.Equal(t, ":usage.nothing", refused, "electricity requires its registers")
	s, refused = read(metertest.Gas, `{"measurement_date":"2026-11-01","consumption_normal":5}`)
	assert.Empty(t, refused)
	assert.Equal(t, wh(5000), s.Normal, "consumption is the only register of gas")
}

func TestCheckReading(t *testing.T) {
	others := []Stored{newReading("2026-01-01", "E1", 1000, 500), newReading("2026-03-01", "E1", 2000, 900)}
	check := func(s Stored, correction bool) string {
		known, recordErr := Check(others, s, correction)
		if recordErr != nil {
			return recordErr.Field + ":" + recordErr.Code
		}
		if known {
			return "known"
		}
		return ""
	}
	assert.Empty(t, check(newReading("2026-02-01", "E1", 1500, 500), false))
	assert.Equal(t, "consumption_normal:usage.backwards", check(newReading("2026-02-01", "E1", 999, 600), false), "lower than an earlier one")
	assert.Equal(t, "consumption_low:usage.backwards", check(newReading("2026-02-01", "E1", 1500, 901), false), "higher than a later one")
	assert.Empty(t, check(newReading("2026-02-01", "E2", 0, 0), false), "another meter")
	assert.Equal(t, "known", check(newReading("2026-01-01", "E1", 1000, 500), false), "the same reading")
	assert.Equal(t, "measurement_date:usage.duplicate", check(newReading("2026-01-01", "E1", 1001, 500), false))
	assert.Empty(t, check(newReading("2026-01-01", "E1", 1001, 500), true), "a correction")
	assert.Equal(t, "consumption_normal:usage.backwards", check(newReading("2026-01-01", "E1", 2001, 500), true),
		"a correction must fit the later readings")
	t.Run("accepted readings never decrease, in any order", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			var taken []Stored
			for range rapid.IntRange(1, 20).Draw(t, "n") {
				s := newReading(day("2026-01-01").AddDays(rapid.IntRange(0, 9).Draw(t, "day")).String(), "E1",
					meter.Amount(rapid.IntRange(0, 20).Draw(t, "normal")), meter.Amount(rapid.IntRange(0, 20).Draw(t, "low")))
				if known, recordErr := Check(taken, s, rapid.Bool().Draw(t, "correction")); recordErr == nil && !known {
					taken = Replace(taken, s)
				}
			}
			for _, a := range taken {
				for _, b := range taken {
					if a.Day.Before(b.Day) && decreasingField(a, b) != "" {
						t.Fatalf("%v is before %v", a, b)
					}
				}
			}
		})
	})
}

func TestDailyProfiles(t *testing.T) {
	got := DailyProfiles(metertest.Power,
		[]Stored{newReading("2026-01-03", "E1", 1030, 500), newReading("2026-01-01", "E1", 1000, 500), newReading("2026-01-02", "E1", 1010, 500),
			newReading("2026-01-06", "E1", 1100, 500), newReading("2026-01-04", "E2", 9, 9)})
	require.Len(t, got, 2, "not across a gap or a replaced meter")
	first := got[day("2026-01-01")]
	assert.Equal(t, []meter.Amount{10}, first.Registers[interval.Normal])
	assert.Equal(t, []meter.Amount{0}, first.Registers[interval.Low])
	second := got[day("2026-01-02")]
	assert.Equal(t, []meter.Amount{20}, second.Registers[interval.Normal])
	gas := DailyProfiles(metertest.Gas, []Stored{{Day: day("2026-01-01"), Normal: wh(100)}, {Day: day("2026-01-02"), Normal: wh(350)}})
	of := gas[day("2026-01-01")]
	assert.Equal(t, []meter.Amount{250}, of.Registers[interval.Gas])
	assert.Nil(t, of.Registers[interval.Normal])
}
