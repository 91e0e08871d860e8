package cost

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
	"github.com/wattle-portal/wattle/modules/usage/internal/series"
)

// priced returns a price that includes VAT; until is empty if no end is known.
func priced(kind PriceKind, unit, euros, from, until string) Price {
	amount, err := value.ParsePrice(euros)
	if err != nil {
		panic(err)
	}
	yes, p := true, Price{Kind: kind, Unit: unit, Amount: amount, From: day(from)}
	if p.IncludesVAT = &yes; until != "" {
		p.Until = day(until)
	}
	return p
}

// daily returns the quantities of successive days.
func daily(from value.Day, days ...meter.Amounts) (out []meter.Quantity) {
	for i, a := range days {
		out = append(out, meter.Quantity{From: from.AddDays(i), Until: from.AddDays(i + 1), Amounts: a})
	}
	return out
}

// sum adds up the bars with a known amount.
func (b Bars) sum() (sum value.Cents) {
	for _, bar := range b {
		if bar.Amount != nil {
			sum += *bar.Amount
		}
	}
	return sum
}

// A charge by time is divided equally over the days of a month or year, and over the hours of a day.
func TestBarsOfCharges(t *testing.T) {
	loc := metertest.Amsterdam(t)
	t.Run("9-usage-euro-bars", func(t *testing.T) {
		for _, c := range []struct {
			name, from, until string
			unit              meter.Period
			prices            []Price
			want              []string
		}{
			{"28 parts of February, 31 of January", "2027-01-31", "2027-02-02", meter.Daily,
				[]Price{priced(priceStanding, "month", "868", "2020-01-01", "")}, []string{"28.00", "31.00"}},
			{"29 parts of February in a leap year, 30 of April", "2028-02-29", "2028-03-01", meter.Daily,
				[]Price{priced(priceStanding, "month", "58", "2020-01-01", "")}, []string{"2.00"}},
			{"365 parts of 2027, 366 of 2028", "2027-12-31", "2028-01-02", meter.Daily,
				[]Price{priced(priceStanding, "year", "133590", "2020-01-01", "")}, []string{"366.00", "365.00"}},
			{"days by week", "2026-06-05", "2026-06-09", meter.Weekly,
				[]Price{priced(priceStanding, "day", "1.50", "2020-01-01", "")}, []string{"4.50", "1.50"}},
			{"a charge that changes", "2026-06-01", "2026-06-05", meter.Daily, []Price{priced(priceStanding, "day", "1", "2020-01-01", "2026-06-03"),
				priced(priceStanding, "day", "2", "2026-06-03", "")}, []string{"1.00", "1.00", "2.00", "2.00"}},
			{"charges that add up", "2026-06-01", "2026-06-03", meter.Daily, []Price{priced(priceStanding, "day", "1", "2020-01-01", ""),
				priced(priceGrid, "month", "60", "2020-01-01", ""), priced(priceTaxReduction, "day", "-0.25", "2020-01-01", "")},
				[]string{"2.75", "2.75"}},
			{"24 hours", "2026-06-01", "2026-06-02", meter.Hourly,
				[]Price{priced(priceStanding, "day", "138", "2020-01-01", "")}, slices.Repeat([]string{"5.75"}, 24)},
			{"25 hours, then 24", "2026-10-25", "2026-10-27", meter.Hourly, []Price{priced(priceStanding, "day", "138", "2020-01-01", "")},
				slices.Concat(slices.Repeat([]string{"5.52"}, 25), slices.Repeat([]string{"5.75"}, 24))},
			{"23 hours", "2027-03-28", "2027-03-29", meter.Hourly,
				[]Price{priced(priceStanding, "day", "138", "2020-01-01", "")}, slices.Repeat([]string{"6.00"}, 23)},
		} {
			days := meter.Span{From: day(c.from), Until: day(c.until)}
			quantities := daily(days.From, slices.Repeat([]meter.Amounts{{Normal: kwh(0)}}, days.Days())...)
			cost, bars := BarsOf(Tariff{Commodity: meter.Electricity, Prices: c.prices}, days, quantities, c.unit, nil, loc)
			require.NotNil(t, cost.Total, "%s: %v", c.name, cost.Unknown)
			assert.Equal(t, c.want, bars.texts(), c.name)
			assert.Equal(t, *cost.Total, bars.sum(), c.name)
		}
	})
}

