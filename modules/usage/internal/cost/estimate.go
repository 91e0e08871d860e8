package cost

import (
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/forecast"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// CostEstimate is a cost in which the forecast replaces days of the current month that were not measured. It does not replace the cost
// itself, whose total stays unknown.
type CostEstimate struct {
	Total value.Cents     `json:"total" doc:"Sum of the amounts of the rows"`
	Rows  []CostRow       `json:"rows" nullable:"false" doc:"What the estimate consists of"`
	Bars  Bars            `json:"bars" nullable:"false" doc:"The estimate divided over periods, oldest first, which add up to its total; empty without unit, and with unit=hour"`
	Days  []EstimatedDays `json:"days" nullable:"false" doc:"Days that were not measured completely, and are estimated"`
	Added meter.Amount    `json:"added" doc:"Usage on these days that was not measured, in kWh or m³"`
}

// EstimatedDays are successive days that are estimated.
type EstimatedDays struct {
	From value.Day `json:"from" doc:"First day"`
	To   value.Day `json:"to" doc:"Day after the last"`
}

// EstimateOf returns the estimate of a cost that is unknown because days of the forecast's month were not measured completely
// (9-usage-euro-estimate). It uses the forecast for these days and the measurements for all other days. It returns nil if the cost is still
// unknown then. Quantities are sorted, oldest first.
func EstimateOf(t Tariff, days meter.Span, quantities []meter.Quantity, f forecast.Forecast, unit meter.Period,
	loc *time.Location) *CostEstimate {
	out := CostEstimate{Bars: Bars{}}
	for _, gap := range f.Gaps {
		s := meter.Span{From: meter.Later(gap.From, days.From), Until: gap.Until}
		if days.Until.Before(s.Until) {
			s.Until = days.Until
		}
		if s.From.Before(s.Until) {
			out.Days = append(out.Days, EstimatedDays{s.From, s.Until})
		}
	}
	if len(out.Days) == 0 {
		return nil
	}
	month := f.Mean[0].From
	var filled []meter.Quantity
	for _, q := range quantities {
		if !q.From.Before(days.From) && !month.Before(q.Until) {
			filled = append(filled, q)
		}
	}
	for _, q := range f.Mean {
		if !q.From.Before(days.From) && q.From.Before(days.Until) && q.From.Before(f.Until) {
			filled = append(filled, q)
		}
	}
	var cost Cost
	if unit == "" || unit == meter.Hourly {
		cost = Of(t, days, filled)
	} else {
		cost, out.Bars = BarsOf(t, days, filled, unit, nil, loc)
	}
	if cost.Total == nil {
		return nil
	}
	out.Total, out.Rows = *cost.Total, cost.Rows
	out.Added = max(usedOn(out.Days, filled)-usedOn(out.Days, quantities), 0)
	for i, bar := range out.Bars {
		next := unit.Next(bar.Day)
		for _, d := range out.Days {
			out.Bars[i].Estimated = out.Bars[i].Estimated || d.From.Before(next) && bar.Day.Before(d.To)
		}
	}
	return &out
}

// usedOn returns the usage of the quantities that begin on estimated days.
func usedOn(days []EstimatedDays, quantities []meter.Quantity) (sum meter.Amount) {
	for _, q := range quantities {
		for _, d := range days {
			if !q.From.Before(d.From) && q.From.Before(d.To) {
				sum += q.Used()
			}
		}
	}
	return sum
}
