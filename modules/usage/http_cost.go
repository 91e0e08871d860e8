package usage

import (
	"context"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/cost"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/reading"
	"github.com/wattle-portal/wattle/modules/usage/internal/series"
)

// quantities returns the measurements of a span of days. Days that were not measured completely are filled from meter readings.
func (s *service) quantities(ctx context.Context, c meter.Connection, t, days meter.Span) ([]meter.Quantity, error) {
	out, err := s.dailyQuantities(ctx, c, t.Within(days))
	if gap := reading.GapOf(out, days); err != nil || !gap.From.Before(gap.Until) {
		return out, err
	}
	readings, err := reading.Find(ctx, s.host.DB, c.EANCode, t)
	if err != nil || len(readings) < 2 {
		return out, err
	}
	around := days // days, extended to the readings before and after
	for _, r := range readings {
		if !r.Day.After(days.From) {
			around.From = r.Day
		}
		if !r.Day.Before(days.Until) {
			around.Until = r.Day
			break
		}
	}
	wide := out
	if around.From != days.From || around.Until != days.Until {
		if wide, err = s.dailyQuantities(ctx, c, t.Within(around)); err != nil {
			return nil, err
		}
	}
	wide = reading.FillGaps(wide, slices.DeleteFunc(readings, func(r reading.Stored) bool {
		return r.Day.Before(around.From) || around.Until.Before(r.Day)
	}), t, days, c.Commodity)
	return slices.DeleteFunc(wide, func(q meter.Quantity) bool { return q.From.Before(days.From) || days.Until.Before(q.Until) }), nil
}

type costInput struct {
	EAN         string       `path:"ean" doc:"EAN code of the connection"`
	From        value.Day    `query:"from" doc:"First day; with to"`
	To          value.Day    `query:"to" doc:"Day after the last; with from"`
	NetMetering bool         `query:"net_metering" default:"true" doc:"false: as if net metering had ended before these days"`
	Unit        meter.Period `query:"unit" enum:"hour,day,week,month,year" doc:"Length of the periods over which the cost is divided; absent: it is not"`
}

// check validates the range of days. It returns the invalid field and the problem code.
func (in *costInput) check() (field, code string) {
	switch {
	case in.From.IsZero():
		return "from", series.CodeRange
	case in.Unit == "":
		return series.CheckRange(meter.Daily, in.From, in.To)
	case in.Unit == meter.Hourly && in.From.Before(in.To) && in.To.DaysSince(in.From) <= maxDaysOfHours:
		return "", ""
	}
	return series.CheckRange(in.Unit, in.From, in.To)
}

// maxDaysOfHours is the maximum number of days for which the cost is divided over hours.
const maxDaysOfHours = 366

// ConnectionCost is the cost of a connection.
type ConnectionCost struct {
	EANCode   string          `json:"ean_code" doc:"EAN code of the connection"`
	Commodity meter.Commodity `json:"commodity" enum:"GAS,ELECTRICITY" doc:"What is supplied over the connection"`
	LastMonth bool            `json:"last_month" doc:"Whether this is the last complete month, because no days were given or daily values may not be shown"`
	// ConsentNeeded explains LastMonth.
	ConsentNeeded    bool       `json:"consent_needed" doc:"Whether other days are withheld because consent is missing"`
	NetMeteringUntil *value.Day `json:"net_metering_until" nullable:"true" doc:"Last day on which feed-in is subtracted from usage; null: not in this calculation"`
	VATPercent       int        `json:"vat_percent" doc:"VAT that was added to prices without VAT"`
	cost.Cost
	Bars cost.Bars `json:"bars" nullable:"false" doc:"The cost divided over periods, oldest first; empty without unit, and if daily values may not be shown. If all have an amount, they add up to the total"`
	// Estimate needs a forecast (9-forecast-none).
	Estimate *cost.CostEstimate `json:"estimate,omitempty" doc:"What the cost comes to if the days of the current month that were not measured count at what is expected of them; absent if the cost is known, not known for another reason, or without a forecast"`
}

type costAnswer struct{ Body ConnectionCost }

