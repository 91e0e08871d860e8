package marketplace

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/production/productionapi"
)

// ShareYield is what one share of a project yielded in a calendar year.
type ShareYield struct {
	Year   int     `json:"year" doc:"The last calendar year"`
	Energy float64 `json:"energy" doc:"kWh, with one decimal"`
}

// yieldLife is how long a yield is kept. It changes once a year, and when measurements of that year are corrected.
const yieldLife = time.Hour

// yieldPause is how long production is not asked after it failed, so that the market does not wait for it at every visit and project.
const yieldPause = 30 * time.Second

// yields keeps the yields of projects, because every visit of the market asks for all of them.
type yields struct {
	mu    sync.Mutex
	known map[string]knownYield // key: label and project; without a project: production has failed
}

type knownYield struct {
	yield *ShareYield
	until time.Time
}

// get returns a yield that is still known at a time.
func (y *yields) get(key string, now time.Time) (yield *ShareYield, ok bool) {
	y.mu.Lock()
	defer y.mu.Unlock()
	k, ok := y.known[key]
	return k.yield, ok && now.Before(k.until)
}

func (y *yields) put(key string, yield *ShareYield, until time.Time) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.known == nil {
		y.known = map[string]knownYield{}
	}
	y.known[key] = knownYield{yield, until}
}

// yieldOf returns what one share of a project with a number of shares yielded, given what the project produced in each month of a year
// (9-offer-project). It is nil when a month was not measured or there are no shares: a part of a year says nothing about a year.
func yieldOf(year int, months []*float64, shares int64) *ShareYield {
	sum := 0.0
	for _, m := range months {
		if m == nil {
			return nil
		}
		sum += *m
	}
	if len(months) != 12 || shares <= 0 {
		return nil
	}
	return &ShareYield{year, math.Round(sum/float64(shares)*10) / 10}
}

// sharesYield returns the yield of one of a project's shares in the last calendar year; nil when it is unknown, when the project did not
// run all year, and when production cannot be reached.
func (s *service) sharesYield(ctx context.Context, p projectDocument, shares int64) *ShareYield {
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
	if err != nil && !errors.Is(known(err), problem.ErrNotFound) {
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
