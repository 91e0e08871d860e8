package cost

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/forecast"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

func TestCostEstimate(t *testing.T) {
	loc, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	on := func(month time.Month, day int) value.Day { return value.Day{Year: 2026, Month: month, Day: day} }
	kWh := func(n int) *meter.Amount { a := meter.Amount(n * 1000); return &a }
	// 4 kWh a day. 5 November was not measured, and the 6th only partly, but with more than the forecast for that day.
	var days, requested []meter.Quantity
	for d := (value.Day{Year: 2025, Month: time.October, Day: 1}); d.Before(on(11, 20)); d = d.AddDays(1) {
		q := meter.Quantity{From: d, Until: d.AddDays(1), Amounts: meter.Amounts{Normal: kWh(4), Consumption: kWh(4)}}
		if d == on(11, 5) {
			continue
		}
		if q.Partial = d == on(11, 6); q.Partial {
			q.Normal, q.Consumption = kWh(7), kWh(7)
		}
		if days = append(days, q); !d.Before(on(10, 26)) {
			requested = append(requested, q)
		}
	}
	month := meter.Span{From: on(11, 1), Until: on(12, 1)}
	f, reason := forecast.Of(month, days)
	require.Empty(t, reason)
	with := true
	price := func(kind PriceKind, unit string, amount value.Price) Price {
		return Price{Kind: kind, Unit: unit, Amount: amount, IncludesVAT: &with, From: on(1, 1)}
	}
	tariff := Tariff{Commodity: meter.Electricity, Prices: []Price{price(priceSingle, "kWh", 30_000), price(priceStanding, "day", 20_000)}}
	estimate := func(t *testing.T, s meter.Span, unit meter.Period) *CostEstimate {
		t.Helper()
		require.Nil(t, Of(tariff, s, requested).Total, "not known")
		return EstimateOf(tariff, s, requested, f, unit, loc)
	}
	t.Run("9-usage-euro-estimate", func(t *testing.T) {
		e := estimate(t, meter.Span{From: month.From, Until: on(11, 20)}, meter.Daily)
		require.NotNil(t, e)
		assert.Equal(t, value.Cents(18*140+230), e.Total, "4 kWh at 0.30 and 0.20 a day, and 7 kWh on the 6th")
		assert.Equal(t, []EstimatedDays{{on(11, 5), on(11, 7)}}, e.Days)
		assert.Equal(t, *kWh(4), e.Added, "4 kWh on the 5th; the 7 kWh of the 6th were measured")
		require.Len(t, e.Bars, 19)
		var bars, rows value.Cents
		for i, bar := range e.Bars {
			assert.Equal(t, i == 4 || i == 5, bar.Estimated, "%s", bar.Day)
			bars += *bar.Amount
		}
		for _, row := range e.Rows {
			rows += row.Amount
		}
		assert.Equal(t, []value.Cents{e.Total, e.Total}, []value.Cents{bars, rows})
		assert.Equal(t, []value.Cents{140, 140, 230, 140},
			[]value.Cents{*e.Bars[3].Amount, *e.Bars[4].Amount, *e.Bars[5].Amount, *e.Bars[6].Amount})
		json, err := e.Bars[4:5].MarshalJSON()
		require.NoError(t, err)
		assert.JSONEq(t, `[{"start":"2026-11-05T00:00:00+01:00","day":"2026-11-05","amount":1.40,"estimated":true}]`, string(json))
	})
	t.Run("9-usage-euro-estimate", func(t *testing.T) {
		e := estimate(t, meter.Span{From: on(10, 26), Until: on(11, 20)}, meter.Monthly)
		require.NotNil(t, e, "days before the month were measured")
		require.Len(t, e.Bars, 2)
		assert.Equal(t, []any{value.Cents(6 * 140), false, value.Cents(18*140 + 230), true},
			[]any{*e.Bars[0].Amount, e.Bars[0].Estimated, *e.Bars[1].Amount, e.Bars[1].Estimated})
		e = estimate(t, meter.Span{From: on(11, 6), Until: on(11, 9)}, meter.Hourly)
		require.NotNil(t, e)
		assert.Equal(t, []any{value.Cents(230 + 2*140), 0, []EstimatedDays{{on(11, 6), on(11, 7)}}}, []any{e.Total, len(e.Bars), e.Days},
			"no hour is estimated")
	})
	t.Run("9-usage-euro-estimate", func(t *testing.T) {
		assert.Nil(t, estimate(t, meter.Span{From: month.From, Until: on(11, 21)}, meter.Daily), "the 20th is still to come")
		requested = requested[1:]
		assert.Nil(t, estimate(t, meter.Span{From: on(10, 26), Until: on(11, 20)}, meter.Daily), "a day before the month is missing")
		tariff.Prices = tariff.Prices[:1]
		assert.Nil(t, estimate(t, meter.Span{From: month.From, Until: on(11, 20)}, meter.Daily), "without a standing charge")
	})
}

