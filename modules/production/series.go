package production

import (
	"math"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// Point is what was made in one period of a view (3-production-point-fields).
type Point struct {
	Labels  Labels   `json:"labels"`
	Value   *float64 `json:"value" doc:"kWh; null: not measured, or yet to come"`
	Rounded *float64 `json:"rounded_value" doc:"As it is displayed: whole kWh of a project, two decimals of shares in it"`
	Record  bool     `json:"record" doc:"The highest of the answer"`
}

// Labels say which period a point stands for, as far as its view has them (7.6-production-array).
type Labels struct {
	Year  *int `json:"year,omitempty"`
	Month *int `json:"month,omitempty"`
	Week  *int `json:"week,omitempty" doc:"Of ISO 8601"`
	Day   *int `json:"day,omitempty"`
	Hour  *int `json:"hour,omitempty" doc:"What the clock says at its begin; one comes twice and one not at all when the clock changes"`
	Date  Date `json:"date" doc:"First day of the period"`
}

// Date is a civil day in numbers.
type Date struct {
	Year  int `json:"year"`
	Month int `json:"month"`
	Day   int `json:"day"`
}

// shares are how many of the shares of a project a member had from a day on, oldest first.
type shares []marketplaceapi.SharesFrom

// part is how much of what a project makes on a day is the member's, between 0 and 1. ok is false while nobody had shares.
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

// points fills the periods of a view with days, both oldest first. of says which part of a day counts; nil: all of it.
func points(t Timeframe, of []period, days []dayRow, part func(value.Day) (float64, bool)) []Point {
	out, decimals := make([]Point, len(of)), 100.0
	if part == nil {
		part, decimals = func(value.Day) (float64, bool) { return 1, true }, 1
	}
	best := -1
	for i, p := range of {
		out[i].Labels = p.labels(t)
		for len(days) > 0 && days[0].Day.Before(p.day) {
			days = days[1:]
		}
		wh, measured := 0.0, false
		for _, d := range days {
			if !d.Day.Before(p.until) {
				break
			}
			made, there := d.in(p.slot)
			if share, ok := part(d.Day); there && ok {
				wh, measured = wh+share*float64(made), true
			}
		}
		if !measured {
			continue
		}
		// Wh are the finest that is measured; a float of kWh says no more than that.
		kwh := math.Round(wh) / 1000
		out[i].Value, out[i].Rounded = &kwh, new(math.Round(kwh*decimals)/decimals)
		if best < 0 || kwh > *out[best].Value {
			best = i
		}
	}
	if best >= 0 && *out[best].Value > 0 { // a night of panels has no highest
		out[best].Record = true
	}
	return out
}
