package usage

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/cost"
	"github.com/wattle-portal/wattle/modules/usage/internal/forecast"
	"github.com/wattle-portal/wattle/modules/usage/internal/history"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// MonthForecast is the expected cost of the current month over all connections that are supplied now.
type MonthForecast struct {
	Month       string               `json:"month" doc:"Month as YYYY-MM"`
	Connections []ConnectionForecast `json:"connections" nullable:"false" doc:"Connections that are supplied now"`
	Total       *cost.ExpectedCost   `json:"total,omitempty" doc:"Cost of all connections; absent if the cost of any of them is unknown"`
}

// ConnectionForecast is the forecast of one connection.
type ConnectionForecast struct {
	EANCode   string             `json:"ean_code" doc:"EAN code of the connection"`
	Commodity meter.Commodity    `json:"commodity" enum:"GAS,ELECTRICITY" doc:"What is supplied over the connection"`
	Unit      meter.Unit         `json:"unit" enum:"KWH,KWT,MTQ,M3N" doc:"Unit of the usage: KWH is kWh, M3N is normal cubic meter"`
	Until     value.Day          `json:"until,omitzero" doc:"Day after the last one of this month that was measured completely, up to which cost.so_far counts; absent without a forecast"`
	LastDay   value.Day          `json:"last_day,omitzero" doc:"Last day of this month that was measured, also if only partly, up to which usage and feedin count; absent without a forecast, or without measurements"`
	Reason    string             `json:"reason,omitempty" enum:"history,gaps,changed,consent,meter" doc:"Why there is no forecast: less than twelve months measured; too much of last year missing; none last year and some now; consent missing; no smart meter"`
	Usage     *forecast.Expected `json:"usage,omitempty" doc:"Usage in kWh or m³; absent: no forecast"`
	Feedin    *forecast.Expected `json:"feedin,omitempty" doc:"Feed-in in kWh; absent: none, or no forecast"`
	Cost      *cost.ExpectedCost `json:"cost,omitempty" doc:"Cost; absent: no forecast, or not known, see unknown"`
	Unknown   []cost.Unknown     `json:"unknown" nullable:"false" doc:"Why the cost is not known"`
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
	month := meter.Span{From: meter.Monthly.Begin(today), Until: meter.Monthly.Next(meter.Monthly.Begin(today))}
	out := MonthForecast{Month: month.From.String()[:7], Connections: []ConnectionForecast{},
		Total: &cost.ExpectedCost{SoFar: new(value.Cents), LastYear: new(value.Cents)}}
	for _, c := range connections {
		t := meter.SupplySpanOrEmpty(c, agreements)
		if !t.Contains(meter.Span{From: today, Until: today.AddDays(1)}) {
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
			out.Total.Add(*one.Cost)
		}
	}
	if len(out.Connections) == 0 {
		out.Total = nil
	}
	return &forecastAnswer{out}, nil
}

// forecast returns the forecast of a connection for the days of a month on which it is supplied.
func (s *service) forecast(ctx context.Context, a history.Access, c meter.Connection, t, month meter.Span,
	agreements []meter.Agreement) (ConnectionForecast, error) {
	out := ConnectionForecast{EANCode: c.EANCode, Commodity: c.Commodity, Unit: meter.UnitOf(c.Commodity), Unknown: []cost.Unknown{}}
	switch {
	case a.NeedsConsent(c):
		out.Reason = "consent"
		return out, nil
	case !a.CanShowDays(c):
		out.Reason = "meter"
		return out, nil
	}
	whole, month := month, t.Within(month)
	f, reason, err := s.forecastOf(ctx, c, t, month)
	if out.Reason = reason; err != nil || reason != "" {
		return out, err
	}
	out.Until, out.LastDay, out.Usage, out.Feedin = f.Until, f.Last, &f.Usage, f.Feedin
	tariff, err := s.tariff(ctx, c, agreements)
	if err != nil {
		return out, err
	}
	until := meter.Span{From: month.From, Until: f.Until}
	measured, err := s.quantities(ctx, c, t, until)
	if err != nil {
		return out, err
	}
	if out.Cost, out.Unknown = cost.Expect(tariff, month, f); out.Cost == nil {
		return out, nil
	}
	if out.Cost.SoFar = cost.Of(tariff, until, measured).Total; out.Cost.SoFar == nil {
		out.Cost.SoFar, out.Cost.Estimated = cost.Of(tariff, until, f.Mean[:until.Days()]).Total, true
	}
	out.Cost.LastYear, err = s.costLastYear(ctx, c, t, whole, tariff)
	return out, err
}

// costLastYear returns the cost of the same month a year before, or nil if it is unknown or the connection was not supplied for the whole
// month.
func (s *service) costLastYear(ctx context.Context, c meter.Connection, t, month meter.Span, tariff cost.Tariff) (*value.Cents, error) {
	shown, err := s.historySpan(ctx, t)
	before := meter.Span{From: month.From.AddMonths(-12), Until: month.Until.AddMonths(-12)}
	if err != nil || !shown.Contains(before) {
		return nil, err
	}
	measured, err := s.quantities(ctx, c, t, before)
	return cost.Of(tariff, before, measured).Total, err
}

// forecastOf returns the forecast of a connection for a month within its supply, or the reason why there is no forecast.
func (s *service) forecastOf(ctx context.Context, c meter.Connection, t, month meter.Span) (f forecast.Forecast, reason string, err error) {
	history, err := s.historySpan(ctx, t)
	if err != nil {
		return f, "", err
	}
	days, err := s.dailyQuantities(ctx, c, history)
	if err != nil {
		return f, "", err
	}
	f, reason = forecast.Of(meter.Span{From: month.From, Until: month.Until}, days)
	return f, reason, nil
}