// There are two gaps: one day, and two days of which the second was measured partly.
func TestCostEstimateOfGaps(t *testing.T) {
	loc := metertest.Amsterdam(t)
	on := func(n int) value.Day { return day("2026-06-01").AddDays(n - 1) } // a Monday
	f := forecast.Forecast{Until: on(9), Gaps: []meter.Span{{From: on(2), Until: on(3)}, {From: on(5), Until: on(7)}}}
	var measured []meter.Quantity
	for d := on(1); d.Before(on(31)); d = d.AddDays(1) {
		q := meter.Quantity{From: d, Until: d.AddDays(1), Amounts: meter.Amounts{Normal: kwh(1)}}
		if d == on(2) || d == on(5) || d == on(6) || !d.Before(on(9)) {
			q.Normal = kwh(2)
		} else {
			measured = append(measured, q)
		}
		if f.Mean = append(f.Mean, q); d == on(6) {
			q.Partial, q.Normal = true, kwh(0.5)
			measured = append(measured, q)
		}
	}
	tariff := Tariff{Commodity: meter.Electricity, Prices: []Price{priced(priceSingle, "kWh", "0.30", "2020-01-01", ""),
		priced(priceStanding, "day", "0.10", "2020-01-01", "")}}
	t.Run("9-usage-euro-estimate", func(t *testing.T) {
		for _, c := range []struct {
			from, until int
			unit        meter.Period
			total       value.Cents
			days        []EstimatedDays
			added       float64
			estimated   []bool // bars
		}{
			{1, 9, meter.Daily, 410, []EstimatedDays{{on(2), on(3)}, {on(5), on(7)}}, 5.5,
				[]bool{false, true, false, false, true, true, false, false}},
			{1, 9, meter.Weekly, 410, []EstimatedDays{{on(2), on(3)}, {on(5), on(7)}}, 5.5, []bool{true, false}},
			{1, 9, "", 410, []EstimatedDays{{on(2), on(3)}, {on(5), on(7)}}, 5.5, nil},
			{1, 6, meter.Daily, 240 + 20, []EstimatedDays{{on(2), on(3)}, {on(5), on(6)}}, 4, []bool{false, true, false, false, true}},
			{6, 9, meter.Daily, 150, []EstimatedDays{{on(6), on(7)}}, 1.5, []bool{true, false, false}},
			{5, 6, meter.Daily, 70, []EstimatedDays{{on(5), on(6)}}, 2, []bool{true}},
		} {
			name := fmt.Sprintf("%d to %d by %s", c.from, c.until, c.unit)
			e := EstimateOf(tariff, meter.Span{From: on(c.from), Until: on(c.until)}, measured, f, c.unit, loc)
			require.NotNil(t, e, name)
			assert.Equal(t, []any{c.total, c.days, *kwh(c.added)}, []any{e.Total, e.Days, e.Added}, name)
			require.Len(t, e.Bars, len(c.estimated), name)
			for i, bar := range e.Bars {
				assert.Equal(t, c.estimated[i], bar.Estimated, "%s: %s", name, bar.Day)
			}
			if c.unit != "" {
				assert.Equal(t, e.Total, e.Bars.sum(), name)
			}
		}
		for _, c := range [][2]int{{1, 2}, {3, 5}, {7, 9}} {
			assert.Nil(t, EstimateOf(tariff, meter.Span{From: on(c[0]), Until: on(c[1])}, measured, f, meter.Daily, loc), "nothing to estimate")
		}
	})
}
