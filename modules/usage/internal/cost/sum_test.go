package cost

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
	"github.com/wattle-portal/wattle/modules/usage/internal/series"
)

// exactCost returns the sum of the unrounded rows of a cost, in cents; ok is false if the cost is unknown.
func exactCost(t Tariff, days meter.Span, quantities []meter.Quantity) (sum *big.Rat, ok bool) {
	c := calculate(t, days, quantities, nil)
	sum = new(big.Rat)
	for key, row := range c.rows {
		price := big.NewRat(int64(c.Prices[key.price].Amount), 1000)
		if !*c.Prices[key.price].IncludesVAT {
			price.Mul(price, big.NewRat(int64(100+c.VATPercent), 100))
		}
		sum.Add(sum, price.Mul(price, row.quantity))
	}
	return sum, len(c.unknown) == 0
}

// anyPrices generates prices of each kind that begin, change and end on random days, mostly at the start of a measured quantity. Sometimes
// a kind has no price, and kinds that are added up sometimes have two.
func anyPrices(t *rapid.T, days meter.Span, quantities []meter.Quantity) (out []Price) {
	vat := rapid.Bool().Draw(t, "vat")
	change := func() value.Day {
		if rapid.IntRange(0, 30).Draw(t, "any day") == 17 {
			return days.From.AddDays(rapid.IntRange(0, days.Days()).Draw(t, "change"))
		}
		return rapid.SampledFrom(quantities).Draw(t, "change").From
	}
	for _, kind := range priceKinds {
		unit := "kWh"
		if kind.isTimed() {
			unit = rapid.SampledFrom(timeUnits).Draw(t, "unit")
		}
		add := func(from, until value.Day) {
			amount := value.Price(rapid.Int64Range(-500000, 500000).Draw(t, "price"))
			out = append(out, Price{kind, unit, amount, &vat, from, until})
		}
		before := days.From.AddDays(-9)
		// Rapid prefers small numbers, so numbers in the middle stand for rare cases.
		choice := rapid.IntRange(0, 30).Draw(t, "prices of "+string(kind))
		if kind == priceFeedinCost {
			choice = 19 - choice%7
		}
		switch {
		case choice == 19: // none
		case choice == 18: // a price that ends
			add(before, change())
		case choice == 17: // a price that begins
			add(change(), value.Day{})
		case choice%2 == 1: // one price after another
			d := change()
			add(before, d)
			add(d, value.Day{})
		default:
			add(before, value.Day{})
		}
		if !kind.isExclusive() && rapid.IntRange(0, 2).Draw(t, "another") == 0 {
			add(change(), days.Until.AddDays(-rapid.IntRange(0, 1).Draw(t, "until")))
		}
	}
	return out
}

// anyQuantities generates quantities of days, and of spans between meter readings that are some days apart. profiles contains the
// measurements of each hour. fed determines how feed-in compares to usage: if it is "at most" or "at least" the usage on all days, the
// feed-in of one day is never subtracted from the usage of another.
func anyQuantities(t *rapid.T, days meter.Span, loc *time.Location, fed string) (out []meter.Quantity,
	profiles map[value.Day]interval.Profile) {
	profiles = map[value.Day]interval.Profile{}
	for d := days.From; d.Before(days.Until); {
		slots := interval.SlotCount(d, interval.HourSeconds, loc)
		p := interval.NewProfile(interval.HourSeconds, slots)
		for _, register := range []int{interval.Normal, interval.Low} {
			feedin := map[int]int{interval.Normal: interval.FeedinNormal, interval.Low: interval.FeedinLow}[register]
			use := meter.Amount(rapid.SampledFrom([]int64{0, 0, 1, 250, 3000, 40001}).Draw(t, "use"))
			back := meter.Amount(rapid.SampledFrom([]int64{0, 0, 1, 250, 3000, 40001}).Draw(t, "feed-in"))
			switch {
			case fed == "at most" && back > use || fed == "at least" && back < use:
				use, back = back, use
			}
			for slot, n := range divide(int64(use), slices.Repeat([]int64{1}, slots)) {
				p.Set(register, slot, meter.Amount(n))
			}
			for slot, n := range divide(int64(back), slices.Repeat([]int64{1}, slots)) {
				p.Set(feedin, slot, meter.Amount(n))
			}
		}
		q := meter.Quantity{From: d, Until: d.AddDays(1), Amounts: p.Sum()}
		if rapid.IntRange(0, 9).Draw(t, "readings") == 7 {
			q.Until = d.AddDays(rapid.IntRange(1, 4).Draw(t, "apart"))
			if days.Until.Before(q.Until) {
				q.Until = days.Until
			}
		}
		if q.Until == d.AddDays(1) {
			profiles[d] = p
		}
		out = append(out, q)
		d = q.Until
	}
	return out, profiles
}

