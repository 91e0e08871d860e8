package marketplace

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/market"
	"github.com/wattle-portal/wattle/modules/production/productionapi"
)

// production is a stub of module production. It returns the months of 2025 and 2024 of project WP, with 100 and 200 kWh each, and a value
// of 0.08 euro for a kWh. It counts its calls and fails while down is true.
func production(calls *int, down *bool) module.Module {
	type input struct {
		Project   string `path:"project"`
		Timeframe string `query:"timeframe_type"`
		Offset    int    `query:"timeframe_offset"`
		Kind      string `query:"view_type"`
	}
	type point struct {
		Value *float64 `json:"value"`
	}
	type price struct {
		Price *float64 `json:"price"`
	}
	type measured struct {
		Projects string `query:"projects"`
	}
	return moduletest.Fake("production", func(a huma.API) {
		module.Route(a, testOp("GET", "/sustainable/measured", "listMeasured"), module.Customer,
			module.Read, func(_ context.Context, in *measured) (*answer[[]productionapi.Measured], error) {
				return &answer[[]productionapi.Measured]{[]productionapi.Measured{{ProjectCode: "ZON", CurrentPower: new(1.0)},
					{ProjectCode: in.Projects[:2], CurrentPower: new(1800.0), PowerPercentage: new(60.0), TodaysProduction: new(12.5),
						TotalProduction: new(4000.0)}}}, nil
			})
		module.Route(a, testOp("GET", "/sustainable/production/{project}", "listProduction"), module.Customer,
			module.Read, func(_ context.Context, in *input) (*answer[[]point], error) {
				*calls++
				if *down {
					return nil, problem.ErrUnavailable
				}
				if in.Project != "WP" || in.Timeframe != "YEAR_MONTHS" || in.Offset > -1 || in.Offset < -2 || in.Kind != "TOTAL_PROJECT" {
					return nil, problem.ErrNotFound
				}
				out := make([]point, 12)
				for i := range out {
					out[i].Value = new(-100.0 * float64(in.Offset))
				}
				return &answer[[]point]{out}, nil
			})
		module.Route(a, testOp("GET", "/sustainable/yield-price", "getYieldPrice"), module.Customer,
			module.Read, func(context.Context, *struct{}) (*answer[price], error) {
				if *down {
					return nil, problem.ErrUnavailable
				}
				return &answer[price]{price{new(0.08)}}, nil
			})
	})
}

func TestMarketTellsOfProjects(t *testing.T) {
	calls, down := 0, false
	moduletest.EachEngine(t, moduletest.Options{Siblings: []module.Module{production(&calls, &down)}}, func(t *testing.T,
		o moduletest.Options) {
		calls, down = 0, true
		w := openMarket(t, o, testSettings())
		t.Run("7.6-projects-array", func(t *testing.T) { // nested and flat fields
			p := call[[]m](w, 200, member("1"), "GET", "/sustainable/projects?projectCodes=WP", nil)[0]
			assert.Equal(t, m{"current_power": 1800.0, "total_production": 4000.0, "todays_production": 12.5}, p["production"])
			assert.Equal(t, []any{1800.0, 60.0, 12.5, 4000.0}, []any{p["current_power"], p["power_percentage"], p["todays_production"],
				p["total_production"]})
		})
		t.Run("9-offer-project", func(t *testing.T) {
			w := w.in(t)
			for range 3 {
				all := call[[]market.MarketProject](w, 200, member("3"), "GET", "/sustainable/market/projects", nil)
				assert.Nil(t, all[0].Yield, "production is down")
			}
			assert.Equal(t, 1, calls, "and not asked again at once")
			w.Clock.Advance(30 * time.Second)
			calls, down = 0, false
			for range 3 {
				all := call[[]market.MarketProject](w, 200, member("3"), "GET", "/sustainable/market/projects", nil)
				assert.Equal(t, &market.ShareYield{Year: 2025, Energy: 40}, all[0].Yield, "of each of the 30 shares")
				assert.Equal(t, "2020-01-01", all[0].Start.String())
				assert.Nil(t, all[1].Yield, "not measured")
			}
			assert.Equal(t, 2, calls, "once for each project")
			w.Clock.Advance(time.Hour)
			call[[]market.MarketProject](w, 200, member("3"), "GET", "/sustainable/market/projects", nil)
			assert.Equal(t, 4, calls)
			w.days(365) // the last year is now 2026; 2025 is no longer shown
			late := projectRecordOf("NEW")
			w.load("project", strings.Replace(late, `"project_start_date":"2020-01-01"`, `"project_start_date":"2026-03-01"`, 1))
			for _, p := range call[[]market.MarketProject](w, 200, member("3"), "GET", "/sustainable/market/projects", nil) {
				if p.Code == "NEW" {
					assert.Nil(t, p.Yield, "it did not run all year")
				}
			}
			assert.Equal(t, 6, calls, "and is not asked for")
		})
	})
}

