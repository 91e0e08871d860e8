package usage

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
)

// forecastCase is a case of the vectors of a forecast: a month, and runs of days that are alike.
type forecastCase struct {
	Case     string
	From, To value.Day
	Measured []struct {
		From, To value.Day
		Day      measuredAmounts
	}
	Missing []value.Day
}

// forecastResult is what the vectors compare.
type forecastResult struct {
	Reason string    `json:"reason"`
	Until  value.Day `json:"until"`
	Usage  string    `json:"usage"`
	Feedin string    `json:"feedin"`
}

func (e Expected) text() string {
	return fmt.Sprintf("%s, expected %s, between %s and %s", e.SoFar, e.Expected, e.Low, e.High)
}

func (c forecastCase) forecast() forecastResult {
	var days []Quantity
	for _, m := range c.Measured {
		for d := m.From; d.Before(m.To); d = d.AddDays(1) {
			q := Quantity{From: d, Until: d.AddDays(1), Amounts: m.Day.times(1), Partial: slices.Contains(c.Missing, d)}
			days = append(days, q)
		}
	}
	f, reason := ForecastOf(span{from: c.From, until: c.To}, days)
	out := forecastResult{Reason: reason}
	if reason == "" {
		if out.Until, out.Usage = f.Until, f.Usage.text(); f.Feedin != nil {
			out.Feedin = f.Feedin.text()
		}
	}
	return out
}

func TestForecast(t *testing.T) {
	for _, row := range []string{"9-forecast-month", "9-forecast-band", "9-forecast-none"} {
		t.Run(row, func(t *testing.T) {
			moduletest.Vectors(t, "../../schemas/rules/"+row+".json", func(given forecastCase, _ value.Day, _ struct{}) forecastResult {
				return given.forecast()
			})
		})
	}
}

// A forecast is never less than what was used, its band contains it, and a year that is a multiple of the last one is forecast exactly.
func TestForecastHolds(t *testing.T) {
	t.Run("9-forecast-month,9-forecast-band", func(t *testing.T) {
		known := 0
		rapid.Check(t, func(t *rapid.T) {
			first := value.Day{Year: 2025, Month: 1, Day: 1}.AddDays(rapid.IntRange(0, 200).Draw(t, "first"))
			until := value.Day{Year: 2026, Month: 10, Day: 1}.AddDays(rapid.IntRange(0, 120).Draw(t, "until"))
			multiple := Amount(rapid.IntRange(0, 5).Draw(t, "multiple"))
			perfect := rapid.Bool().Draw(t, "perfect")
			past := map[value.Day]Amount{}
			var days []Quantity
			for d := first; d.Before(until); d = d.AddDays(1) {
				used := Amount(rapid.Int64Range(0, 30000).Draw(t, "used"))
				if before, ok := past[d.AddMonths(-12)]; ok && perfect {
					used = before * multiple
				}
				past[d] = used
				fed := Amount(rapid.Int64Range(1, 9000).Draw(t, "fed in"))
				partial := !perfect && rapid.IntRange(0, 19).Draw(t, "gap") == 0
				days = append(days, Quantity{From: d, Until: d.AddDays(1), Amounts: Amounts{Normal: &used, FeedinNormal: &fed}, Partial: partial})
			}
			from := Monthly.begin(until.AddDays(-1))
			month := span{from: from, until: from.AddMonths(1)}
			f, reason := ForecastOf(month, days)
			if reason != "" {
				return
			}
			known++
			for _, e := range []Expected{f.Usage, *f.Feedin} {
				if e.Expected < e.SoFar || e.Low < e.SoFar || e.Low > e.Expected || e.Expected > e.High {
					t.Fatalf("%s", e.text())
				}
			}
			if len(f.Mean) != month.days() || len(f.Low) != month.days() || len(f.High) != month.days() {
				t.Fatalf("%d days", len(f.Mean))
			}
			if !perfect || first.AddMonths(12).After(value.Day{Year: 2026, Month: 1, Day: 1}) {
				return
			}
			var whole Amount
			for d := month.from; d.Before(month.until); d = d.AddDays(1) {
				whole += past[d.AddMonths(-12)] * multiple
			}
			if f.Usage.Expected != whole || f.Usage.Low != whole || f.Usage.High != whole {
				t.Fatalf("%s instead of %s", f.Usage.text(), whole)
			}
		})
		assert.NotZero(t, known, "some months have a forecast")
	})
}

// The forecasts of the demo are about right, and their bands contain what was used more often than not.
func TestForecastOfTheDemo(t *testing.T) {
	t.Run("9-forecast-band", func(t *testing.T) {
		loc := amsterdam(t)
		within, all, wrong := 0, 0, 0.0
		for n := range 12 {
			h := DemoHousehold{EAN: fmt.Sprintf("87160000000000%04d", n), Commodity: []string{"ELECTRICITY", gas}[n%2], Yearly: 3000}
			start := value.Day{Year: 2024, Month: 12, Day: 1}
			now := start.AddMonths(24)
			var days []Quantity
			x := h.in(loc)
			for d := start; d.Before(now); d = d.AddDays(1) {
				hours, used := x.day(d), Amount(0)
				for _, a := range slices.Concat(hours.Normal, hours.Low, hours.Consumption) {
					used += Amount(a)
				}
				days = append(days, Quantity{From: d, Until: d.AddDays(1), Amounts: Amounts{Consumption: &used}})
			}
			for m := 2; m < 11; m++ {
				from := value.Day{Year: 2026, Month: 1, Day: 1}.AddMonths(m)
				month := span{from: from, until: from.AddMonths(1)}
				f, reason := ForecastOf(month, slices.DeleteFunc(slices.Clone(days), func(q Quantity) bool { return q.From.DaysSince(from) >= 10 }))
				require.Empty(t, reason)
				var used Amount
				for _, q := range days {
					if !q.From.Before(month.from) && q.From.Before(month.until) {
						used += *q.Consumption
					}
				}
				if all++; f.Usage.Low <= used && used <= f.Usage.High {
					within++
				}
				wrong += math.Abs(float64(used-f.Usage.Expected)) / float64(used)
			}
		}
		assert.Less(t, wrong/float64(all), 0.2, "on average")
		assert.Greater(t, float64(within)/float64(all), 0.5, "a year differs from the one before by its seasons too")
	})
}
