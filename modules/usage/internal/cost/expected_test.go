package cost

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/forecast"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

func TestExpectedCost(t *testing.T) {
	cents := func(n value.Cents) *value.Cents { return &n }
	sum := ExpectedCost{SoFar: cents(1), Expected: 10, Low: 8, High: 12, LastYear: cents(9)}
	sum.Add(ExpectedCost{SoFar: cents(2), Expected: 20, Low: 19, High: 25, LastYear: cents(18)})
	assert.Equal(t, ExpectedCost{SoFar: cents(3), Expected: 30, Low: 27, High: 37, LastYear: cents(27)}, sum)
	sum.Add(ExpectedCost{Expected: 1, Low: 1, High: 1, Estimated: true, LastYear: cents(3)})
	assert.Equal(t, ExpectedCost{Expected: 31, Low: 28, High: 38, Estimated: true, LastYear: cents(30)}, sum,
		"the cost of one connection is not known")
	sum.Add(ExpectedCost{SoFar: cents(2)})
	assert.Nil(t, sum.LastYear, "9-hero-last-year: that of one connection is not known")
	sum.Add(ExpectedCost{SoFar: cents(2)})
	assert.Equal(t, []any{(*value.Cents)(nil), true}, []any{sum.SoFar, sum.Estimated}, "stays so")

	from := day("2026-05-01")
	month := meter.Span{From: from, Until: from.AddDays(1)}
	of := func(use float64) []meter.Quantity {
		return []meter.Quantity{{From: from, Until: month.Until, Amounts: meter.Amounts{Normal: kwh(use)}}}
	}
	tariff := Tariff{Commodity: meter.Electricity, Prices: powerPrices(from)}
	got, unknown := Expect(tariff, month, forecast.Forecast{Mean: of(10), Low: of(8), High: of(12)})
	assert.Equal(t, &ExpectedCost{Expected: 300, Low: 240, High: 360}, got)
	assert.Empty(t, unknown)
	got, unknown = Expect(Tariff{Commodity: meter.Electricity}, month, forecast.Forecast{Mean: of(10), Low: of(8), High: of(12)})
	assert.Nil(t, got)
	require.NotEmpty(t, unknown)
	assert.Equal(t, unknownPrice, unknown[0].Reason)
}

func TestCanEstimate(t *testing.T) {
	month := meter.Span{From: day("2026-05-01"), Until: day("2026-06-01")}
	unknown := func(reason, from, to string) Cost {
		return Cost{Unknown: []Unknown{{Reason: unknownMeasurement, From: month.From, To: day("2026-05-02")},
			{Reason: reason, From: day(from), To: day(to)}}}
	}
	total := value.Cents(1)
	assert.False(t, Cost{Total: &total}.CanEstimate(month), "known")
	assert.True(t, unknown(unknownMeasurement, "2026-05-10", "2026-06-01").CanEstimate(month))
	assert.False(t, unknown(unknownMeasurement, "2026-04-30", "2026-05-02").CanEstimate(month), "a day before the month")
	assert.False(t, unknown(unknownMeasurement, "2026-05-30", "2026-06-02").CanEstimate(month), "a day after it")
	assert.False(t, unknown(unknownPrice, "2026-05-10", "2026-05-11").CanEstimate(month), "another reason")
}
