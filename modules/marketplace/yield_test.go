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
)

// production is a stub that knows the months of 2025 of project WP, in which 100 kWh were produced each, and counts its calls. While
// down is true it fails.
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
	return moduletest.Fake("production", func(a huma.API) {
		module.Route(a, testOp("GET", "/sustainable/production/{project}", "listProduction"), module.Customer, module.Read, func(_ context.Context, in *input) (*answer[[]point], error) {
			*calls++
			if *down {
				return nil, problem.ErrUnavailable
			}
			if in.Project != "WP" || in.Timeframe != "YEAR_MONTHS" || in.Offset != -1 || in.Kind != "TOTAL_PROJECT" {
				return nil, problem.ErrNotFound
			}
			out := make([]point, 12)
			for i := range out {
				out[i].Value = new(100.0)
			}
			return &answer[[]point]{out}, nil
		})
	})
}

func TestMarketTellsOfProjects(t *testing.T) {
	calls, down := 0, false
	moduletest.Engines(t, moduletest.Options{Siblings: []module.Module{production(&calls, &down)}}, func(t *testing.T, o moduletest.Options) {
		calls, down = 0, true
		w := openMarket(t, o, testSettings())
		t.Run("9-offer-project", func(t *testing.T) {
			w := w.in(t)
			for range 3 {
				all := call[[]MarketProject](w, 200, member("3"), "GET", "/sustainable/market/projects", nil)
				assert.Nil(t, all[0].Yield, "production is down")
			}
			assert.Equal(t, 1, calls, "and not asked again at once")
			w.Clock.Advance(yieldPause)
			calls, down = 0, false
			for range 3 {
				all := call[[]MarketProject](w, 200, member("3"), "GET", "/sustainable/market/projects", nil)
				assert.Equal(t, &ShareYield{2025, 40}, all[0].Yield, "of each of the 30 shares")
				assert.Equal(t, "2020-01-01", all[0].Start.String())
				assert.Nil(t, all[1].Yield, "not measured")
			}
			assert.Equal(t, 2, calls, "once for each project")
			w.Clock.Advance(yieldLife)
			call[[]MarketProject](w, 200, member("3"), "GET", "/sustainable/market/projects", nil)
			assert.Equal(t, 4, calls)
			w.days(365) // the last year is 2026 now; of 2025 nothing is said any more
			late := projectRecordOf("NEW")
			w.load("project", strings.Replace(late, `"project_start_date":"2020-01-01"`, `"project_start_date":"2026-03-01"`, 1))
			for _, p := range call[[]MarketProject](w, 200, member("3"), "GET", "/sustainable/market/projects", nil) {
				if p.Code == "NEW" {
					assert.Nil(t, p.Yield, "it did not run all year")
				}
			}
			assert.Equal(t, 6, calls, "and is not asked for")
		})
	})
}

func TestYieldOfAShare(t *testing.T) {
	year := func(kwh ...float64) (months []*float64) {
		for _, k := range kwh {
			months = append(months, &k)
		}
		return months
	}
	full := year(100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100.5)
	t.Run("9-offer-project", func(t *testing.T) {
		assert.Equal(t, &ShareYield{2025, 12}, yieldOf(2025, full, 100))
		assert.Equal(t, &ShareYield{2025, 400.2}, yieldOf(2025, full, 3), "rounded to one decimal, once")
		assert.Nil(t, yieldOf(2025, full, 0), "nobody has shares")
		assert.Nil(t, yieldOf(2025, append(year(), append(full[:11:11], nil)...), 100), "a month was not measured")
		assert.Nil(t, yieldOf(2025, full[:11], 100))
		assert.Nil(t, yieldOf(2025, nil, 100), "not measured at all")
	})
	t.Run("it is kept for an hour, by label and project", func(t *testing.T) {
		var y yields
		now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
		y.put("a", &ShareYield{2025, 3}, now.Add(yieldLife))
		y.put("none", nil, now.Add(yieldLife))
		got, ok := y.get("a", now.Add(yieldLife-time.Second))
		assert.True(t, ok)
		assert.Equal(t, &ShareYield{2025, 3}, got)
		_, ok = y.get("a", now.Add(yieldLife))
		assert.False(t, ok)
		_, ok = y.get("b", now)
		assert.False(t, ok)
		got, ok = y.get("none", now)
		assert.True(t, ok, "that nothing is known is known too")
		assert.Nil(t, got)
	})
}
