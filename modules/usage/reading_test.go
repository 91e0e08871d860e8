package usage

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/problem"
)

var (
	power  = Connection{EANCode: "871600000000000017", Commodity: Electricity, MeterType: Smart, MeterNumber: "E1"}
	ofGas  = Connection{EANCode: "871600000000000024", Commodity: Gas, MeterType: Conventional, MeterNumber: "G1"}
	nowDay = day("2026-11-20")
)

func newReading(d, meter string, normal, low Amount) storedReading {
	return storedReading{EANCode: power.EANCode, Day: day(d), MeterNumber: meter, Normal: &normal, Low: &low}
}

func TestReadings(t *testing.T) {
	t.Run("usage is not calculated across a replaced meter", func(t *testing.T) {
		list := toReadings(power, []storedReading{newReading("2026-03-01", "E1", 1200, 800), newReading("2026-01-01", "E1", 1000, 700), newReading("2026-03-01", "E2", 0, 0),
			newReading("2026-04-01", "E2", 50, 25)}, span{})
		require.Len(t, list, 4)
		assert.Equal(t, day("2026-04-01"), list[0].MeasurementDate, "newest first")
		assert.Equal(t, kWh(75), list[0].Consumption)
		assert.Equal(t, kWh(50), list[0].ConsumptionNormal)
		var first []*Amount
		for _, r := range list[1:] {
			first = append(first, r.Consumption)
		}
		assert.ElementsMatch(t, []*Amount{nil, kWh(300), nil}, first)
	})
	t.Run("the usage of another household in between is left out", func(t *testing.T) {
		away := span{from: day("2026-01-01"), gaps: []span{{from: day("2026-02-01"), until: day("2026-03-01")}}}
		all := []storedReading{newReading("2026-01-01", "E1", 1000, 700), newReading("2026-02-01", "E1", 1100, 760), newReading("2026-03-01", "E1", 1400, 900), newReading("2026-04-01", "E1", 1450, 925)}
		list := toReadings(power, all, away)
		assert.Equal(t, []*Amount{kWh(75), nil, kWh(160), nil}, []*Amount{list[0].Consumption, list[1].Consumption, list[2].Consumption, list[3].Consumption})
		l, ok := latestOfReadings(power, all[:3], away)
		assert.True(t, ok)
		assert.Nil(t, l.Consumption)
		l, _ = latestOfReadings(power, all, away)
		assert.Equal(t, kWh(75), l.Consumption)
		assert.Nil(t, l.Previous)
	})
	t.Run("gas", func(t *testing.T) {
		list := toReadings(ofGas, []storedReading{{Day: day("2026-01-01"), Normal: kWh(100)}, {Day: day("2026-02-01"), Normal: kWh(350)}}, span{})
		assert.Equal(t, kWh(250), list[0].Consumption)
		assert.Equal(t, M3N, list[0].Unit)
	})
}

func TestParseReading(t *testing.T) {
	loc := amsterdam(t)
	read := func(c Connection, record string) (storedReading, string) {
		var r readingRecord
		require.NoError(t, json.Unmarshal([]byte(record), &r), record)
		s, wrong := r.parse(c, nowDay, loc)
		if wrong != nil {
			return s, wrong.field + ":" + wrong.code
		}
		return s, ""
	}
	s, wrong := read(power, `{"measurement_date":"2026-11-01","consumption_normal":1234.567,"consumption_low":"12"}`)
	assert.Empty(t, wrong)
	assert.Equal(t, newReading("2026-11-01", "E1", 1234567, 12000), s)
	s, wrong = read(ofGas, `{"measurement_date":"2026-11-01T23:30:00Z","consumption":5,"meter_number":"G0"}`)
	assert.Empty(t, wrong)
	assert.Equal(t, storedReading{EANCode: ofGas.EANCode, Day: day("2026-11-02"), MeterNumber: "G0", Normal: kWh(5000)}, s)
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
		_, got := read(power, record)
		assert.Equal(t, want, got, record)
	}
	_, wrong = read(ofGas, `{"measurement_date":"2026-11-01","consumption":5,"feedin_low":1}`)
	assert.Equal(t, "feedin_low:usage.register", wrong)
	_, wrong = read(power, `{"measurement_date":"2026-11-01","consumption":5}`)
	assert.Equal(t, ":usage.nothing", wrong, "electricity requires its registers")
	s, wrong = read(ofGas, `{"measurement_date":"2026-11-01","consumption_normal":5}`)
	assert.Empty(t, wrong)
	assert.Equal(t, kWh(5000), s.Normal, "consumption is the only register of gas")
}

