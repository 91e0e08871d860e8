package cost

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/household"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
	"github.com/wattle-portal/wattle/modules/usage/internal/series"
)

// powerPrices returns electricity prices with net metering: 0.30 for usage, 0.10 for feed-in.
func powerPrices(from value.Day) []Price {
	yes := true
	return []Price{{Kind: priceSingle, Unit: "kWh", Amount: 30000, IncludesVAT: &yes, From: from},
		{Kind: priceFeedin, Unit: "kWh", Amount: 10000, IncludesVAT: &yes, From: from},
		{Kind: priceStanding, Unit: "day", Amount: 0, IncludesVAT: &yes, From: from}}
}

// texts returns the amounts of bars as strings; "-" means unknown.
func (b Bars) texts() (out []string) {
	for _, bar := range b {
		if bar.Amount == nil {
			out = append(out, "-")
		} else {
			out = append(out, bar.Amount.String())
		}
	}
	return out
}

func TestCostBars(t *testing.T) {
	loc := metertest.Amsterdam(t)
	from := day("2026-05-30") // a Saturday
	tariff := Tariff{Commodity: meter.Electricity, Prices: powerPrices(from), NetMeteringUntil: day("2026-12-31")}
	one := func(n int, use, fed float64) meter.Quantity {
		return meter.Quantity{From: from.AddDays(n), Until: from.AddDays(n + 1), Amounts: meter.Amounts{Normal: kwh(use), FeedinNormal: kwh(fed)}}
	}
	t.Run("9-usage-euro-bars", func(t *testing.T) {
		days := meter.Span{From: from, Until: from.AddDays(4)}
		cost, bars := BarsOf(tariff, days, []meter.Quantity{one(0, 4, 0), one(1, 0, 6), one(2, 0, 4), one(3, 2, 0)}, meter.Daily, nil, loc)
		require.NotNil(t, cost.Total, "%+v", cost)
		assert.Equal(t, "-0.40", cost.Total.String())
		assert.Equal(t, []string{"1.20", "-1.32", "-0.88", "0.60"}, bars.texts(), "feed-in at its mean: 6 of 10 kWh at 0.30, 4 at 0.10")
		_, bars = BarsOf(tariff, days, []meter.Quantity{one(0, 4, 0), one(1, 0, 6), one(2, 0, 4), one(3, 2, 0)}, meter.Weekly, nil, loc)
		assert.Equal(t, []string{"-0.12", "-0.28"}, bars.texts())
		assert.Equal(t, []value.Day{day("2026-05-25"), day("2026-06-01")}, []value.Day{bars[0].Day, bars[1].Day},
			"weeks begin before the days asked for")

		cost, bars = BarsOf(tariff, days, []meter.Quantity{one(0, 4, 0), one(1, 0, 1), one(3, 2, 0)}, meter.Daily, nil, loc)
		assert.Nil(t, cost.Total)
		assert.Equal(t, []string{"1.20", "-0.30", "-", "0.60"}, bars.texts(), "a day was not measured")
		_, bars = BarsOf(tariff, days, []meter.Quantity{one(0, 4, 0), one(1, 0, 1), one(3, 2, 0)}, meter.Monthly, nil, loc)
		assert.Equal(t, []string{"0.90", "-"}, bars.texts(), "a month with that day")
		other := tariff
		other.Prices = slices.Clone(tariff.Prices)
		other.Prices[0].From = from.AddDays(1)
		_, bars = BarsOf(other, days, []meter.Quantity{one(0, 4, 0), one(1, 3, 0), one(2, 1, 0), one(3, 2, 0)}, meter.Daily, nil, loc)
		assert.Equal(t, []string{"-", "0.90", "0.30", "0.60"}, bars.texts(), "a day without a price")

		long := meter.Quantity{From: from, Until: from.AddDays(2), Amounts: meter.Amounts{Normal: kwh(5)}}
		cost, bars = BarsOf(tariff, days, []meter.Quantity{long, one(2, 1, 0), one(3, 2, 0)}, meter.Daily, nil, loc)
		assert.Equal(t, "2.40", cost.Total.String())
		assert.Equal(t, []string{"-", "-", "0.30", "0.60"}, bars.texts(), "two days between meter readings")
		_, bars = BarsOf(tariff, days, []meter.Quantity{long, one(2, 1, 0), one(3, 2, 0)}, meter.Monthly, nil, loc)
		assert.Equal(t, []string{"1.50", "0.90"}, bars.texts())
		text, err := json.Marshal(bars)
		require.NoError(t, err)
		assert.Equal(t, `[{"start":"2026-05-01T00:00:00+02:00","day":"2026-05-01","amount":1.50},{"start":"2026-06-01T00:00:00+02:00","day":"2026-06-01","amount":0.90}]`, string(text))
	})
	t.Run("9-usage-euro-bars", func(t *testing.T) { // hours, on a day of 25 hours
		days := meter.Span{From: day("2026-10-25"), Until: day("2026-10-27")}
		s := series.New(meter.Connection{Commodity: meter.Electricity}, meter.Hourly, days, loc)
		p := interval.NewProfile(interval.HourSeconds, 25)
		p.Set(interval.Normal, 2, 1000)
		p.Set(interval.Normal, 3, 2000)
		s.FillFromProfiles(map[value.Day]interval.Profile{days.From: p}, loc)
		cost, bars := BarsOf(Tariff{Commodity: meter.Electricity, Prices: powerPrices(days.From)}, days, []meter.Quantity{
			{From: days.From, Until: days.From.AddDays(1), Amounts: meter.Amounts{Normal: kwh(3)}},
			{From: days.From.AddDays(1), Until: days.Until, Amounts: meter.Amounts{Normal: kwh(3)}}}, meter.Hourly, s.Points, loc)
		assert.Equal(t, "1.80", cost.Total.String())
		require.Len(t, bars, 49)
		assert.Equal(t, []string{"0.00", "0.00", "0.30", "0.60", "0.00"}, bars.texts()[:5])
		assert.NotContains(t, bars.texts()[:25], "-")
		assert.Equal(t, slices.Repeat([]string{"-"}, 24), bars.texts()[25:], "measured as a day: the cost of its hours is not known")
		text, err := json.Marshal(bars[2:3])
		require.NoError(t, err)
		assert.Equal(t, `[{"start":"2026-10-25T02:00:00+02:00","amount":0.30}]`, string(text))
	})
}

