package production

import (
	"context"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

func (s *service) yieldRoutes() {
	module.Route(s.API, op(http.MethodGet, "/sustainable/yields", "listYields", "List the current and past production of the caller's shares",
		"For customers. One entry for each project in which the caller has shares, in the order of their codes. "+
			// 9-yields
			"Each day counts with the shares of that day. Empty when the label has no marketplace."), module.Customer, module.Read, s.listYields)
	module.Route(s.API, op(http.MethodGet, "/sustainable/yield-price", "getYieldPrice", "Get what a kWh of a share is worth today",
		// 9-yield-price
		"For customers. The price of the label that holds today; null when the label has none."), module.Customer, module.Read, s.getYieldPrice)
}

type priceAnswer struct {
	Body struct {
		Price *float64 `json:"price" doc:"Euro per kWh of a share today; null: not known"`
	}
}

func (s *service) getYieldPrice(ctx context.Context, _ *struct{}) (*priceAnswer, error) {
	set, err := module.Settings[Settings](ctx)
	out := &priceAnswer{}
	if price, ok := sorted(set.YieldPrices).on(module.Today(ctx, s.host.Now())); ok {
		out.Body.Price = &price
	}
	return out, err
}

type yieldsAnswer struct {
	Body []Yield `nullable:"false"`
}

func (s *service) listYields(ctx context.Context, _ *struct{}) (*yieldsAnswer, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	now, err := s.sharesNow(ctx, nil)
	if err != nil {
		return nil, err
	}
	codes := own(now)
	states, loc, err := s.statesOf(ctx, codes)
	if err != nil {
		return nil, err
	}
	powers := map[string]present{}
	for _, x := range states {
		powers[x.code] = x.now(loc, s.host.Now())
	}
	out, today, prices := &yieldsAnswer{[]Yield{}}, module.Today(ctx, s.host.Now()), sorted(set.YieldPrices)
	for _, code := range codes {
		owned, err := s.sharesOf(ctx, code)
		if err != nil {
			return nil, err
		}
		days, err := daysOf(ctx, s.host.DB, code, value.Day{Year: today.Year - 1, Month: time.January, Day: 1}, today.AddDays(1))
		if err != nil {
			return nil, err
		}
		y, p := yieldOf(code, owned, days, today, prices), powers[code]
		y.Own, y.All, y.ProjectPower, y.At = now[code].Own, now[code].All, p.power, p.at
		if p.power != nil && y.All > 0 {
			y.Power = new(round(*p.power*float64(y.Own)/float64(y.All), 3))
		}
		out.Body = append(out.Body, y)
	}
	return out, nil
}