func TestOfferDetails(t *testing.T) {
	calls, down := 0, false
	moduletest.EachEngine(t, moduletest.Options{Siblings: []module.Module{production(&calls, &down)}}, func(t *testing.T,
		o moduletest.Options) {
		calls, down = 0, false
		w := openMarket(t, o, testSettings())
		w.load("project", strings.Replace(projectRecordOf("WP"), `"project_code"`, `"owner_debtor_number":"1","project_code"`, 1))
		made := call[m](w, 201, member("1"), "POST", "/sustainable/offers", newOffer("P-1", 4, "project_code", "WP", "offer_type", "public"))
		path := "/sustainable/offers/" + made["identifier"].(string)
		t.Run("9-offer-page", func(t *testing.T) {
			w := w.in(t)
			call[m](w, 200, member("1"), "GET", path, nil) // the seller can see the offer before it is approved
			call[m](w, 404, member("2"), "GET", path, nil)
			call[m](w, 404, member("2"), "GET", "/sustainable/offers/none", nil)
			w.decide(w.changeOf(made["identifier"].(string)), module.Processed, "")
			d := call[market.OfferDetails](w, 200, member("2"), "GET", path, nil)
			assert.Equal(t, "2020-01-01", d.Start.String())
			assert.Equal(t, "2026-12-21", d.First.String())
			assert.Equal(t, []market.YearYield{{Year: 2025, Energy: new(40.0)}, {Year: 2024, Energy: new(80.0)}, {Year: 2023}}, d.Yields)
			assert.Equal(t, new(0.08), d.Price)
			assert.Empty(t, d.Offer.Participation, "it is the seller's")
		})
		t.Run("9-offer-payback", func(t *testing.T) {
			d := call[market.OfferDetails](w.in(t), 200, member("2"), "GET", path, nil)
			assert.Equal(t, new(20.8), d.Payback, "100 euro, for 60 kWh a year of 0.08 euro")
		})
		t.Run("9-offer-seller", func(t *testing.T) {
			w := w.in(t)
			assert.Equal(t, "PROJECT", call[market.OfferDetails](w, 200, member("2"), "GET", path, nil).Offer.Seller)
			w.load("project", strings.Replace(projectRecordOf("WP"), `"project_code"`, `"owner_debtor_number":"9","project_code"`, 1))
			assert.Equal(t, "MEMBER", call[market.OfferDetails](w, 200, member("2"), "GET", path, nil).Offer.Seller)
		})
		t.Run("9-offer-page", func(t *testing.T) {
			w := w.in(t)
			w.Clock.Advance(2 * time.Hour)
			calls, down = 0, true
			d := call[market.OfferDetails](w, 200, member("2"), "GET", path, nil)
			assert.Zero(t, calls, "production, which did not say the price, is not asked for yields at once")
			assert.Nil(t, d.Price)
			assert.Nil(t, d.Payback)
			assert.Equal(t, []market.YearYield{{Year: 2025}, {Year: 2024}, {Year: 2023}}, d.Yields)
		})
	})
}
