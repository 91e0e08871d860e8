package production

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
)

func TestPart(t *testing.T) {
	var s shares
	require.NoError(t, json.Unmarshal([]byte(`[{"from_date":"2026-01-01","own":0,"all":100},{"from_date":"2026-03-01","own":10,"all":100},
		{"from_date":"2026-05-01","own":1,"all":4},{"from_date":"2026-07-01","own":5,"all":0},{"from_date":"2026-09-01","own":9,"all":8}]`), &s))
	type part struct {
		of float64
		ok bool
	}
	for on, want := range map[string]part{
		"2025-12-31": {0, false}, "2026-01-01": {0, true}, "2026-02-28": {0, true}, "2026-03-01": {.1, true}, "2026-04-30": {.1, true},
		"2026-05-01": {.25, true},
		"2026-07-01": {0, false}, "2026-09-01": {1, true}, "2030-01-01": {1, true},
	} {
		of, ok := s.part(day(t, on))
		assert.Equal(t, want, part{of, ok}, on)
	}
	_, ok := shares(nil).part(day(t, "2026-01-01"))
	assert.False(t, ok, "nobody has shares")
}

// madeOn returns days with their production in Wh.
func madeOn(t *testing.T, wh map[string]int64) (out []dayRow) {
	t.Helper()
	for d := day(t, "2026-10-25"); d.Before(day(t, "2026-12-05")); d = d.AddDays(1) {
		if n, ok := wh[d.String()]; ok {
			out = append(out, dayRow{Day: d, Total: n})
		}
	}
	require.Len(t, out, len(wh))
	return out
}

// chart returns the values and rounded values that a chart shows, and the index of the highest value (-1: none).
func chart(t *testing.T, points []Point) (values, rounded []any, record int) {
	t.Helper()
	record = -1
	for i, p := range points {
		if p.Record {
			require.Equal(t, -1, record, "at most one point is the highest")
			record = i
		}
		if p.Value == nil {
			assert.Nil(t, p.Rounded)
			values, rounded = append(values, nil), append(rounded, nil)
			continue
		}
		values, rounded = append(values, *p.Value), append(rounded, *p.Rounded)
	}
	return values, rounded, record
}

