package usage

import (
	"context"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/billing/billingapi"
)

type costInput struct {
	EAN         string    `path:"ean" doc:"EAN code of the connection"`
	From        value.Day `query:"from" doc:"First day; with to"`
	To          value.Day `query:"to" doc:"Day after the last; with from"`
	NetMetering bool      `query:"net_metering" default:"true" doc:"false: as if net metering had ended before these days"`
	Unit        Period    `query:"unit" enum:"hour,day,week,month,year" doc:"Length of the periods over which the cost is divided; absent: it is not"`
}

// check validates the range of days. It returns the invalid field and the problem code.
func (in *costInput) check() (field, code string) {
	switch {
	case in.From.IsZero():
		return "from", codeRange
	case in.Unit == "":
		return checkRange(Daily, in.From, in.To)
	case in.Unit == Hourly && in.From.Before(in.To) && in.To.DaysSince(in.From) <= maxDaysOfHours:
		return "", ""
	}
	return checkRange(in.Unit, in.From, in.To)
}

// maxDaysOfHours is the maximum number of days of which the cost is divided over hours.
const maxDaysOfHours = 366

// ConnectionCost is the cost of a connection.
type ConnectionCost struct {
	EANCode   string    `json:"ean_code" doc:"EAN code of the connection"`
	Commodity Commodity `json:"commodity" enum:"GAS,ELECTRICITY" doc:"What is supplied over the connection"`
	LastMonth bool      `json:"last_month" doc:"Whether this is the last complete month, because no days were given or daily values may not be shown"`
	// ConsentNeeded explains LastMonth.
	ConsentNeeded    bool       `json:"consent_needed" doc:"Whether other days are withheld because consent is missing"`
	NetMeteringUntil *value.Day `json:"net_metering_until" nullable:"true" doc:"Last day on which feed-in is subtracted from usage; null: not in this calculation"`
	VATPercent       int        `json:"vat_percent" doc:"VAT that was added to prices without VAT"`
	Cost
	Bars CostBars `json:"bars" nullable:"false" doc:"The cost divided over periods, oldest first; empty without unit, and if daily values may not be shown. If all have an amount, they add up to the total"`
	// Estimate needs a forecast (9-forecast-none).
	Estimate *CostEstimate `json:"estimate,omitempty" doc:"What the cost comes to if the days of the current month that were not measured count at what is expected of them; absent if the cost is known, not known for another reason, or without a forecast"`
}

type costAnswer struct{ Body ConnectionCost }