// For any measurements and prices, the bars add up to the total, which is the same as without bars, and each bar is within a few cents of
// its exact amount.
func TestCostBarsAddUp(t *testing.T) {
	loc := metertest.Amsterdam(t)
	t.Run("9-usage-euro-bars", func(t *testing.T) {
		known, partly := 0, 0
		rapid.Check(t, func(t *rapid.T) {
			start := day("2026-11-01").AddDays(rapid.IntRange(0, 60).Draw(t, "start"))
			days := meter.Span{From: start, Until: start.AddDays(rapid.IntRange(1, 60).Draw(t, "days"))}
			tariff := Tariff{Commodity: meter.Electricity, VATPercent: 21, NetMeteringUntil: day("2026-12-31")}
			no := false
			for _, kind := range priceKinds {
				unit := "kWh"
				if kind.isTimed() {
					unit = rapid.SampledFrom(timeUnits).Draw(t, "unit")
				}
				change := days.From.AddDays(rapid.IntRange(0, 60).Draw(t, "change"))
				amount := func() value.Price { return value.Price(rapid.Int64Range(-5000000, 5000000).Draw(t, "price")) }
				tariff.Prices = append(tariff.Prices, Price{kind, unit, amount(), &no, days.From, change},
					Price{Kind: kind, Unit: unit, Amount: amount(), IncludesVAT: &no, From: change})
			}
			var quantities []meter.Quantity
			amount := func(name string) *meter.Amount {
				a := meter.Amount(rapid.Int64Range(0, 40000).Draw(t, name))
				return &a
			}
			missing := map[value.Day]bool{}
			for d := days.From; d.Before(days.Until); d = d.AddDays(1) {
				if rapid.IntRange(0, 200).Draw(t, "missing") == 0 {
					missing[d] = true
					continue
				}
				quantities = append(quantities,
					meter.Quantity{From: d, Until: d.AddDays(1),
						Amounts: meter.Amounts{Normal: amount("normal"), Low: amount("low"), FeedinNormal: amount("feed-in"),
							FeedinLow: amount("feed-in low")}})
			}
			unit := rapid.SampledFrom([]meter.Period{meter.Daily, meter.Weekly, meter.Monthly, meter.Yearly}).Draw(t, "bars")
			cost, bars := BarsOf(tariff, days, quantities, unit, nil, loc)
			if plain := Of(tariff, days, quantities); (plain.Total == nil) != (cost.Total == nil) || plain.Total != nil &&
				*plain.Total != *cost.Total {
				t.Fatalf("%+v is not %+v", cost, plain)
			}
			sum := value.Cents(0)
			for i, bar := range bars {
				gap := false
				for d := range missing {
					gap = gap || unit.Begin(d) == bar.Day
				}
				if gap != (bar.Amount == nil) {
					t.Fatalf("bar %d of %v: %v, without %v", i, bars.texts(), bar, missing)
				}
				if bar.Amount != nil {
					sum += *bar.Amount
				}
			}
			if cost.Total == nil {
				partly++
			} else if known++; sum != *cost.Total {
				t.Fatalf("%v add up to %s of %s", bars.texts(), sum, *cost.Total)
			}
		})
		assert.NotZero(t, known)
		assert.NotZero(t, partly)
	})
}

