package cost

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

var day, kwh = metertest.Day, metertest.KWh

// costCase is a test case of the cost vectors. Each run of measured days has the amounts of an hour or of a day.
type costCase struct {
	Case      string
	Commodity meter.Commodity
	From, To  value.Day
	Prices    []struct {
		Kind        PriceKind
		Unit        string
		Amount      value.Price
		IncludesVAT *bool `json:"includes_vat"`
		From, To    value.Day
	}
	Measured []struct {
		From, To value.Day
		Hour     *metertest.Amounts
		Day      *metertest.Amounts
		Whole    *metertest.Amounts // usage between two meter readings
	}
	Missing []value.Day
}

type costSettings struct {
	NetMeteringUntil value.Day `json:"net_metering_until"`
	VATPercent       int       `json:"vat_percent"`
}

// costResult is what the vectors compare: readable rows, the total, and the reasons why it is unknown.
type costResult struct {
	Total   string   `json:"total"`
	Rows    []string `json:"rows"`
	Unknown []string `json:"unknown"`
}

func resultOf(c Cost) costResult {
	out := costResult{Rows: []string{}, Unknown: []string{}}
	if c.Total != nil {
		out.Total = c.Total.String()
	}
	for _, r := range c.Rows {
		kind := string(r.Kind)
		if r.Netted {
			kind += " netted"
		}
		out.Rows = append(out.Rows, fmt.Sprintf("%s %s..%s %s %s x %s = %s", kind, r.From, r.To, r.Quantity, r.Unit, r.Price, r.Amount))
	}
	for _, u := range c.Unknown {
		out.Unknown = append(out.Unknown, fmt.Sprintf("%s %s %s..%s", u.Reason, u.Kind, u.From, u.To))
	}
	return out
}

func (c costCase) cost(loc *time.Location, set costSettings) Cost {
	t := Tariff{Commodity: c.Commodity, NetMeteringUntil: set.NetMeteringUntil, VATPercent: set.VATPercent}
	for _, p := range c.Prices {
		t.Prices = append(t.Prices, Price{p.Kind, p.Unit, p.Amount, p.IncludesVAT, p.From, p.To})
	}
	var quantities []meter.Quantity
	for _, m := range c.Measured {
		if m.Whole != nil {
			quantities = append(quantities, meter.Quantity{From: m.From, Until: m.To, Amounts: m.Whole.Times(1)})
			continue
		}
		for d := m.From; d.Before(m.To); d = d.AddDays(1) {
			q := meter.Quantity{From: d, Until: d.AddDays(1)}
			if m.Hour != nil {
				q.Amounts = m.Hour.Times(meter.Amount(interval.SlotCount(d, interval.HourSeconds, loc)))
			} else {
				q.Amounts = m.Day.Times(1)
			}
			if !slices.Contains(c.Missing, d) {
				quantities = append(quantities, q)
			}
		}
	}
	return Of(t, meter.Span{From: c.From, Until: c.To}, quantities)
}

func TestCost(t *testing.T) {
	loc := metertest.Amsterdam(t)
	for _, row := range []string{"9-cost-rows", "9-cost-unknown", "9-cost-net-metering"} {
		t.Run(row, func(t *testing.T) {
			moduletest.RunCases(t, "../../../../schemas/rules/"+row+".json", func(input costCase, _ value.Day, set costSettings) costResult {
				return resultOf(input.cost(loc, set))
			})
		})
	}
}