func (s *service) getCost(ctx context.Context, in *costInput) (*costAnswer, error) {
	given := !in.From.IsZero() || !in.To.IsZero()
	if given {
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
	out := ConnectionCost{EANCode: c.EANCode, Commodity: c.Commodity, LastMonth: true, ConsentNeeded: a.needsConsent(c), VATPercent: tariff.VATPercent}
	if !tariff.NetMeteringUntil.IsZero() {
		out.NetMeteringUntil = &tariff.NetMeteringUntil
	}
	t := supplySpanOrEmpty(c, agreements)
	days := lastMonth(module.Today(ctx, s.host.Now()))
	var quantities []Quantity
	if a.canShowDays(c) {
		if given {
			days, out.LastMonth = clip(span{from: in.From, until: in.To}, t), false
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
	if in.Unit == "" || !a.canShowDays(c) {
		out.Cost = CostOf(tariff, days, quantities)
	} else if out.Cost, out.Bars, err = s.costBars(ctx, c, t, tariff, days, quantities, in.Unit, loc); err != nil {
		return nil, err
	}
	if a.canShowDays(c) {
		out.Estimate, err = s.estimate(ctx, c, t, tariff, out.Cost, quantities, in.Unit, loc)
	}
	return &costAnswer{out}, err
}

// costBars calculates a cost and divides it over periods.
func (s *service) costBars(ctx context.Context, c Connection, t span, tariff Tariff, days span, quantities []Quantity, unit Period, loc *time.Location) (Cost, CostBars, error) {
	var hours Series
	if unit == Hourly {
		var err error
		if hours, err = s.hours(ctx, c, t, days, loc); err != nil {
			return Cost{}, nil, err
		}
	}
	cost, bars := CostBarsOf(tariff, days, quantities, unit, hours.Points, loc)
	return cost, bars, nil
}

// estimate returns the estimate of a cost that is not known; nil if it is known, and if there is none.
func (s *service) estimate(ctx context.Context, c Connection, t span, tariff Tariff, cost Cost, quantities []Quantity, unit Period, loc *time.Location) (*CostEstimate, error) {
	today := Monthly.begin(module.Today(ctx, s.host.Now()))
	month := t.within(span{from: today, until: Monthly.next(today)})
	for _, u := range cost.Unknown {
		if u.Reason != unknownMeasurement || u.From.Before(month.from) || month.until.Before(u.To) {
			return nil, nil
		}
	}
	if cost.Total != nil {
		return nil, nil
	}
	f, reason, err := s.forecastOf(ctx, c, t, month)
	if err != nil || reason != "" {
		return nil, err
	}
	return CostEstimateOf(tariff, span{from: cost.From, until: cost.To}, quantities, f, unit, loc), nil
}

// tariff returns the prices and settings for the cost of a connection.
func (s *service) tariff(ctx context.Context, c Connection, agreements []Agreement) (t Tariff, err error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return t, err
	}
	t = Tariff{Commodity: c.Commodity, VATPercent: set.VATPercent, NetMeteringUntil: set.NetMeteringUntil}
	t.Prices, err = s.prices(ctx, c, agreements)
	return t, err
}

// hours returns a series of the hours of a span of days.
func (s *service) hours(ctx context.Context, c Connection, t, days span, loc *time.Location) (out Series, err error) {
	out = newSeries(c, Hourly, days, loc)
	rows, err := findDays(ctx, s.host.DB, c.EANCode, t.within(days))
	if err != nil {
		return out, err
	}
	measured, err := unpackDays(rows)
	profiles := make(map[value.Day]Profile, len(measured))
	for _, d := range measured {
		profiles[d.day] = d.profile
	}
	out.fillFromProfiles(profiles, loc)
	return out, err
}

// lastMonth returns the month before a day's.
func lastMonth(today value.Day) span {
	begin := Monthly.begin(today)
	return span{from: begin.AddMonths(-1), until: begin}
}

// clip returns the days of a range within the supply of a connection, or the range itself if none of its days is supplied.
func clip(days, t span) span {
	out := span{from: later(days.from, t.from), until: days.until}
	if t.end().Before(out.until) {
		out.until = t.end()
	}
	if !out.from.Before(out.until) {
		return days
	}
	return out
}

// dailyQuantities returns the measurements of each day.
func (s *service) dailyQuantities(ctx context.Context, c Connection, days span) ([]Quantity, error) {
	found, err := findDayTotals(ctx, s.host.DB, c.EANCode, days)
	out := make([]Quantity, len(found))
	for i, d := range found {
		out[i] = Quantity{From: d.Day, Until: d.Day.AddDays(1), Amounts: d.amounts(), Partial: d.Missing > 0}
	}
	return out, err
}

// maxMonthsBack is the number of months among which the last complete one is searched.
const maxMonthsBack = 12

// lastMeasuredMonth returns the last month that has meter readings of its begin and end, and its usage. It returns the newest month without
// usage if there is none.
func (s *service) lastMeasuredMonth(ctx context.Context, c Connection, t, newest span) (span, []Quantity, error) {
	readings, err := findReadings(ctx, s.host.DB, c.EANCode, t)
	if err != nil {
		return newest, nil, err
	}
	month := newest
	for range maxMonthsBack {
		if t.contains(month) {
			if a, ok := usageBetween(readings, month, c.Commodity); ok {
				return month, []Quantity{{From: month.from, Until: month.until, Amounts: a}}, nil
			}
		}
		month = span{from: month.from.AddMonths(-1), until: month.from}
	}
	return newest, nil, nil
}

// prices returns the prices that were agreed for a connection, each for the days of its agreement. Prices without a commodity have no kind,
// and make the cost of both unknown.
func (s *service) prices(ctx context.Context, c Connection, agreements []Agreement) ([]Price, error) {
	all, err := billingapi.New(s.host.Client).ListPrices(ctx)
	if err != nil {
		return nil, err
	}
	var out []Price
	for _, one := range all {
		supplies := slices.ContainsFunc(agreements, func(a Agreement) bool {
			return a.WithSequence == one.AgreementIdentifierWithSequence && a.Status != cancelled && c.belongsTo(a)
		})
		if !supplies {
			continue
		}
		for _, p := range one.Prices {
			if p.Commodity != string(c.Commodity) && p.Commodity != "NONE" {
				continue
			}
			amount, err := value.ParsePrice(p.Amount.String())
			if err != nil {
				return nil, err
			}
			price := Price{Kind: PriceKind(p.Kind), Unit: p.Unit, Amount: amount, IncludesVAT: p.IncludesVat, From: later(p.From, one.Period.From),
				Until: earlierEnd(p.To, one.Period.To)}
			if price.Until.IsZero() || price.From.Before(price.Until) {
				out = append(out, price)
			}
		}
	}
	return out, nil
}

// earlierEnd returns the day after the first of two last days; zero if both are open.
func earlierEnd(a, b *value.Day) value.Day {
	switch {
	case a == nil && b == nil:
		return value.Day{}
	case a == nil || b != nil && b.Before(*a):
		return b.AddDays(1)
	}
	return a.AddDays(1)
}
