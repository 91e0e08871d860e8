package usage

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// CostEstimate is a cost in which the days of the current month that were not measured count at their forecast. It is
// never the cost itself, whose total stays unknown.
type CostEstimate struct {
	Total value.Cents     `json:"total" doc:"Sum of the amounts of the rows"`
	Rows  []CostRow       `json:"rows" nullable:"false" doc:"What the estimate consists of"`
	Bars  CostBars        `json:"bars" nullable:"false" doc:"The estimate divided over periods, oldest first, which add up to its total; empty without unit, and with unit=hour"`
	Days  []EstimatedDays `json:"days" nullable:"false" doc:"Days that were not measured completely, and are estimated"`
	Added Amount          `json:"added" doc:"Usage on these days that was not measured, in kWh or m³"`
}

// EstimatedDays are successive days that are estimated.
type EstimatedDays struct {
	From value.Day `json:"from" doc:"First day"`
	To   value.Day `json:"to" doc:"Day after the last"`
}

// CostEstimateOf returns the estimate of a cost that is not known because days of the forecast's month were not measured completely
// (9-usage-euro-estimate): these days count at their forecast, all others at their measurements. It returns nil
// if that does not complete the cost. Quantities are sorted, oldest first.
func CostEstimateOf(t Tariff, days span, quantities []Quantity, f Forecast, unit Period, loc *time.Location) *CostEstimate {
	out := CostEstimate{Bars: CostBars{}}
	for _, gap := range f.Gaps {
		s := span{from: later(gap.from, days.from), until: gap.until}
		if days.until.Before(s.until) {
			s.until = days.until
		}
		if s.from.Before(s.until) {
			out.Days = append(out.Days, EstimatedDays{s.from, s.until})
		}
	}
	if len(out.Days) == 0 {
		return nil
	}
	month := f.Mean[0].From
	var filled []Quantity
	for _, q := range quantities {
		if !q.From.Before(days.from) && !month.Before(q.Until) {
			filled = append(filled, q)
		}
	}
	for _, q := range f.Mean {
		if !q.From.Before(days.from) && q.From.Before(days.until) && q.From.Before(f.Until) {
			filled = append(filled, q)
		}
	}
	var cost Cost
	if unit == "" || unit == Hourly {
		cost = CostOf(t, days, filled)
	} else {
		cost, out.Bars = CostBarsOf(t, days, filled, unit, nil, loc)
	}
	if cost.Total == nil {
		return nil
	}
	out.Total, out.Rows = *cost.Total, cost.Rows
	out.Added = max(usedOn(out.Days, filled)-usedOn(out.Days, quantities), 0)
	for i, bar := range out.Bars {
		next := unit.next(bar.Day)
		for _, d := range out.Days {
			out.Bars[i].Estimated = out.Bars[i].Estimated || d.From.Before(next) && bar.Day.Before(d.To)
		}
	}
	return &out
}

// usedOn returns the usage of the quantities that begin on estimated days.
func usedOn(days []EstimatedDays, quantities []Quantity) (sum Amount) {
	var usage direction
	for _, q := range quantities {
		for _, d := range days {
			if !q.From.Before(d.From) && q.From.Before(d.To) {
				sum += usage.of(q)
			}
		}
	}
	return sum
}
