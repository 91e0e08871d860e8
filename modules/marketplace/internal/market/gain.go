package market

import (
	"math"

	"github.com/wattle-portal/wattle/core/value"
)

// daysInYear is the mean length of a year.
const daysInYear = 365.25

// prospect is an offer with what is known of its project.
type prospect struct {
	Price    value.Cents `json:"price"`     // of a share
	Energies []*float64  `json:"energies"`  // kWh that a share yielded in each of some years; nil: not known
	KWhPrice *float64    `json:"kwh_price"` // euro; nil: not known
	From     value.Day   `json:"from"`      // first day on which the shares can be those of the buyer
	End      *value.Day  `json:"end"`       // last day of the project; nil: not known
}

// gain is what a number of shares costs and brings. What is not known is nil.
type gain struct {
	Cost   value.Cents  `json:"cost"`
	Energy *float64     `json:"energy"`  // kWh a year
	Value  *value.Cents `json:"value"`   // of that energy
	Years  *float64     `json:"years"`   // until the value of the energy is the cost, with one decimal
	InTime *bool        `json:"in_time"` // whether that is before the project ends
}

// of returns the gain of a number of shares (9-offer-payback): a year brings the mean of the known years, each kWh what one is worth today.
// Administration costs and taxes are not in it.
func (p prospect) of(shares int64) gain {
	g := gain{Cost: p.Price * value.Cents(shares)}
	sum, known := 0.0, 0.0
	for _, e := range p.Energies {
		if e != nil {
			sum, known = sum+*e, known+1
		}
	}
	if known == 0 {
		return g
	}
	energy := sum / known * float64(shares)
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
