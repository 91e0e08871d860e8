package cost

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/forecast"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

func TestCostEstimate(t *testing.T) {
	loc, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	on := func(month time.Month, day int) value.Day { return value.Day{Year: 2026, Month: month, Day: day} }
	kWh := func(n int) *meter.Amount { a := meter.Amount(n * 1000); return &a }
	// 4 kWh a day; of 5 November nothing was measured, of the 6th a part, which is more than what is expected of the days last year
	var days, asked []meter.Quantity
	for d := (value.Day{Year: 2025, Month: time.October, Day: 1}); d.Before(on(11, 20)); d = d.AddDays(1) {
		q := meter.Quantity{From: d, Until: d.AddDays(1), Amounts: meter.Amounts{Normal: kWh(4), Consumption: kWh(4)}}
		if d == on(11, 5) {
			continue
		}
		if q.Partial = d == on(11, 6); q.Partial {
			q.Normal, q.Consumption = kWh(7), kWh(7)
		}
		if days = append(days, q); !d.Before(on(10, 26)) {
			asked = append(asked, q)
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
		require.Nil(t, Of(tariff, s, asked).Total, "not known")
		return EstimateOf(tariff, s, asked, f, unit, loc)
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
		asked = asked[1:]
		assert.Nil(t, estimate(t, meter.Span{From: on(10, 26), Until: on(11, 20)}, meter.Daily), "a day before the month is missing")
		tariff.Prices = tariff.Prices[:1]
		assert.Nil(t, estimate(t, meter.Span{From: month.From, Until: on(11, 20)}, meter.Daily), "without a standing charge")
	})
}