func TestDivide(t *testing.T) {
	assert.Equal(t, []int64{33, 34, 33}, divide(100, []int64{1, 1, 1}))
	assert.Equal(t, []int64{-33, -34, -33}, divide(-100, []int64{1, 1, 1}))
	assert.Equal(t, []int64{4, 3}, divide(7, []int64{1, 1}), "a half is rounded away from zero")
	assert.Equal(t, []int64{-4, -3}, divide(-7, []int64{1, 1}))
	assert.Equal(t, []int64{0, 7, 0}, divide(7, []int64{0, 5, 0}))
	assert.Equal(t, []int64{0, 0}, divide(7, []int64{0, 0}))
	assert.Equal(t, []int64{maxCents / 2, maxCents / 2}, divide(maxCents, []int64{meter.MaxAmount, meter.MaxAmount}))
}

// BenchmarkCostOfYear measures the cost of a year of hours with panels, divided over its hours, as JSON (budget: 50 ms).
func BenchmarkCostOfYear(b *testing.B) {
	loc, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		b.Fatal(err)
	}
	days := meter.Span{From: day("2025-11-01"), Until: day("2026-11-01")}
	yes := true
	tariff := Tariff{Commodity: meter.Electricity, VATPercent: 21, NetMeteringUntil: day("2026-12-31")}
	for _, kind := range priceKinds {
		unit := "kWh"
		if kind.isTimed() {
			unit = "month"
		}
		tariff.Prices = append(tariff.Prices, Price{kind, unit, 24321, &yes, days.From, day("2026-05-01")},
			Price{Kind: kind, Unit: unit, Amount: 23456, IncludesVAT: &yes, From: day("2026-05-01")})
	}
	h := household.Household{EAN: "871600000000000031", Commodity: "ELECTRICITY", Yearly: 3400, Solar: 4.2}.In(loc)
	profiles := map[value.Day]interval.Profile{}
	var quantities []meter.Quantity
	for d := days.From; d.Before(days.Until); d = d.AddDays(1) {
		used := h.Day(d)
		p := interval.NewProfile(interval.HourSeconds, len(used.Normal))
		for i := range used.Normal {
			p.Set(interval.Normal, i, meter.Amount(used.Normal[i]))
			p.Set(interval.Low, i, meter.Amount(used.Low[i]))
			p.Set(interval.FeedinNormal, i, meter.Amount(used.FeedInNormal[i]))
			p.Set(interval.FeedinLow, i, meter.Amount(used.FeedInLow[i]))
		}
		profiles[d] = p
		quantities = append(quantities, meter.Quantity{From: d, Until: d.AddDays(1), Amounts: p.Sum()})
	}
	b.ReportAllocs()
	for b.Loop() {
		s := series.New(meter.Connection{Commodity: meter.Electricity}, meter.Hourly, days, loc)
		s.FillFromProfiles(profiles, loc)
		cost, bars := BarsOf(tariff, days, quantities, meter.Hourly, s.Points, loc)
		if cost.Total == nil || len(bars) != 8760 {
			b.Fatal(cost.Unknown, len(bars))
		}
		if _, err := json.Marshal(struct {
			Cost
			Bars Bars `json:"bars"`
		}{cost, bars}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms-year-euro(budget<50)")
}
