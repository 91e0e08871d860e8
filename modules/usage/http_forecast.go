package usage

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// MonthForecast is the expected cost of the current month over all connections that are supplied now.
type MonthForecast struct {
	Month       string               `json:"month" doc:"Month as YYYY-MM"`
	Connections []ConnectionForecast `json:"connections" nullable:"false" doc:"Connections that are supplied now"`
	Total       *ExpectedCost        `json:"total,omitempty" doc:"Cost of all connections; absent: not known of each of them"`
}

// ConnectionForecast is the forecast of one connection.
type ConnectionForecast struct {
	EANCode   string        `json:"ean_code" doc:"EAN code of the connection"`
	Commodity Commodity     `json:"commodity" enum:"GAS,ELECTRICITY" doc:"What is supplied over the connection"`
	Unit      Unit          `json:"unit" enum:"KWH,KWT,MTQ,M3N" doc:"Unit of the usage: KWH is kWh, M3N is normal cubic meter"`
	Until     value.Day     `json:"until,omitzero" doc:"Day after the last one of this month that was measured completely, up to which cost.so_far counts; absent without a forecast"`
	LastDay   value.Day     `json:"last_day,omitzero" doc:"Last day of this month that was measured, also if only partly, up to which usage and feedin count; absent without a forecast, or without measurements"`
	Reason    string        `json:"reason,omitempty" enum:"history,gaps,changed,consent,meter" doc:"Why there is no forecast: less than twelve months measured; too much of last year missing; none last year and some now; consent missing; no smart meter"`
	Usage     *Expected     `json:"usage,omitempty" doc:"Usage in kWh or m³; absent: no forecast"`
	Feedin    *Expected     `json:"feedin,omitempty" doc:"Feed-in in kWh; absent: none, or no forecast"`
	Cost      *ExpectedCost `json:"cost,omitempty" doc:"Cost; absent: no forecast, or not known, see unknown"`
	Unknown   []Unknown     `json:"unknown" nullable:"false" doc:"Why the cost is not known"`
}

// ExpectedCost is the cost of a month: until now, and of the whole month with the band around it.
type ExpectedCost struct {
	SoFar     *value.Cents `json:"so_far" nullable:"true" doc:"Cost until the last completely measured day in euros; null: not known"`
	Estimated bool         `json:"estimated" doc:"Whether so_far contains days that were not measured, at what is expected of them"`
	Expected  value.Cents  `json:"expected" doc:"Cost of the whole month in euros"`
	Low       value.Cents  `json:"low" doc:"Lower end of the band"`
	High      value.Cents  `json:"high" doc:"Upper end of the band"`
}

// add adds the cost of another connection.
func (c *ExpectedCost) add(o ExpectedCost) {
	c.Estimated = c.Estimated || o.Estimated
	c.Expected, c.Low, c.High = c.Expected+o.Expected, c.Low+o.Low, c.High+o.High
	if c.SoFar == nil || o.SoFar == nil {
		c.SoFar = nil
		return
	}
	both := *c.SoFar + *o.SoFar
	c.SoFar = &both
}

// expectedCost returns the cost of the whole month of a forecast, or the reason why it is not known (9-forecast-cost).
func expectedCost(t Tariff, month span, f Forecast) (*ExpectedCost, []Unknown) {
	mean, low, high := CostOf(t, month, f.Mean), CostOf(t, month, f.Low), CostOf(t, month, f.High)
	for _, c := range []Cost{mean, low, high} {
		if c.Total == nil {
			return nil, c.Unknown
		}
	}
	out := ExpectedCost{Expected: *mean.Total, Low: min(*mean.Total, *low.Total, *high.Total), High: max(*mean.Total, *low.Total, *high.Total)}
	return &out, []Unknown{}
}

type forecastAnswer struct{ Body MonthForecast }

func (s *service) getForecast(ctx context.Context, _ *struct{}) (*forecastAnswer, error) {
	connections, agreements, err := s.supplies(ctx)
	if err != nil {
		return nil, err
	}
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	today := module.Today(ctx, s.host.Now())
	month := span{from: Monthly.begin(today), until: Monthly.next(Monthly.begin(today))}
	out := MonthForecast{Month: month.from.String()[:7], Connections: []ConnectionForecast{}, Total: &ExpectedCost{SoFar: new(value.Cents)}}
	for _, c := range connections {
		t := supplySpanOrEmpty(c, agreements)
		if !t.contains(span{from: today, until: today.AddDays(1)}) {
			continue
		}
		one, err := s.forecast(ctx, a, c, t, month, agreements)
		if err != nil {
			return nil, err
		}
		out.Connections = append(out.Connections, one)
		if one.Cost == nil {
			out.Total = nil
		} else if out.Total != nil {
			out.Total.add(*one.Cost)
		}
	}
	if len(out.Connections) == 0 {
		out.Total = nil
	}
	return &forecastAnswer{out}, nil
}

// forecast returns the forecast of a connection for the days of a month that it is supplied.
func (s *service) forecast(ctx context.Context, a access, c Connection, t, month span, agreements []Agreement) (ConnectionForecast, error) {
	out := ConnectionForecast{EANCode: c.EANCode, Commodity: c.Commodity, Unit: UnitOf(c.Commodity), Unknown: []Unknown{}}
	switch {
	case a.needsConsent(c):
		out.Reason = "consent"
		return out, nil
	case !a.canShowDays(c):
		out.Reason = "meter"
		return out, nil
	}
	month = t.within(month)
	f, reason, err := s.forecastOf(ctx, c, t, month)
	if out.Reason = reason; err != nil || reason != "" {
		return out, err
	}
	out.Until, out.LastDay, out.Usage, out.Feedin = f.Until, f.Last, &f.Usage, f.Feedin
	tariff, err := s.tariff(ctx, c, agreements)
	if err != nil {
		return out, err
	}
	until := span{from: month.from, until: f.Until}
	measured, err := s.quantities(ctx, c, t, until)
	if err != nil {
		return out, err
	}
	if out.Cost, out.Unknown = expectedCost(tariff, month, f); out.Cost == nil {
		return out, nil
	}
	if out.Cost.SoFar = CostOf(tariff, until, measured).Total; out.Cost.SoFar == nil {
		out.Cost.SoFar, out.Cost.Estimated = CostOf(tariff, until, f.Mean[:until.days()]).Total, true
	}
	return out, nil
}

// forecastOf returns the forecast of a connection in a month within its supply, or the reason why there is none.
func (s *service) forecastOf(ctx context.Context, c Connection, t, month span) (f Forecast, reason string, err error) {
	history, err := s.historySpan(ctx, t)
	if err != nil {
		return f, "", err
	}
	days, err := s.dailyQuantities(ctx, c, history)
	if err != nil {
		return f, "", err
	}
	f, reason = ForecastOf(span{from: month.from, until: month.until}, days)
	return f, reason, nil
}
