package forecast

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

var day, kwh = metertest.Day, metertest.KWh

// checkParts fails if the days of a forecast do not add up to it, or a day is outside its band. In Low, feed-in is at its upper end.
func checkParts(t require.TestingT, f Forecast) {
	total := func(days []meter.Quantity) (used, fed meter.Amount) {
		for _, q := range days {
			used, fed = used+q.Used(), fed+q.Fed()
		}
		return used, fed
	}
	use, fed := total(f.Mean)
	lowUse, highFed := total(f.Low)
	highUse, lowFed := total(f.High)
	require.Equal(t, []meter.Amount{f.Usage.Expected, f.Usage.Low, f.Usage.High}, []meter.Amount{use, lowUse, highUse}, "usage of the days")
	if e := f.Feedin; e != nil {
		require.Equal(t, []meter.Amount{e.Expected, e.Low, e.High}, []meter.Amount{fed, lowFed, highFed}, "feed-in of the days")
	}
	for i, q := range f.Mean {
		low, high := f.Low[i], f.High[i]
		require.True(t, low.Used() <= q.Used() && q.Used() <= high.Used(), "usage on %s", q.From)
		require.True(t, high.Fed() <= q.Fed() && q.Fed() <= low.Fed(), "feed-in on %s", q.From)
		require.Equal(t, q.From.AddDays(1), q.Until)
	}
}

// history returns the days from 1 October 2025 to until (exclusive), with the amounts then before 1 October 2026 and the amounts now after
// that.
func history(then, now meter.Amounts, until value.Day) (out []meter.Quantity) {
	for d := day("2025-10-01"); d.Before(until); d = d.AddDays(1) {
		q := meter.Quantity{From: d, Until: d.AddDays(1), Amounts: then}
		if !d.Before(day("2026-10-01")) {
			q.Amounts = now
		}
		out = append(out, q)
	}
	return out
}

