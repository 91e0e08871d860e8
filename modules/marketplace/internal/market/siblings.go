package market

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
	"github.com/wattle-portal/wattle/modules/production/productionapi"
)

// yieldIn returns the yield of one share of a project in a calendar year; nil when it is unknown, when the project did not run all year,
// or when production is unavailable.
func (s *Service) yieldIn(ctx context.Context, p project.Document, shares int64, year int) *ShareYield {
	now := s.host.Now()
	if p.Start.After(value.Day{Year: year, Month: time.January, Day: 1}) {
		return nil
	}
	failed := module.ScopeOf(ctx).Label + "\x00"
	key := fmt.Sprint(failed, p.Code, "\x00", year)
	if y, ok := s.yields.get(key, now); ok {
		return y
	}
	if _, ok := s.yields.get(failed, now); ok {
		return nil
	}
	view := productionapi.ListProductionParams{TimeframeType: "YEAR_MONTHS", ViewType: "TOTAL_PROJECT",
		TimeframeOffset: int64(year - module.Today(ctx, now).Year)}
	points, err := productionapi.New(s.host.Client).ListProduction(ctx, p.Code, view)
	if err != nil && !errors.Is(sibling.MapNotFound(err), problem.ErrNotFound) {
		s.host.Log.WarnContext(ctx, "it is not known what a project yields", "project", p.Code, "error", err)
		s.yields.put(failed, nil, now.Add(yieldPause))
		return nil
	}
	months := make([]*float64, len(points))
	for i, point := range points {
		months[i] = point.Value
	}
	y := yieldOf(year, months, shares)
	s.yields.put(key, y, now.Add(yieldLife))
	return y
}

// yieldPrice returns the current value in euros of a kWh of a share; nil when the label has no price or production is unavailable. After a
// failure production is not called for yieldPause.
func (s *Service) yieldPrice(ctx context.Context) *float64 {
	now, failed := s.host.Now(), module.ScopeOf(ctx).Label+"\x00"
	if _, ok := s.yields.get(failed, now); ok {
		return nil
	}
	price, err := productionapi.New(s.host.Client).GetYieldPrice(ctx)
	if err != nil && !errors.Is(sibling.MapNotFound(err), problem.ErrNotFound) {
		s.host.Log.WarnContext(ctx, "it is not known what a kWh of a share is worth", "error", err)
		s.yields.put(failed, nil, now.Add(yieldPause))
	}
	return price.Price
}
