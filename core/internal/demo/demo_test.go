package demo

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
)

func amsterdam(t *testing.T) *time.Location {
	loc, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	return loc
}

func TestTemplate(t *testing.T) {
	funcs := own(functions(time.Date(2026, 11, 20, 11, 0, 0, 0, amsterdam(t))), "T1", "k1")
	for text, want := range map[string]string{
		`{{day -30}}`:                             "2026-10-21",
		`{{day 1}}`:                               "2026-11-21",
		`{{month -1}}`:                            "2026-10-01",
		`{{month -1 14}}`:                         "2026-10-15",
		`{{month 0 -1}}`:                          "2026-10-31",
		`{{(month -9).Format "200601"}}`:          "202602",
		`{{year 0}} {{year -1}}`:                  "2026 2025",
		`{{at -2 "14:30"}}`:                       "2026-11-18T14:30:00+01:00",
		`{{at -60 "14:30"}}`:                      "2026-09-21T14:30:00+02:00",
		`{{range 3}}{{month (add . -3)}} {{end}}`: "2026-08-01 2026-09-01 2026-10-01 ",
		`{{euro (mul 3 4850)}}`:                   "145.50",
		`{{debtor}}-{{id}}`:                       "T1-k1",
	} {
		got, err := expand("x", text, funcs)
		require.NoError(t, err, text)
		assert.Equal(t, want, string(got), text)
	}
	_, err := expand("x", `{{at 0 "half three"}}`, funcs)
	require.Error(t, err)
	got, err := expandValue(map[string]any{"{{id}}": []any{"{{day 0}}", 4.5, nil, true}}, funcs)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"k1": []any{"2026-11-20", 4.5, nil, true}}, got)
}

func TestEAN(t *testing.T) {
	got := ean("T1", 1)
	assert.Len(t, got, 18)
	assert.NotEqual(t, got, ean("T1", 2))
	assert.NotEqual(t, got, ean("T2", 1))
	sum := 0
	for i, d := range got { // GS1: the digits weigh 3 and 1 in turn and add up to a multiple of ten
		sum += int(d-'0') * (3 - i%2*2)
	}
	assert.Zero(t, sum%10)
}

type read struct {
	Day                                         value.Day
	Normal, Low, FeedIn, FeedInLow, Consumption []*float64
}

func days(t *testing.T, h Household, from, until value.Day) (out []read) {
	for b := range h.Days(from, until, amsterdam(t)) {
		var r struct {
			Day          value.Day
			Normal, Low  []*float64
			FeedInNormal []*float64 `json:"feedin_normal"`
			FeedInLow    []*float64 `json:"feedin_low"`
			Consumption  []*float64
		}
		require.NoError(t, json.Unmarshal(b, &r))
		out = append(out, read{r.Day, r.Normal, r.Low, r.FeedInNormal, r.FeedInLow, r.Consumption})
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

// A made-up home is one that a Dutch reader believes.
func TestHousehold(t *testing.T) {
	from, until := value.Day{Year: 2025, Month: 1, Day: 1}, value.Day{Year: 2026, Month: 1, Day: 1}
	electric := days(t, Household{EAN: "871600000000000017", Commodity: "ELECTRICITY", Yearly: 2810}, from, until)
	heat := days(t, Household{EAN: "871600000000000024", Commodity: gas, Yearly: 1180}, from, until)
	solar := days(t, Household{EAN: "871600000000000031", Commodity: "ELECTRICITY", Yearly: 3400, Solar: 4.2}, from, until)
	all := func(in []read, of func(read) float64) (sum float64) {
		for _, d := range in {
			sum += of(d)
		}
		return sum
	}
	month := func(in []read, m time.Month) []read {
		return slices.DeleteFunc(slices.Clone(in), func(r read) bool { return r.Day.Month != m })
	}
	used := func(d read) float64 { return total(d.Normal, d.Low, d.Consumption) }
	fed := func(d read) float64 { return total(d.FeedIn, d.FeedInLow) }

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
	type standing struct {
		Normal float64 `json:"consumption_normal"`
		Low    float64 `json:"consumption_low"`
	}
	var at []standing
	for b := range (Household{EAN: "871600000000000017", Commodity: "ELECTRICITY", Yearly: 2810, Readings: true}).Standings(from, until, amsterdam(t)) {
		var r standing
		require.NoError(t, json.Unmarshal(b, &r))
		at = append(at, r)
	}
	require.Len(t, at, 12)
	assert.InEpsilon(t, all(month(electric, time.March), used), at[3].Normal+at[3].Low-at[2].Normal-at[2].Low, 0.1, "the meter counts what the hours tell")

	half := days(t, Household{EAN: "871600000000000031", Commodity: "ELECTRICITY", Yearly: 3400, Solar: 4.2}, from.AddMonths(6), until)
	assert.Equal(t, solar[len(solar)-len(half):], half, "a day is the same whatever the run began with")
	assert.False(t, math.IsNaN(all(half, used)))
}

func BenchmarkHousehold(b *testing.B) {
	loc, _ := time.LoadLocation("Europe/Amsterdam")
	h, until := Household{EAN: "871600000000000031", Commodity: "ELECTRICITY", Yearly: 3400, Solar: 4.2}, value.Day{Year: 2026, Month: 1, Day: 1}
	for b.Loop() {
		for range h.Days(until.AddDays(-730), until, loc) {
		}
	}
}
