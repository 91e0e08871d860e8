package market

import (
	"context"
	"errors"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
	"github.com/wattle-portal/wattle/modules/production/productionapi"
)

// sharesYield returns the yield of one of a project's shares in the last calendar year; nil when it is unknown, when the project did not
// run all year, and when production cannot be reached.
func (s *Service) sharesYield(ctx context.Context, p project.Document, shares int64) *ShareYield {
	now := s.host.Now()
	year := module.Today(ctx, now).Year - 1
	if p.Start.After(value.Day{Year: year, Month: time.January, Day: 1}) {
		return nil
	}
	failed := module.ScopeOf(ctx).Label + "\x00"
	key := failed + p.Code
	if y, ok := s.yields.get(key, now); ok {
		return y
	}
	if _, ok := s.yields.get(failed, now); ok {
		return nil
	}
	points, err := productionapi.New(s.host.Client).ListProduction(ctx, p.Code,
		productionapi.ListProductionParams{TimeframeType: "YEAR_MONTHS", TimeframeOffset: -1, ViewType: "TOTAL_PROJECT"})
	if err != nil && !errors.Is(sibling.Known(err), problem.ErrNotFound) {
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
