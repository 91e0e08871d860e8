package cost

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Numbers that are too large make a cost unknown, never wrong. In each case, only the quantity, the price or the amount is too large.
func TestCostTooLarge(t *testing.T) {
	from := day("2026-06-01")
	days := meter.Span{From: from, Until: from.AddDays(1)}
	no := false
	for _, c := range []struct {
		name        string
		normal, low meter.Amount
		price       value.Price
		vat         int
		unknown     bool
	}{
		{"the largest amount", 1_000_000, 0, maxCents, 0, false},
		{"a cent more", 1_000_000, 0, maxCents + 1, 0, true},
		{"the largest amount that is paid to the customer", 1_000_000, 0, -maxCents, 0, false},
		{"a cent more to the customer", 1_000_000, 0, -maxCents - 1, 0, true},
		{"an amount of 2^64 cents", 4_000_000, 0, 1 << 62, 0, true},
		{"a quantity above 2^63", math.MaxInt64, math.MaxInt64, 0, 0, true},
		{"a price above 2^63 with VAT", 1, 0, math.MaxInt64, 100, true},
	} {
		tariff := Tariff{Commodity: meter.Electricity, VATPercent: c.vat, Prices: []Price{{priceSingle, "kWh", c.price, &no, from, value.Day{}},
			{priceStanding, "day", 0, &no, from, value.Day{}}}}
		got := Of(tariff, days, daily(from, meter.Amounts{Normal: &c.normal, Low: &c.low}))
		if c.unknown {
			assert.Nil(t, got.Total, c.name)
			assert.Empty(t, got.Rows, c.name)
			assert.Equal(t, []Unknown{{unknownAmount, priceSingle, from, days.Until}}, got.Unknown, c.name)
			continue
		}
		require.NotNil(t, got.Total, c.name)
		assert.Equal(t, value.Cents(c.price), *got.Total, c.name)
	}
}

// The order of rows does not depend on the order of prices: rows are sorted by kind, by first day, usage before the feed-in subtracted from
// it, and then by price.
func TestCostRowsAreSorted(t *testing.T) {
	from := day("2026-06-01")
	days := meter.Span{From: from, Until: from.AddDays(4)}
	prices := []Price{priced(priceGrid, "day", "0.20", "2020-01-01", ""), priced(priceGrid, "day", "0.10", "2020-01-01", ""),
		priced(priceGrid, "day", "0.30", "2026-06-03", ""), priced(priceStanding, "month", "30", "2020-01-01", ""),
		priced(priceSingle, "kWh", "0.40", "2026-06-03", ""), priced(priceSingle, "kWh", "0.30", "2020-01-01", "2026-06-03"),
		priced(priceEnergyTax, "kWh", "0.05", "2020-01-01", "")}
	want := []string{"single 2026-06-01..2026-06-03 4.000 kWh x 0.30 = 1.20", "single netted 2026-06-01..2026-06-03 -2.000 kWh x 0.30 = -0.60",
		"single 2026-06-03..2026-06-05 4.000 kWh x 0.40 = 1.60", "single netted 2026-06-03..2026-06-05 -2.000 kWh x 0.40 = -0.80",
		"energy_tax 2026-06-01..2026-06-05 8.000 kWh x 0.05 = 0.40", "energy_tax netted 2026-06-01..2026-06-05 -4.000 kWh x 0.05 = -0.20",
		"standing 2026-06-01..2026-06-05 0.133 month x 30.00 = 4.00", "grid 2026-06-01..2026-06-05 4.000 day x 0.10 = 0.40",
		"grid 2026-06-01..2026-06-05 4.000 day x 0.20 = 0.80", "grid 2026-06-03..2026-06-05 2.000 day x 0.30 = 0.60"}
	one := meter.Amounts{Normal: kwh(2), FeedinNormal: kwh(1)}
	t.Run("9-cost-rows", func(t *testing.T) {
		for n := range prices {
			tariff := Tariff{Commodity: meter.Electricity, NetMeteringUntil: days.Until, Prices: slices.Concat(prices[n:], prices[:n])}
			c := Of(tariff, days, daily(from, one, one, one, one))
			assert.Equal(t, costResult{Total: "7.40", Rows: want, Unknown: []string{}}, resultOf(c), "beginning with price %d", n)
		}
	})
}