// For any measurements and prices, the total is the sum of the rows, and the rows contain every kWh and m³ once.
func TestCostAddsUp(t *testing.T) {
	t.Run("9-cost-adds-up", func(t *testing.T) {
		known, netted := 0, 0
		rapid.Check(t, func(t *rapid.T) {
			start := value.Day{Year: 2026, Month: 11, Day: 1}.AddDays(rapid.IntRange(0, 60).Draw(t, "start"))
			days := meter.Span{From: start, Until: start.AddDays(rapid.IntRange(1, 60).Draw(t, "days"))}
			tariff := Tariff{Commodity: meter.Electricity, VATPercent: 21, NetMeteringUntil: value.Day{Year: 2026, Month: 12, Day: 31}}
			vat := rapid.Bool().Draw(t, "vat")
			for _, kind := range priceKinds {
				unit := "kWh"
				if kind.isTimed() {
					unit = rapid.SampledFrom(timeUnits).Draw(t, "unit")
				}
				change := days.From.AddDays(rapid.IntRange(0, 60).Draw(t, "change"))
				amount := func() value.Price { return value.Price(rapid.Int64Range(-5000000, 5000000).Draw(t, "price")) }
				tariff.Prices = append(tariff.Prices, Price{kind, unit, amount(), &vat, days.From.AddDays(-9), change},
					Price{Kind: kind, Unit: unit, Amount: amount(), IncludesVAT: &vat, From: change})
			}
			var quantities []meter.Quantity
			var used, fed meter.Amount
			amount := func(name string) *meter.Amount {
				if rapid.IntRange(0, 9).Draw(t, "none") == 0 {
					return nil
				}
				a := meter.Amount(rapid.Int64Range(0, 40000).Draw(t, name))
				return &a
			}
			for d := days.From; d.Before(days.Until); d = d.AddDays(1) {
				q := meter.Quantity{From: d, Until: d.AddDays(1),
					Amounts: meter.Amounts{Normal: amount("normal"), Low: amount("low"), FeedinNormal: amount("feed-in"),
						FeedinLow: amount("feed-in low")}}
				used += meter.OrZero(q.Normal) + meter.OrZero(q.Low)
				fed += meter.OrZero(q.FeedinNormal) + meter.OrZero(q.FeedinLow)
				quantities = append(quantities, q)
			}
			c := Of(tariff, days, quantities)
			if c.Total == nil {
				if len(c.Unknown) == 0 || len(c.Rows) > 0 {
					t.Fatalf("%+v", c)
				}
				return
			}
			known++
			var total value.Cents
			var use, feedin, feedinCost, tax meter.Amount
			for _, r := range c.Rows {
				total += r.Amount
				switch {
				case r.Kind == priceEnergyTax:
					tax += r.Quantity
				case r.Kind == priceFeedinCost:
					feedinCost += r.Quantity
				case r.Netted:
					netted++
					feedin -= r.Quantity
				case r.Kind == priceFeedin:
					feedin -= r.Quantity
				case !r.Kind.isTimed():
					use += r.Quantity
				}
				if !r.Kind.isTimed() && vat { // the amount follows from the displayed quantity and price
					exact := int64(r.Quantity) * int64(r.Price) // in 1e-8 euro
					if diff := exact - int64(r.Amount)*1_000_000; diff > 500_000 || diff < -500_000 {
						t.Fatalf("%+v", r)
					}
				}
			}
			if total != *c.Total || use != used || feedin != fed || feedinCost != fed || len(c.Unknown) > 0 {
				t.Fatalf("total %s of %s, used %s of %s, fed in %s of %s, at a cost %s: %+v", total, *c.Total, use, used, feedin, fed, feedinCost, c)
			}
			if tax > used || days.From.Year == 2027 && tax != used {
				t.Fatalf("energy tax of %s, used %s", tax, used)
			}
		})
		assert.NotZero(t, known, "some costs are known")
		assert.NotZero(t, netted, "some feed-in is subtracted")
	})
}

func TestRoundedOnce(t *testing.T) { t.Run("9-cost-rows", testRoundedOnce) }

func testRoundedOnce(t *testing.T) {
	yes := true
	day := value.Day{Year: 2026, Month: 5, Day: 1}
	tariff := Tariff{Commodity: meter.Gas,
		Prices: []Price{{priceSingle, "m3", 50, &yes, day, value.Day{}}, {priceStanding, "day", 0, &yes, day, value.Day{}}}}
	var quantities []meter.Quantity
	one := meter.Amount(1000)
	for d := day; d.Before(day.AddMonths(1)); d = d.AddDays(1) {
		quantities = append(quantities, meter.Quantity{From: d, Until: d.AddDays(1), Amounts: meter.Amounts{Consumption: &one}})
	}
	c := Of(tariff, meter.Span{From: day, Until: day.AddMonths(1)}, quantities)
	require.NotNil(t, c.Total)
	assert.Equal(t, value.Cents(2), *c.Total, "31 times 0.0005 is 0.0155; rounded by day it would be 0 or 0.31")
	text, err := json.Marshal(c)
	require.NoError(t, err)
	assert.Contains(t, string(text),
		`{"kind":"single","netted":false,"from":"2026-05-01","to":"2026-06-01","quantity":31.000,"unit":"m3","price":0.0005,"amount":0.02}`)
}
