package market

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/share"
)

// yieldYears is the number of past calendar years for which an offer shows the yield.
const yieldYears = 3

// OfferDetails is an offer with the project data that a buyer needs (9-offer-page).
type OfferDetails struct {
	Offer           offer.MarketOffer `json:"offer" doc:"The offer as the market shows it"`
	Start           *value.Day        `json:"project_start_date" nullable:"true" doc:"First day of the project; null: unknown"`
	Statutes        string            `json:"statutes_location" doc:"Link to the statutes; empty: none"`
	MemberAgreement string            `json:"member_agreement_location" doc:"Link to the member agreement; empty: none"`
	First           value.Day         `json:"first_transfer_date" doc:"First day on which shares that are ordered today can belong to the buyer"`
	Costs           value.Cents       `json:"administration_costs" doc:"Administration costs in euros of an order that is transferred on that day"`
	Yields          []YearYield       `json:"yields" nullable:"false" doc:"What one share yielded in the last three calendar years, newest first"`
	Price           *float64          `json:"yield_price" doc:"Current value in euros of a kWh of a share; null: unknown"`
	Payback         *float64          `json:"payback_years" doc:"Years, with one decimal, until the mean of the known yields at yield_price is worth the price of the share; null: unknown"`
}

// YearYield is the yield of one share in a calendar year, if it is known.
type YearYield struct {
	Year   int      `json:"year" doc:"Calendar year"`
	Energy *float64 `json:"energy" doc:"kWh, with one decimal; null: unknown, or the project did not run all year"`
}

type offerInput struct {
	ID string `path:"id" maxLength:"64" doc:"Id of the offer"`
}

type offerAnswer struct{ Body OfferDetails }

func (s *Service) getOffer(ctx context.Context, in *offerInput) (*offerAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	settings, err := module.Settings[moduleSettings](ctx)
	if err != nil {
		return nil, err
	}
	o, err := offer.Find(ctx, s.host.DB, in.ID)
	if err != nil {
		return nil, err
	}
	if !o.Visible(rows.Relation()) {
		return nil, problem.ErrNotFound
	}
	shown, err := s.offers.MarketOffers(ctx, offer.OwnedBy(rows.Relation()), []offer.Offer{*o})
	if err != nil {
		return nil, err
	}
	d, err := project.Find(ctx, s.host.DB, o.ProjectCode)
	if err != nil {
		return nil, err
	}
	now, err := share.Now(ctx, s.host.DB, rows.Relation(), []string{d.Code})
	if err != nil {
		return nil, err
	}
	today := module.Today(ctx, s.host.Now())
	out := OfferDetails{Offer: shown[0], Start: participation.Optional(d.Start), Statutes: d.Statutes, MemberAgreement: d.MemberAgreement,
		First: today.AddDays(settings.Transfer.EarliestDays), Price: s.yieldPrice(ctx), Yields: make([]YearYield, yieldYears)}
	if o.Date.After(out.First) {
		out.First = o.Date
	}
	out.Costs = project.CostOn(d.Costs, out.First)
	view := prospect{Price: o.Price, KWhPrice: out.Price, From: out.First, End: participation.Optional(d.End)}
	for i := range out.Yields {
		y := &out.Yields[i]
		y.Year = today.Year - 1 - i
		if len(now) > 0 {
			if known := s.yieldIn(ctx, d, now[0].All, y.Year); known != nil {
				y.Energy = &known.Energy
			}
		}
		view.Energies = append(view.Energies, y.Energy)
	}
	out.Payback = view.of(1).Years
	return &offerAnswer{out}, nil
}