// measuredHours returns the hours of a span with the given measurements by day, register and hour.
func measuredHours(t *testing.T, c meter.Commodity, days meter.Span, kWh map[string]map[int]map[int]meter.Amount) series.Points {
	t.Helper()
	loc := metertest.Amsterdam(t)
	profiles := map[value.Day]interval.Profile{}
	for d, registers := range kWh {
		p := interval.NewProfile(interval.HourSeconds, interval.SlotCount(day(d), interval.HourSeconds, loc))
		for register, hours := range registers {
			for slot, n := range hours {
				p.Set(register, slot, n*1000)
			}
		}
		profiles[day(d)] = p
	}
	s := series.New(meter.Connection{Commodity: c}, meter.Hourly, days, loc)
	s.FillFromProfiles(profiles, loc)
	return s.Points
}

// hourly returns the texts of the hours with a cost, by number of the hour.
func (b Bars) hourly() map[int]string {
	out := map[int]string{}
	for i, text := range b.texts() {
		if text != "0.00" {
			out[i] = text
		}
	}
	return out
}

// The cost of each register is assigned to the hours with usage or feed-in on that register.
func TestBarsOfHours(t *testing.T) {
	loc := metertest.Amsterdam(t)
	prices := []Price{priced(priceNormal, "kWh", "0.30", "2020-01-01", ""), priced(priceLow, "kWh", "0.20", "2020-01-01", ""),
		priced(priceFeedin, "kWh", "0.10", "2020-01-01", ""), priced(priceFeedinCost, "kWh", "0.05", "2020-01-01", ""),
		priced(priceStanding, "day", "0", "2020-01-01", "")}
	tariff := Tariff{Commodity: meter.Electricity, Prices: prices} // without net metering
	one := meter.Span{From: day("2026-06-01"), Until: day("2026-06-02")}
	two := meter.Span{From: one.From, Until: day("2026-06-03")}
	type registers = map[int]map[int]meter.Amount
	t.Run("9-usage-euro-bars", func(t *testing.T) {
		hours := measuredHours(t, meter.Electricity, one, map[string]registers{"2026-06-01": {interval.Low: {2: 1},
			interval.FeedinLow: {3: 2}, interval.Normal: {12: 3}, interval.FeedinNormal: {13: 4}}})
		cost, bars := BarsOf(tariff, one, daily(one.From, meter.Amounts{Normal: kwh(3), Low: kwh(1), FeedinNormal: kwh(4), FeedinLow: kwh(2)}),
			meter.Hourly, hours, loc)
		assert.Equal(t, "0.80", cost.Total.String())
		assert.Equal(t, map[int]string{2: "0.20", 3: "-0.10", 12: "0.90", 13: "-0.20"}, bars.hourly())

		gas := Tariff{Commodity: meter.Gas, Prices: []Price{priced(priceSingle, "m3", "1.20", "2020-01-01", ""), prices[4]}}
		hours = measuredHours(t, meter.Gas, one, map[string]registers{"2026-06-01": {interval.Gas: {5: 2, 6: 1}}})
		cost, bars = BarsOf(gas, one, daily(one.From, meter.Amounts{Consumption: kwh(3)}), meter.Hourly, hours, loc)
		assert.Equal(t, "3.60", cost.Total.String())
		assert.Equal(t, map[int]string{5: "2.40", 6: "1.20"}, bars.hourly())
	})
	t.Run("9-usage-euro-bars", func(t *testing.T) {
		days := daily(one.From, meter.Amounts{Normal: kwh(3)}, meter.Amounts{Normal: kwh(0), FeedinNormal: kwh(4)})
		hours := measuredHours(t, meter.Electricity, two, map[string]registers{"2026-06-01": {interval.Normal: {12: 3}},
			"2026-06-02": {interval.FeedinNormal: {13: 4}}})
		cost, bars := BarsOf(tariff, two, days, meter.Hourly, hours, loc)
		assert.Equal(t, "0.70", cost.Total.String())
		assert.Equal(t, map[int]string{12: "0.90", 37: "-0.20"}, bars.hourly(), "a day that only feeds in, with all its hours")

		whole := []meter.Quantity{{From: two.From, Until: two.Until, Amounts: meter.Amounts{Normal: kwh(5)}}}
		cost, bars = BarsOf(tariff, two, whole, meter.Hourly, hours, loc)
		assert.Equal(t, "1.50", cost.Total.String())
		assert.Equal(t, slices.Repeat([]string{"-"}, 48), bars.texts(), "between two readings, also in the hours that were measured")

		cost, bars = BarsOf(tariff, two, days, meter.Hourly, hours[:24], loc)
		assert.Equal(t, "0.70", cost.Total.String())
		assert.Equal(t, "0.90", bars.texts()[12])
		assert.Equal(t, slices.Repeat([]string{"-"}, 24), bars.texts()[24:], "a day without hours")
	})
}

