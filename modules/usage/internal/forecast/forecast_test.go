package forecast

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
	"github.com/wattle-portal/wattle/modules/usage/internal/household"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

// forecastCase is a test case of the forecast vectors: a month, and runs of equal days.
type forecastCase struct {
	Case     string
	From, To value.Day
	Measured []struct {
		From, To value.Day
		Day      metertest.Amounts
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
	var days []meter.Quantity
	for _, m := range c.Measured {
		for d := m.From; d.Before(m.To); d = d.AddDays(1) {
			q := meter.Quantity{From: d, Until: d.AddDays(1), Amounts: m.Day.Times(1), Partial: slices.Contains(c.Missing, d)}
			days = append(days, q)
		}
	}
	f, reason := Of(meter.Span{From: c.From, Until: c.To}, days)
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
			moduletest.RunCases(t, "../../../../schemas/rules/"+row+".json", func(input forecastCase, _ value.Day, _ struct{}) forecastResult {
				return input.forecast()
			})
		})
	}
}

// A forecast is never less than the measured usage, its band contains it, and a year that is a multiple of the previous one is forecast
// exactly.
func TestForecastHolds(t *testing.T) {
	t.Run("9-forecast-month,9-forecast-band", func(t *testing.T) {
		known := 0
		rapid.Check(t, func(t *rapid.T) {
			first := value.Day{Year: 2025, Month: 1, Day: 1}.AddDays(rapid.IntRange(0, 200).Draw(t, "first"))
			until := value.Day{Year: 2026, Month: 10, Day: 1}.AddDays(rapid.IntRange(0, 120).Draw(t, "until"))
			multiple := meter.Amount(rapid.IntRange(0, 5).Draw(t, "multiple"))
			perfect := rapid.Bool().Draw(t, "perfect")
			past := map[value.Day]meter.Amount{}
			var days []meter.Quantity
			for d := first; d.Before(until); d = d.AddDays(1) {
				used := meter.Amount(rapid.Int64Range(0, 30000).Draw(t, "used"))
				if before, ok := past[d.AddMonths(-12)]; ok && perfect {
					used = before * multiple
				}
				past[d] = used
				fed := meter.Amount(rapid.Int64Range(1, 9000).Draw(t, "fed in"))
				partial := !perfect && rapid.IntRange(0, 19).Draw(t, "gap") == 0
				days = append(days, meter.Quantity{From: d, Until: d.AddDays(1), Amounts: meter.Amounts{Normal: &used, FeedinNormal: &fed},
					Partial: partial})
			}
			from := meter.Monthly.Begin(until.AddDays(-1))
			month := meter.Span{From: from, Until: from.AddMonths(1)}
			f, reason := Of(month, days)
			if reason != "" {
				return
			}
			known++
			for _, e := range []Expected{f.Usage, *f.Feedin} {
				if e.Expected < e.SoFar || e.Low < e.SoFar || e.Low > e.Expected || e.Expected > e.High {
					t.Fatalf("%s", e.text())
				}
			}
			if len(f.Mean) != month.Days() || len(f.Low) != month.Days() || len(f.High) != month.Days() {
				t.Fatalf("%d days", len(f.Mean))
			}
			checkParts(t, f)
			if !perfect || first.AddMonths(12).After(value.Day{Year: 2026, Month: 1, Day: 1}) {
				return
			}
			var whole meter.Amount
			for d := month.From; d.Before(month.Until); d = d.AddDays(1) {
				whole += past[d.AddMonths(-12)] * multiple
			}
			if f.Usage.Expected != whole || f.Usage.Low != whole || f.Usage.High != whole {
				t.Fatalf("%s instead of %s", f.Usage.text(), whole)
			}
		})
		assert.NotZero(t, known, "some months have a forecast")
	})
}

// The forecasts of the demo are approximately correct, and their bands contain the actual usage more often than not.
func TestForecastOfTheDemo(t *testing.T) {
	t.Run("9-forecast-band", func(t *testing.T) {
		loc := metertest.Amsterdam(t)
		within, all, deviation := 0, 0, 0.0
		for n := range 12 {
			h := household.Household{EAN: fmt.Sprintf("87160000000000%04d", n), Commodity: []string{"ELECTRICITY", string(meter.Gas)}[n%2],
				Yearly: 3000}
			start := value.Day{Year: 2024, Month: 12, Day: 1}
			now := start.AddMonths(24)
			var days []meter.Quantity
			x := h.In(loc)
			for d := start; d.Before(now); d = d.AddDays(1) {
				hours, used := x.Day(d), meter.Amount(0)
				for _, a := range slices.Concat(hours.Normal, hours.Low, hours.Consumption) {
					used += meter.Amount(a)
				}
				days = append(days, meter.Quantity{From: d, Until: d.AddDays(1), Amounts: meter.Amounts{Consumption: &used}})
			}
			for m := 2; m < 11; m++ {
				from := value.Day{Year: 2026, Month: 1, Day: 1}.AddMonths(m)
				month := meter.Span{From: from, Until: from.AddMonths(1)}
				f, reason := Of(month, slices.DeleteFunc(slices.Clone(days), func(q meter.Quantity) bool { return q.From.DaysSince(from) >= 10 }))
				require.Empty(t, reason)
				var used meter.Amount
				for _, q := range days {
					if !q.From.Before(month.From) && q.From.Before(month.Until) {
						used += *q.Consumption
					}
				}
				if all++; f.Usage.Low <= used && used <= f.Usage.High {
					within++
				}
				deviation += math.Abs(float64(used-f.Usage.Expected)) / float64(used)
			}
		}
		assert.Less(t, deviation/float64(all), 0.2, "on average")
		assert.Greater(t, float64(within)/float64(all), 0.5, "a year differs from the one before by its seasons too")
	})
}
