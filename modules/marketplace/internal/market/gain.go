package market

import (
	"math"

	"github.com/wattle-portal/wattle/core/value"
)

// daysInYear is the mean length of a year.
const daysInYear = 365.25

// prospect is an offer with the known facts about its project.
type prospect struct {
	Price    value.Cents `json:"price"`     // price of a share
	Energies []*float64  `json:"energies"`  // kWh that a share yielded in each of some years; nil: unknown
	KWhPrice *float64    `json:"kwh_price"` // euro; nil: unknown
	From     value.Day   `json:"from"`      // first day on which the shares can belong to the buyer
	End      *value.Day  `json:"end"`       // last day of the project; nil: unknown
}

// gain is the cost and the expected yield of a number of shares. Unknown values are nil.
type gain struct {
	Cost   value.Cents  `json:"cost"`
	Energy *float64     `json:"energy"`  // kWh per year
	Value  *value.Cents `json:"value"`   // value of that energy
	Years  *float64     `json:"years"`   // until the value of the energy equals the cost, with one decimal
	InTime *bool        `json:"in_time"` // whether the payback ends before the project does
}

// of returns the gain of a number of shares (9-offer-payback): a year yields the mean of the known years, and each kWh its current value.
// Administration costs and taxes are not included.
func (p prospect) of(shares int64) gain {
	g := gain{Cost: p.Price * value.Cents(shares)}
	sum, n := 0.0, 0.0
	for _, e := range p.Energies {
		if e != nil {
			sum, n = sum+*e, n+1
		}
	}
	if n == 0 {
		return g
	}
	energy := sum / n * float64(shares)
	g.Energy = new(math.Round(energy*10) / 10)
	if p.KWhPrice == nil {
		return g
	}
	worth := energy * *p.KWhPrice
	g.Value = new(value.Cents(math.Round(worth * 100)))
	if worth <= 0 {
		return g
	}
	years := float64(g.Cost) / 100 / worth
	g.Years = new(math.Round(years*10) / 10)
	if p.End != nil {
		g.InTime = new(years*daysInYear <= float64(p.End.DaysSince(p.From)+1))
	}
	return g
}