func (s *service) getCost(ctx context.Context, in *costInput) (*costAnswer, error) {
	hasPeriod := !in.From.IsZero() || !in.To.IsZero()
	if hasPeriod {
		if field, code := in.check(); code != "" {
			return nil, problem.Refuse(problem.FieldError{Field: field, Code: code})
		}
	}
	c, err := s.connection(ctx, in.EAN)
	if err != nil {
		return nil, err
	}
	agreements, err := s.agreements(ctx)
	if err != nil {
		return nil, err
	}
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	tariff, err := s.tariff(ctx, c, agreements)
	if err != nil {
		return nil, err
	}
	if !in.NetMetering {
		tariff.NetMeteringUntil = value.Day{}
	}
	out := ConnectionCost{EANCode: c.EANCode, Commodity: c.Commodity, LastMonth: true, ConsentNeeded: a.NeedsConsent(c),
		VATPercent: tariff.VATPercent}
	if !tariff.NetMeteringUntil.IsZero() {
		out.NetMeteringUntil = &tariff.NetMeteringUntil
	}
	t := meter.SupplySpanOrEmpty(c, agreements)
	days := lastMonth(module.Today(ctx, s.host.Now()))
	var quantities []meter.Quantity
	if a.CanShowDays(c) {
		if hasPeriod {
			days, out.LastMonth = clip(meter.Span{From: in.From, Until: in.To}, t), false
		}
		quantities, err = s.quantities(ctx, c, t, days)
	} else {
		days, quantities, err = s.lastMeasuredMonth(ctx, c, t, days)
	}
	if err != nil {
		return nil, err
	}
	loc, err := location(ctx)
	if err != nil {
		return nil, err
	}
	if in.Unit == "" || !a.CanShowDays(c) {
		out.Cost = cost.Of(tariff, days, quantities)
	} else if out.Cost, out.Bars, err = s.costBars(ctx, c, t, tariff, days, quantities, in.Unit, loc); err != nil {
		return nil, err
	}
	if a.CanShowDays(c) {
		out.Estimate, err = s.estimate(ctx, c, t, tariff, out.Cost, quantities, in.Unit, loc)
	}
	return &costAnswer{out}, err
}

// costBars calculates a cost and divides it over periods.
func (s *service) costBars(ctx context.Context, c meter.Connection, t meter.Span, tariff cost.Tariff, days meter.Span,
	quantities []meter.Quantity, unit meter.Period, loc *time.Location) (cost.Cost, cost.Bars, error) {
	var hours series.Series
	if unit == meter.Hourly {
		var err error
		if hours, err = s.hours(ctx, c, t, days, loc); err != nil {
			return cost.Cost{}, nil, err
		}
	}
	total, bars := cost.BarsOf(tariff, days, quantities, unit, hours.Points, loc)
	return total, bars, nil
}

// estimate returns the estimate of an unknown cost, or nil if the cost is known or cannot be estimated.
func (s *service) estimate(ctx context.Context, c meter.Connection, t meter.Span, tariff cost.Tariff, of cost.Cost,
	quantities []meter.Quantity, unit meter.Period, loc *time.Location) (*cost.CostEstimate, error) {
	today := meter.Monthly.Begin(module.Today(ctx, s.host.Now()))
	month := t.Within(meter.Span{From: today, Until: meter.Monthly.Next(today)})
	if !of.CanEstimate(month) {
		return nil, nil
	}
	f, reason, err := s.forecastOf(ctx, c, t, month)
	if err != nil || reason != "" {
		return nil, err
	}
	return cost.EstimateOf(tariff, meter.Span{From: of.From, Until: of.To}, quantities, f, unit, loc), nil
}

// tariff returns the prices and settings for calculating the cost of a connection.
func (s *service) tariff(ctx context.Context, c meter.Connection, agreements []meter.Agreement) (t cost.Tariff, err error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return t, err
	}
	t = cost.Tariff{Commodity: c.Commodity, VATPercent: set.VATPercent, NetMeteringUntil: set.NetMeteringUntil}
	t.Prices, err = s.prices(ctx, c, agreements)
	return t, err
}

// hours returns an hourly series for a span of days.
func (s *service) hours(ctx context.Context, c meter.Connection, t, days meter.Span, loc *time.Location) (out series.Series, err error) {
	out = series.New(c, meter.Hourly, days, loc)
	measured, err := interval.Find(ctx, s.host.DB, c.EANCode, t.Within(days))
	profiles := make(map[value.Day]interval.Profile, len(measured))
	for _, d := range measured {
		profiles[d.Day] = d.Profile
	}
	out.FillFromProfiles(profiles, loc)
	return out, err
}

