package production

import (
	"math"
	"slices"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Point is the production in one period of a view (3-production-point-fields).
type Point struct {
	Labels  Labels   `json:"labels" doc:"The period of the point"`
	Value   *float64 `json:"value" doc:"Energy in kWh; null: not measured, or in the future"`
	Rounded *float64 `json:"rounded_value" doc:"Value to display: whole kWh for a project, two decimals for shares"`
	Record  bool     `json:"record" doc:"Whether this point is the highest of the response"`
	// Euro is set only for the caller's part (9-production-euro).
	Euro  *value.Cents `json:"euro,omitempty" doc:"Value of the energy in euro at the yield prices of the label; absent: not known, or of a whole project"`
	Price *float64     `json:"price,omitempty" doc:"Price of a kWh in euro that euro is calculated at; absent: it changed within the period"`
}

// Labels contains the date of a point, and its year, month, week, day or hour, depending on the view (7.6-production-array).
type Labels struct {
	Year  *int `json:"year,omitempty" doc:"Calendar year"`
	Month *int `json:"month,omitempty" doc:"Month, 1 to 12"`
	Week  *int `json:"week,omitempty" doc:"ISO 8601 week number"`
	Day   *int `json:"day,omitempty" doc:"Day of the month"`
	Hour  *int `json:"hour,omitempty" doc:"Clock hour at the start, 0 to 23; when the clock changes, one occurs twice or not at all"`
	Date  Date `json:"date" doc:"First day of the period"`
}

// Date is a civil day in numbers.
type Date struct {
	Year  int `json:"year" doc:"Calendar year"`
	Month int `json:"month" doc:"Month, 1 to 12"`
	Day   int `json:"day" doc:"Day of the month"`
}

// shares contains the numbers of shares in a project, of one member and of all members, by the first day on which they apply, oldest first.
type shares []marketplaceapi.SharesFrom

// part returns the member's part of the shares on a day, between 0 and 1. ok is false while nobody had shares.
func (s shares) part(on value.Day) (part float64, ok bool) {
	for _, x := range s {
		if x.FromDate.After(on) {
			break
		}
		part, ok = 0, x.All > 0
		if ok && x.Own > 0 {
			part = math.Min(1, float64(x.Own)/float64(x.All))
		}
	}
	return part, ok
}

// points adds up days by period; both are sorted, oldest first. part returns the part of a day's production that counts; nil means all. The
// energy is valued at the label's prices: the values of all points add up to the value of their days, rounded once, as in a yield
// (9-production-euro).
func points(t Timeframe, in []period, days []dayRow, part func(value.Day) (float64, bool), prices yieldPrices) []Point {
	out, decimals := make([]Point, len(in)), 100.0
	if part == nil {
		part, decimals = func(value.Day) (float64, bool) { return 1, true }, 1
	}
	best, euro, assigned := -1, 0.0, int64(0)
	for i, p := range in {
		out[i].Labels = p.labels(t)
		for len(days) > 0 && days[0].Day.Before(p.day) {
			days = days[1:]
		}
		wh, worth, measured, priced := 0.0, 0.0, false, len(prices) > 0
		var rates []float64
		for _, d := range days {
			if !d.Day.Before(p.until) {
				break
			}
			made, measuredThen := d.energy(p.slot)
			if share, ok := part(d.Day); measuredThen && ok {
				price, known := prices.on(d.Day)
				wh, measured = wh+share*float64(made), true
				if known && !slices.Contains(rates, price) {
					rates = append(rates, price)
				}
				worth, priced = worth+share*float64(made)*price/1000, priced && (known || share*float64(made) == 0)
			}
		}
		if !measured {
			continue
		}
		// Energy is stored in whole Wh, so more decimals of kWh are meaningless.
		kwh := math.Round(wh) / 1000
		out[i].Value, out[i].Rounded = &kwh, new(math.Round(kwh*decimals)/decimals)
		if priced {
			euro += worth
			sum := int64(math.Round(euro * 100))
			out[i].Euro, assigned = new(value.Cents(sum-assigned)), sum
			if len(rates) == 1 {
				out[i].Price = &rates[0]
			}
		}
		if best < 0 || kwh > *out[best].Value {
			best = i
		}
	}
	if best >= 0 && *out[best].Value > 0 { // without production, as of solar panels at night, no point is the highest
		out[best].Record = true
	}
	return out
}
