package usage

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// NetMetering compares the cost of a year with net metering and without it, for customers who feed in (9-usage-euro-net-metering).
type NetMetering struct {
	EANCode string    `json:"ean_code" doc:"EAN code of the connection"`
	Applies bool      `json:"applies" doc:"Whether net metering still holds today and the connection fed in during these days; if not, there are no costs"`
	Until   value.Day `json:"net_metering_until,omitzero" doc:"Last day on which feed-in is subtracted from usage"`
	From    value.Day `json:"from" doc:"First day: twelve months before the current one"`
	To      value.Day `json:"to" doc:"Day after the last: the first of the current month"`
	Fed     Amount    `json:"fed_in" doc:"What was fed in on these days"`
	With    *Cost     `json:"with,omitempty" doc:"Cost of these days at today's prices with net metering"`
	Without *Cost     `json:"without,omitempty" doc:"The same without net metering: all feed-in is paid by its own price and its costs apply"`
}

type netMeteringInput struct {
	EAN string `path:"ean" doc:"EAN code of the connection"`
}

type netMeteringAnswer struct{ Body NetMetering }

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
	days := span{until: Monthly.begin(today)}
	days.from = days.until.AddMonths(-12)
	out := NetMetering{EANCode: c.EANCode, Until: set.NetMeteringUntil, From: days.from, To: days.until}
	if c.Commodity != Electricity || set.NetMeteringUntil.Before(today) {
		return &netMeteringAnswer{out}, nil
	}
	quantities, err := s.yearQuantities(ctx, c, supplySpanOrEmpty(c, agreements), days)
	if err != nil {
		return nil, err
	}
	for _, q := range quantities {
		out.Fed += amountOrZero(q.feedin())
	}
	if out.Applies = out.Fed > 0; !out.Applies {
		return &netMeteringAnswer{out}, nil
	}
	tariff, err := s.tariff(ctx, c, agreements)
	if err != nil {
		return nil, err
	}
	tariff.Prices = pricesOf(today, tariff.Prices, days)
	tariff.NetMeteringUntil = days.until
	with := CostOf(tariff, days, quantities)
	tariff.NetMeteringUntil = value.Day{}
	without := CostOf(tariff, days, quantities)
	out.With, out.Without = &with, &without
	return &netMeteringAnswer{out}, nil
}

// yearQuantities returns the measurements of twelve months: by day, or by month if daily values may not be shown.
func (s *service) yearQuantities(ctx context.Context, c Connection, t, days span) ([]Quantity, error) {
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	if a.canShowDays(c) {
		return s.quantities(ctx, c, t, days)
	}
	readings, err := findReadings(ctx, s.host.DB, c.EANCode, t)
	if err != nil {
		return nil, err
	}
	var out []Quantity
	for month := days.from; month.Before(days.until); month = month.AddMonths(1) {
		whole := span{from: month, until: month.AddMonths(1)}
		if used, ok := usageBetween(readings, whole, c.Commodity); ok && t.contains(whole) {
			out = append(out, Quantity{From: whole.from, Until: whole.until, Amounts: used})
		}
	}
	return out, nil
}

// pricesOf returns the prices of a day as if they applied on all days of a span.
func pricesOf(day value.Day, prices []Price, days span) (out []Price) {
	for _, p := range prices {
		if p.applies(span{from: day, until: day.AddDays(1)}) {
			p.From, p.Until = days.from, value.Day{}
			out = append(out, p)
		}
	}
	return out
}