func TestPoints(t *testing.T) {
	loc := amsterdam(t)
	weeks := periods(Weeks, 0, day(t, "2026-11-20"), loc) // of 26 October, and 2, 9 and 16 November
	t.Run("3-production-point-fields,3-production-point-record", func(t *testing.T) {
		days := madeOn(t, map[string]int64{"2026-10-25": 9_000_000, "2026-10-26": 1000, "2026-11-01": 2600, "2026-11-09": 3599, "2026-11-20": 700,
			"2026-11-23": 9_000_000})
		got := points(Weeks, weeks, days, nil, nil)
		values, rounded, record := chart(t, got)
		assert.Equal(t, []any{3.6, nil, 3.599, .7}, values, "days outside the view are ignored, a week without measurements is null")
		assert.Equal(t, []any{4.0, nil, 4.0, 1.0}, rounded, "values of a project are whole kWh")
		assert.Equal(t, 0, record, "the highest value, before rounding")
		assert.Equal(t, []int{44, 45, 46, 47}, []int{*got[0].Labels.Week, *got[1].Labels.Week, *got[2].Labels.Week, *got[3].Labels.Week})
	})
	t.Run("3-production-point-fields", func(t *testing.T) {
		text, err := json.Marshal(Point{Labels: Labels{Year: new(2026), Month: new(11), Week: new(47), Day: new(20), Hour: new(13),
			Date: Date{2026, 11, 20}}, Value: new(12.346), Rounded: new(12.0), Record: true})
		require.NoError(t, err)
		assert.JSONEq(t, `{"labels":{"year":2026,"month":11,"week":47,"day":20,"hour":13,"date":{"year":2026,"month":11,"day":20}},
			"value":12.346,"rounded_value":12,"record":true}`, string(text))
	})
	t.Run("3-production-point-record", func(t *testing.T) {
		for name, c := range map[string]struct {
			days map[string]int64
			want int
		}{
			"is the first of equals":  {map[string]int64{"2026-11-03": 5000, "2026-11-09": 5000}, 1},
			"may come first":          {map[string]int64{"2026-10-26": 5000, "2026-11-09": 3000}, 0},
			"may come last":           {map[string]int64{"2026-10-26": 5000, "2026-11-16": 5001}, 3},
			"is none of zeros":        {map[string]int64{"2026-10-26": 0, "2026-11-09": 0}, -1},
			"is none without any day": {nil, -1},
		} {
			_, _, record := chart(t, points(Weeks, weeks, madeOn(t, c.days), nil, nil))
			assert.Equal(t, c.want, record, name)
		}
	})
	t.Run("7.6-production-kind", func(t *testing.T) {
		days := madeOn(t, map[string]int64{"2026-10-26": 1_000_000, "2026-11-02": 1000, "2026-11-03": 3000, "2026-11-10": 12_345})
		part := func(d value.Day) (float64, bool) {
			return map[value.Day]float64{day(t, "2026-11-02"): .5, day(t, "2026-11-03"): .25}[d] + .001, d.After(day(t, "2026-10-31"))
		}
		values, rounded, record := chart(t, points(Weeks, weeks, days, part, nil))
		assert.Equal(t, []any{nil, 1.254, .012, nil}, values, "each day counts with the shares of that day; null while nobody had shares")
		assert.Equal(t, []any{nil, 1.25, .01, nil}, rounded, "values of shares have two decimals")
		assert.Equal(t, 1, record)
	})
	t.Run("hours", func(t *testing.T) {
		today := dayRow{Day: day(t, "2026-11-20"), Total: 99_000, hours: []*amount{new(amount(0)), nil, new(amount(1500)), new(amount(12_346))}}
		values, rounded, record := chart(t, points(Hours, periods(Hours, 0, day(t, "2026-11-20"), loc),
			[]dayRow{{Day: day(t, "2026-11-19"), hours: today.hours}, today}, nil, nil))
		assert.Len(t, values, 24)
		assert.Equal(t, []any{0.0, nil, 1.5, 12.346, nil}, values[:5], "an hour without measurements is null")
		assert.Equal(t, []any{0.0, nil, 2.0, 12.0, nil}, rounded[:5])
		assert.Equal(t, 3, record)
	})
	t.Run("9-production-euro", func(t *testing.T) {
		half := func(value.Day) (float64, bool) { return .5, true }
		prices := sorted([]YieldPrice{{day(t, "2026-11-03"), 0.1}, {day(t, "2026-11-10"), 0.2}})
		euros := func(days []dayRow, prices yieldPrices) (out []any) {
			for _, p := range points(Weeks, weeks, days, half, prices) {
				if p.Euro == nil {
					out = append(out, nil)
					continue
				}
				out = append(out, int(*p.Euro))
			}
			return out
		}
		days := madeOn(t, map[string]int64{"2026-10-27": 9000, "2026-11-03": 60_000, "2026-11-09": 10_000, "2026-11-10": 10_000})
		assert.Equal(t, []any{nil, 300, 150, nil}, euros(days, prices), "each day at its price; before the first price and unmeasured: none")
		assert.Equal(t, []any{nil, nil, nil, nil}, euros(days, nil), "without prices nothing has a value")
		var rates []any
		for _, p := range points(Weeks, weeks, days, half, prices) {
			rates = append(rates, p.Price)
		}
		assert.Equal(t, []any{(*float64)(nil), new(0.1), (*float64)(nil), (*float64)(nil)}, rates, "two prices in the third week")
		// three weeks of half a cent each are 1.5 cents, which are rounded once to 2 cents, not to 3
		small := madeOn(t, map[string]int64{"2026-11-03": 100, "2026-11-09": 100, "2026-11-16": 100})
		assert.Equal(t, []any{nil, 1, 0, 1}, euros(small, sorted([]YieldPrice{{day(t, "2026-11-03"), 0.1}})))
	})
	t.Run("9-production-running", func(t *testing.T) {
		from := day(t, "2026-11-13")
		days := []dayRow{{hours: []*amount{new(amount(0)), nil, new(amount(1500))}}, {hours: []*amount{new(amount(1)), new(amount(0))}}}
		want := Running{From: from, Until: day(t, "2026-11-19"), Hours: 4, Producing: 2, Made: 1.501}
		assert.Equal(t, want, running(from, from.AddDays(7), days))
		assert.Equal(t, Running{From: from, Until: day(t, "2026-11-19")}, running(from, from.AddDays(7), nil))
	})
}