// lastMonth returns the month before the month of today.
func lastMonth(today value.Day) meter.Span {
	begin := meter.Monthly.Begin(today)
	return meter.Span{From: begin.AddMonths(-1), Until: begin}
}

// clip returns the days of a range within the supply of a connection, or the range itself if none of its days is supplied.
func clip(days, t meter.Span) meter.Span {
	out := meter.Span{From: meter.Later(days.From, t.From), Until: days.Until}
	if t.End().Before(out.Until) {
		out.Until = t.End()
	}
	if !out.From.Before(out.Until) {
		return days
	}
	return out
}

// dailyQuantities returns the measurements of each day.
func (s *service) dailyQuantities(ctx context.Context, c meter.Connection, days meter.Span) ([]meter.Quantity, error) {
	found, err := interval.FindTotals(ctx, s.host.DB, c.EANCode, days)
	out := make([]meter.Quantity, len(found))
	for i, d := range found {
		out[i] = meter.Quantity{From: d.Day, Until: d.Day.AddDays(1), Amounts: d.Amounts(), Partial: d.Missing > 0}
	}
	return out, err
}

// maxMonthsBack is the maximum number of months that are searched for the last complete one.
const maxMonthsBack = 12

// lastMeasuredMonth returns the last month with meter readings at its start and end, and its usage. If there is none, it returns newest
// without usage.
func (s *service) lastMeasuredMonth(ctx context.Context, c meter.Connection, t, newest meter.Span) (meter.Span, []meter.Quantity, error) {
	readings, err := reading.Find(ctx, s.host.DB, c.EANCode, t)
	if err != nil {
		return newest, nil, err
	}
	month := newest
	for range maxMonthsBack {
		if t.Contains(month) {
			if a, ok := reading.Between(readings, month, c.Commodity); ok {
				return month, []meter.Quantity{{From: month.From, Until: month.Until, Amounts: a}}, nil
			}
		}
		month = meter.Span{From: month.From.AddMonths(-1), Until: month.From}
	}
	return newest, nil, nil
}

type netMeteringInput struct {
	EAN string `path:"ean" doc:"EAN code of the connection"`
}

type netMeteringAnswer struct{ Body cost.NetMetering }

func (s *service) getNetMetering(ctx context.Context, in *netMeteringInput) (*netMeteringAnswer, error) {
	c, err := s.connection(ctx, in.EAN)
	if err != nil {
		return nil, err
	}
	agreements, err := s.agreements(ctx)
	if err != nil {
		return nil, err
	}
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	today := module.Today(ctx, s.host.Now())
	days := meter.Span{Until: meter.Monthly.Begin(today)}
	days.From = days.Until.AddMonths(-12)
	out := cost.NetMetering{EANCode: c.EANCode, Until: set.NetMeteringUntil, From: days.From, To: days.Until}
	if c.Commodity != meter.Electricity || set.NetMeteringUntil.Before(today) {
		return &netMeteringAnswer{out}, nil
	}
	quantities, err := s.yearQuantities(ctx, c, meter.SupplySpanOrEmpty(c, agreements), days)
	if err != nil {
		return nil, err
	}
	for _, q := range quantities {
		out.Fed += q.Fed()
	}
	if out.Applies = out.Fed > 0; !out.Applies {
		return &netMeteringAnswer{out}, nil
	}
	tariff, err := s.tariff(ctx, c, agreements)
	if err != nil {
		return nil, err
	}
	out.Compare(tariff, today, days, quantities)
	return &netMeteringAnswer{out}, nil
}

// yearQuantities returns the measurements of twelve months: by day, or by month if daily values may not be shown.
func (s *service) yearQuantities(ctx context.Context, c meter.Connection, t, days meter.Span) ([]meter.Quantity, error) {
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	if a.CanShowDays(c) {
		return s.quantities(ctx, c, t, days)
	}
	readings, err := reading.Find(ctx, s.host.DB, c.EANCode, t)
	if err != nil {
		return nil, err
	}
	var out []meter.Quantity
	for month := days.From; month.Before(days.Until); month = month.AddMonths(1) {
		period := meter.Span{From: month, Until: month.AddMonths(1)}
		if used, ok := reading.Between(readings, period, c.Commodity); ok && t.Contains(period) {
			out = append(out, meter.Quantity{From: period.From, Until: period.Until, Amounts: used})
		}
	}
	return out, nil
}