func TestForecastOfDays(t *testing.T) {
	november := meter.Span{From: day("2026-11-01"), Until: day("2026-12-01")}
	amounts := func(normal, low, fed, fedLow float64) meter.Amounts {
		return meter.Amounts{Normal: kwh(normal), Low: kwh(low), FeedinNormal: kwh(fed), FeedinLow: kwh(fedLow), Consumption: kwh(normal + low)}
	}
	then, now := amounts(3, 1, 2, 1), amounts(6, 2, 1, 0.5)
	t.Run("9-forecast-month", func(t *testing.T) {
		partly := map[value.Day]meter.Amounts{
			day("2026-11-06"): {Normal: kwh(9), Consumption: kwh(9), FeedinNormal: kwh(4)}, // more than expected, for both
			day("2026-11-10"): amounts(8, 0, 0, 1.5),                                       // exactly as expected
			day("2026-11-11"): amounts(1, 1, 0.25, 0),                                      // less than expected
		}
		var days []meter.Quantity
		for _, q := range history(then, now, day("2026-11-20")) {
			if a, ok := partly[q.From]; ok {
				q.Amounts, q.Partial = a, true
			}
			if q.From != day("2026-11-05") && q.From != day("2026-11-15") {
				days = append(days, q)
			}
		}
		f, reason := Of(november, days)
		require.Empty(t, reason)
		checkParts(t, f)
		assert.Equal(t, []value.Day{day("2026-11-20"), day("2026-11-19")}, []value.Day{f.Until, f.Last})
		assert.Equal(t, []meter.Span{{From: day("2026-11-05"), Until: day("2026-11-07")}, {From: day("2026-11-10"), Until: day("2026-11-12")},
			{From: day("2026-11-15"), Until: day("2026-11-16")}}, f.Gaps)
		for i, q := range f.Mean {
			want := now // twice last year's usage, half its feed-in
			if q.From == day("2026-11-06") {
				want = partly[q.From]
			}
			assert.True(t, metertest.Equal(want, q.Amounts), "%s: %v", q.From, q.Used())
			assert.Equal(t, []meter.Quantity{q, q}, []meter.Quantity{f.Low[i], f.High[i]}, "no band")
		}
		// 14 whole days, and 9, 8 and 2 kWh
		use, fed := *kwh(29*8 + 9), *kwh(29*1.5 + 4)
		assert.Equal(t, Expected{SoFar: *kwh(14*8 + 19), Added: *kwh(8 + 6 + 8), Expected: use, Low: use, High: use}, f.Usage)
		assert.Equal(t, &Expected{SoFar: *kwh(14*1.5 + 5.75), Added: *kwh(1.5 + 1.25 + 1.5), Expected: fed, Low: fed, High: fed}, f.Feedin)
	})
	t.Run("9-forecast-month", func(t *testing.T) {
		// The last days of October were not measured. In November, only part of the 2nd and the feed-in of the 3rd were measured.
		part := meter.Quantity{From: day("2026-11-02"), Until: day("2026-11-03"), Amounts: amounts(1, 0, 0, 0), Partial: true}
		fed := meter.Quantity{From: day("2026-11-03"), Until: day("2026-11-04"), Amounts: meter.Amounts{FeedinNormal: kwh(1)}}
		none := meter.Quantity{From: day("2026-11-04"), Until: day("2026-11-05")}
		f, reason := Of(november, append(history(then, now, day("2026-10-29")), part, fed, none))
		require.Empty(t, reason)
		checkParts(t, f)
		assert.Equal(t, []value.Day{november.From, day("2026-11-03")}, []value.Day{f.Until, f.Last})
		assert.Empty(t, f.Gaps, "all days are still to come")
		assert.Equal(t, []meter.Amount{*kwh(1), *kwh(30 * 8)}, []meter.Amount{f.Usage.SoFar, f.Usage.Expected})

		f, reason = Of(november, history(then, now, day("2026-10-29")))
		require.Empty(t, reason)
		assert.Equal(t, []value.Day{november.From, {}}, []value.Day{f.Until, f.Last}, "nothing of the month was measured")

		f, reason = Of(november, history(then, now, day("2026-12-04")))
		require.Empty(t, reason)
		assert.Equal(t, []value.Day{november.Until, day("2026-11-30")}, []value.Day{f.Until, f.Last}, "days after the month do not count")
		assert.Equal(t, Expected{*kwh(240), 0, *kwh(240), *kwh(240), *kwh(240)}, f.Usage)
	})
	t.Run("9-forecast-month", func(t *testing.T) {
		for _, c := range []struct {
			name      string
			then, now meter.Amounts
		}{
			{"one register", meter.Amounts{Normal: kwh(2)}, meter.Amounts{Normal: kwh(4)}},
			{"the other", meter.Amounts{Low: kwh(2)}, meter.Amounts{Low: kwh(4)}},
			{"both", meter.Amounts{Normal: kwh(1), Low: kwh(1)}, meter.Amounts{Normal: kwh(3), Low: kwh(1)}},
			{"gas", meter.Amounts{Consumption: kwh(2)}, meter.Amounts{Consumption: kwh(4)}},
		} {
			f, reason := Of(november, history(c.then, c.now, day("2026-11-20")))
			require.Empty(t, reason, c.name)
			checkParts(t, f)
			assert.Nil(t, f.Feedin, c.name)
			assert.Equal(t, Expected{*kwh(19 * 4), 0, *kwh(30 * 4), *kwh(30 * 4), *kwh(30 * 4)}, f.Usage, c.name)
			assert.Equal(t, kwh(4), f.Mean[29].Consumption, "%s: the sum of its registers", c.name)
		}
	})
	t.Run("9-forecast-none", func(t *testing.T) {
		for _, c := range []struct {
			name, reason string
			then, now    meter.Amounts
		}{
			{"usage, and none last year", noForecastChanged, meter.Amounts{Normal: kwh(0)}, meter.Amounts{Normal: kwh(1)}},
			{"feed-in, and none last year", noForecastChanged, meter.Amounts{Normal: kwh(1)}, meter.Amounts{Normal: kwh(1), FeedinLow: kwh(1)}},
			{"only feed-in was measured", noForecastHistory, meter.Amounts{FeedinNormal: kwh(1)}, meter.Amounts{FeedinNormal: kwh(1)}},
			{"feed-in last year, and none now", "", meter.Amounts{Normal: kwh(1), FeedinLow: kwh(1)}, meter.Amounts{Normal: kwh(1)}},
			{"nothing used in either year", "", meter.Amounts{Normal: kwh(0)}, meter.Amounts{Normal: kwh(0)}},
		} {
			_, reason := Of(november, history(c.then, c.now, day("2026-11-20")))
			assert.Equal(t, c.reason, reason, c.name)
		}
	})
}