func TestCheckReading(t *testing.T) {
	others := []storedReading{newReading("2026-01-01", "E1", 1000, 500), newReading("2026-03-01", "E1", 2000, 900)}
	check := func(s storedReading, correction bool) string {
		known, wrong := checkReading(others, s, correction)
		if wrong != nil {
			return wrong.field + ":" + wrong.code
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
	assert.Equal(t, "consumption_normal:usage.backwards", check(newReading("2026-01-01", "E1", 2001, 500), true), "a correction must fit the later readings")
	t.Run("accepted readings never decrease, in any order", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			var taken []storedReading
			for range rapid.IntRange(1, 20).Draw(t, "n") {
				s := newReading(day("2026-01-01").AddDays(rapid.IntRange(0, 9).Draw(t, "day")).String(), "E1",
					Amount(rapid.IntRange(0, 20).Draw(t, "normal")), Amount(rapid.IntRange(0, 20).Draw(t, "low")))
				if known, wrong := checkReading(taken, s, rapid.Bool().Draw(t, "correction")); wrong == nil && !known {
					taken = replaceReading(taken, s)
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
	got := dailyProfiles(power, []storedReading{newReading("2026-01-03", "E1", 1030, 500), newReading("2026-01-01", "E1", 1000, 500), newReading("2026-01-02", "E1", 1010, 500),
		newReading("2026-01-06", "E1", 1100, 500), newReading("2026-01-04", "E2", 9, 9)})
	require.Len(t, got, 2, "not across a gap or a replaced meter")
	first := got[day("2026-01-01")]
	assert.Equal(t, []Amount{10}, first.Registers[regNormal])
	assert.Equal(t, []Amount{0}, first.Registers[regLow])
	second := got[day("2026-01-02")]
	assert.Equal(t, []Amount{20}, second.Registers[regNormal])
	gas := dailyProfiles(ofGas, []storedReading{{Day: day("2026-01-01"), Normal: kWh(100)}, {Day: day("2026-01-02"), Normal: kWh(350)}})
	of := gas[day("2026-01-01")]
	assert.Equal(t, []Amount{250}, of.Registers[regGas])
	assert.Nil(t, of.Registers[regNormal])
}

func TestParseInterval(t *testing.T) {
	loc := amsterdam(t)
	read := func(c Connection, record string) string {
		var r intervalRecord
		require.NoError(t, json.Unmarshal([]byte(record), &r), record)
		i, wrong := r.parse(c, nowDay, loc)
		if wrong != nil {
			return wrong.field + ":" + wrong.code
		}
		return i.day.String() + "#" + string(rune('a'+i.slot))
	}
	for record, want := range map[string]string{
		`{"start":"2024-10-27T02:00:00+02:00","normal":1}`:                     "2024-10-27#c",
		`{"start":"2024-10-27T02:00:00+01:00","normal":1}`:                     "2024-10-27#d",
		`{"start":"2024-10-27T02:00:00","normal":1}`:                           "start:usage.offset_needed",
		`{"start":"2024-03-31T02:00:00","normal":1}`:                           "start:usage.no_such_time",
		`{"start":"2024-03-31T03:00:00","low":"0.224"}`:                        "2024-03-31#c",
		`{"start":"2024-10-27T02:15:00+01:00","normal":1}`:                     "start:usage.not_aligned",
		`{"start":"2024-01-01T00:45:00+01:00","normal":1,"seconds":900}`:       "2024-01-01#d",
		`{"start":"2024-01-01T00:45:00+01:00","normal":1,"seconds":"86400"}`:   "start:usage.not_aligned",
		`{"start":"2024-01-01","normal":1,"seconds":"86400"}`:                  "2024-01-01#a",
		`{"start":"2024-01-01","normal":1}`:                                    "start:usage.time",
		`{"start":"2024-01-01T00:00:00+01:00","normal":1,"seconds":60}`:        "seconds:usage.seconds",
		`{"start":"2024-01-01T00:00:00+01:00","normal":1,"seconds":"veel"}`:    "seconds:usage.seconds",
		`{"start":"2026-11-22T00:00:00+01:00","normal":1}`:                     "start:usage.in_future",
		`{"start":"2024-01-01T00:00:00+01:00","consumption":1}`:                "consumption:usage.register",
		`{"start":"2024-01-01T00:00:00+01:00","normal":1,"feedin_low":0.0001}`: "feedin_low:usage.decimals",
		`{"start":"2024-01-01T00:00:00+01:00","normal":""}`:                    ":usage.nothing",
		`{"normal":1}`: "start:required",
	} {
		assert.Equal(t, want, read(power, record), record)
	}
	assert.Equal(t, "normal:usage.register", read(ofGas, `{"start":"2024-01-01T00:00:00+01:00","normal":1}`))
	assert.Equal(t, "2024-01-01#a", read(ofGas, `{"start":"2024-01-01T00:00:00+01:00","consumption":1}`))
}

func TestParseIntervalDay(t *testing.T) {
	loc := amsterdam(t)
	read := func(c Connection, d string, n int, more string) string {
		list := make([]int, n)
		data, err := json.Marshal(list)
		require.NoError(t, err)
		var r intervalDayRecord
		require.NoError(t, json.Unmarshal([]byte(`{"day":"`+d+`","normal":`+string(data)+more+`}`), &r))
		_, _, wrong := r.parse(c, nowDay, loc)
		if wrong != nil {
			return wrong.field + ":" + wrong.code
		}
		return ""
	}
	assert.Empty(t, read(power, "2024-10-27", 25, ""))
	assert.Empty(t, read(power, "2024-03-31", 23, ""))
	assert.Empty(t, read(power, "2024-03-31", 92, `,"seconds":900`))
	assert.Empty(t, read(power, "2024-03-31", 1, `,"seconds":86400`))
	assert.Equal(t, "normal:usage.day_length", read(power, "2024-10-27", 24, ""))
	assert.Equal(t, "normal:usage.day_length", read(power, "2024-03-31", 24, ""))
	assert.Equal(t, "normal:usage.register", read(ofGas, "2024-03-30", 24, ""))
	assert.Equal(t, "low:usage.negative", read(power, "2024-03-30", 24, `,"low":[-1`+repeat(",0", 23)+`]`))
	assert.Equal(t, "day:usage.in_future", read(power, "2026-11-22", 24, ""))
	assert.Equal(t, "day:usage.time", read(power, "22-11-2026", 24, ""))
	assert.Equal(t, "day:"+problem.CodeRequired, read(power, "", 24, ""))
	assert.Equal(t, ":usage.nothing", func() string {
		var r intervalDayRecord
		require.NoError(t, json.Unmarshal([]byte(`{"day":"2024-03-30","normal":[null`+repeat(",null", 23)+`]}`), &r))
		_, _, wrong := r.parse(power, nowDay, loc)
		return wrong.field + ":" + wrong.code
	}())
}

func repeat(s string, n int) (out string) {
	for range n {
		out += s
	}
	return out
}