// The cost of a period is the sum of the costs of its days: each price counts once on each of its own days, and on no other day.
func TestCostIsSumOfDays(t *testing.T) {
	loc := metertest.Amsterdam(t)
	begins := []value.Day{day("2026-03-28"), day("2026-10-24"), day("2026-12-30")} // around both clock changes and the end of a year
	t.Run("9-cost-adds-up", func(t *testing.T) {
		known := map[string]int{}
		rapid.Check(t, func(t *rapid.T) {
			start := rapid.SampledFrom(begins).Draw(t, "around").AddDays(-rapid.IntRange(0, 8).Draw(t, "start"))
			days := meter.Span{From: start, Until: start.AddDays(rapid.IntRange(2, 20).Draw(t, "days"))}
			fed := rapid.SampledFrom([]string{"at most", "at least", "ended"}).Draw(t, "fed in")
			quantities, profiles := anyQuantities(t, days, loc, fed)
			tariff := Tariff{Commodity: meter.Electricity, VATPercent: 21, Prices: anyPrices(t, days, quantities)}
			if fed != "ended" {
				tariff.NetMeteringUntil = days.From.AddDays(rapid.IntRange(-2, 22).Draw(t, "net metering"))
			}
			sum, ok := new(big.Rat), true
			for i, q := range quantities {
				one, known := exactCost(tariff, q.Span(), quantities[i:i+1])
				ok = ok && known
				sum.Add(sum, one)
			}
			whole, wholeOK := exactCost(tariff, days, quantities)
			if ok != wholeOK {
				t.Fatalf("known: %v; known for each day: %v", wholeOK, ok)
			}
			if !ok {
				return
			}
			known[fed]++
			if whole.Cmp(sum) != 0 {
				t.Fatalf("%s cents, the days %s", whole.FloatString(3), sum.FloatString(3))
			}
			cost := Of(tariff, days, quantities)
			if cost.Total == nil {
				t.Fatalf("%+v", cost)
			}
			off := new(big.Rat).Sub(whole, big.NewRat(int64(*cost.Total), 1))
			if off.Abs(off).Cmp(big.NewRat(int64(len(cost.Rows)), 2)) > 0 {
				t.Fatalf("%s is not %s cents, rounded in %d rows", cost.Total, whole.FloatString(3), len(cost.Rows))
			}
			s := series.New(meter.Connection{Commodity: meter.Electricity}, meter.Hourly, days, loc)
			s.FillFromProfiles(profiles, loc)
			for _, unit := range []meter.Period{meter.Hourly, meter.Daily} {
				barred, bars := BarsOf(tariff, days, quantities, unit, s.Points, loc)
				total := value.Cents(0)
				for _, bar := range bars {
					if bar.Amount == nil {
						return // several days between meter readings
					}
					total += *bar.Amount
				}
				if *barred.Total != *cost.Total || total != *cost.Total {
					t.Fatalf("%s, with bars by %s %s, which add up to %s", cost.Total, unit, barred.Total, total)
				}
			}
		})
		for _, fed := range []string{"at most", "at least", "ended"} {
			assert.NotZero(t, known[fed], fed)
		}
	})
}

// Splitting a price for feed-in costs into two with the same amount does not change the cost, however much was fed in.
func TestCostOfSplitPrice(t *testing.T) {
	loc := metertest.Amsterdam(t)
	t.Run("9-cost-net-metering", func(t *testing.T) {
		known := 0
		rapid.Check(t, func(t *rapid.T) {
			start := day("2026-12-20").AddDays(rapid.IntRange(-9, 9).Draw(t, "start"))
			days := meter.Span{From: start, Until: start.AddDays(rapid.IntRange(2, 30).Draw(t, "days"))}
			quantities, _ := anyQuantities(t, days, loc, "any")
			tariff := Tariff{Commodity: meter.Electricity, VATPercent: 21, Prices: anyPrices(t, days, quantities),
				NetMeteringUntil: day("2026-12-31")}
			whole, ok := exactCost(tariff, days, quantities)
			if !ok {
				return
			}
			change := rapid.SampledFrom(quantities).Draw(t, "split").From
			split := tariff
			split.Prices = nil
			for _, p := range tariff.Prices {
				if after := p; p.Kind == priceFeedinCost && p.From.Before(change) && (p.Until.IsZero() || change.Before(p.Until)) {
					p.Until, after.From = change, change
					split.Prices = append(split.Prices, after)
					known++
				}
				split.Prices = append(split.Prices, p)
			}
			if got, ok := exactCost(split, days, quantities); !ok || got.Cmp(whole) != 0 {
				t.Fatalf("%s cents, split %s", whole.FloatString(3), got.FloatString(3))
			}
		})
		assert.NotZero(t, known)
	})
}