// A day with an unknown cost removes only the amount of its own period: the charges by time and the usage of the other days stay in theirs.
func TestBarsWithoutADay(t *testing.T) {
	loc := metertest.Amsterdam(t)
	from := day("2026-06-01")
	days := meter.Span{From: from, Until: from.AddDays(6)}
	prices := []Price{priced(priceSingle, "kWh", "0.30", "2020-01-01", ""), priced(priceStanding, "day", "0.10", "2020-01-01", "2026-06-03"),
		priced(priceStanding, "day", "0.20", "2026-06-03", "")}
	t.Run("9-usage-euro-bars", func(t *testing.T) {
		for _, c := range []struct {
			missing []int
			want    []string
		}{
			{[]int{0}, []string{"-", "0.40", "0.50", "0.50", "0.50", "0.50"}},
			{[]int{3}, []string{"0.40", "0.40", "0.50", "-", "0.50", "0.50"}},
			{[]int{5}, []string{"0.40", "0.40", "0.50", "0.50", "0.50", "-"}},
			{[]int{1, 2}, []string{"0.40", "-", "-", "0.50", "0.50", "0.50"}},
			{[]int{0, 2, 4}, []string{"-", "0.40", "-", "0.50", "-", "0.50"}},
		} {
			var quantities []meter.Quantity
			for i, q := range daily(from, slices.Repeat([]meter.Amounts{{Normal: kwh(1)}}, 6)...) {
				if !slices.Contains(c.missing, i) {
					quantities = append(quantities, q)
				}
			}
			cost, bars := BarsOf(Tariff{Commodity: meter.Electricity, Prices: prices}, days, quantities, meter.Daily, nil, loc)
			assert.Nil(t, cost.Total)
			assert.Equal(t, c.want, bars.texts(), "without the days %v", c.missing)
		}
	})
}

// Here, feed-in that exceeds all usage has no price. Skipping a day for this reason leaves excess feed-in on the day before, until no such
// day is left, or until the maximum number of passes is reached and everything is unknown.
func TestBarsLeaveOutDays(t *testing.T) {
	loc := metertest.Amsterdam(t)
	from := day("2026-06-01")
	bars := func(n int) []string {
		tariff := Tariff{Commodity: meter.Electricity, NetMeteringUntil: from.AddDays(n - 1),
			Prices: []Price{priced(priceLow, "kWh", "0.20", "2020-01-01", ""), priced(priceStanding, "day", "0.01", "2020-01-01", "")}}
		var amounts []meter.Amounts
		for i := range n + 1 { // each day has its own price
			p := priced(priceNormal, "kWh", "0.30", from.AddDays(i).String(), from.AddDays(i+1).String())
			p.Amount += value.Price(i)
			tariff.Prices = append(tariff.Prices, p)
			amounts = append(amounts, meter.Amounts{Normal: kwh(1), Low: kwh(1), FeedinNormal: kwh(2)})
		}
		amounts[0].FeedinNormal = kwh(3)
		amounts[n] = meter.Amounts{Normal: kwh(1)}
		cost, bars := BarsOf(tariff, meter.Span{From: from, Until: from.AddDays(n + 1)}, daily(from, amounts...), meter.Daily, nil, loc)
		assert.Nil(t, cost.Total)
		last := from.AddDays(n - 1)
		assert.Equal(t, []Unknown{{unknownPrice, priceFeedin, last, last.AddDays(1)}}, cost.Unknown)
		return bars.texts()
	}
	t.Run("9-usage-euro-bars", func(t *testing.T) {
		assert.Equal(t, append(slices.Repeat([]string{"-"}, 3), "0.31"), bars(3))
		assert.Equal(t, append(slices.Repeat([]string{"-"}, maxPasses), "0.31"), bars(maxPasses))
		assert.Equal(t, slices.Repeat([]string{"-"}, maxPasses+2), bars(maxPasses+1))
	})
}
