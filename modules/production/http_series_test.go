package production_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/modules/production"
	"github.com/wattle-portal/wattle/test/fixture"
)

// labelsOf returns the labels of every point without their dates, and the dates.
func labelsOf(points []fixture.ProductionPoint) (labels, dates []string) {
	for _, p := range points {
		for _, k := range slices.Sorted(maps.Keys(p.Labels)) {
			if k != "date" {
				labels = append(labels, fmt.Sprint(k, " ", p.Labels[k]))
			}
		}
		d := p.Labels["date"].(map[string]any)
		dates = append(dates, fmt.Sprintf("%v-%02v-%02v", d["year"], d["month"], d["day"]))
	}
	return labels, dates
}

func values(points []fixture.ProductionPoint) (out []any) {
	for _, p := range points {
		if p.Value == nil {
			out = append(out, nil)
			continue
		}
		out = append(out, *p.Value)
	}
	return out
}

// The clock is set to Friday 20 November 2026, 11:00 in the label's zone.
func TestProductionSeries(t *testing.T) {
	t.Parallel()
	o := portaltest.Options{Modules: []module.Module{account.Module, billing.Module, marketplace.Module, production.Module},
		CUE: fixture.SandboxPayments, Labels: []portaltest.Label{{Key: "alpha"}, {Key: "beta"}}}
	portaltest.Each(t, o, func(t *testing.T, s *portaltest.Portal) {
		all := &fixture.Members{Customers: &fixture.Customers{Portal: s, T: t}}
		all.Project()
		who := all.With(t, 20)
		require.Empty(t, fixture.Records(t, s, "production_day",
			fixture.ProducedOn(fixture.MarketProject, "2024-02-29", 10, 24), fixture.ProducedOn(fixture.MarketProject, "2025-12-31", 20, 24),
			fixture.ProducedOn(fixture.MarketProject, "2026-03-29", 1, 23), fixture.ProducedOn(fixture.MarketProject, "2026-10-25", 2, 25),
			fixture.ProducedOn(fixture.MarketProject, "2026-11-01", 3, 24), fixture.ProducedOn(fixture.MarketProject, "2026-11-16", 4.0004, 24),
			fixture.Object{"project_code": fixture.MarketProject, "day": "2026-11-20",
				"hours": append([]any{0, "1.5", nil, 12.3456}, slices.Repeat([]any{nil}, 20)...)},
			fixture.ProducedOn("WND-WJ", "2026-11-20", 7, 24)))
		t.Run("views", func(t *testing.T) { testViews(t, who) })
		t.Run("defaults", func(t *testing.T) { testDefaults(t, s, who) })
		t.Run("shares", func(t *testing.T) { testShares(t, all, who) })
		t.Run("records", func(t *testing.T) { testRecords(t, s, who) })
		t.Run("catalogue", func(t *testing.T) { assert.Empty(t, s.TablesWithoutLabelKey()) })
	})
}

func testViews(t *testing.T, who fixture.Member) {
	view := func(timeframe string, offset int) []fixture.ProductionPoint {
		return who.Production(t, fmt.Sprintf("%s?timeframe_type=%s&timeframe_offset=%d&view_type=TOTAL_PROJECT", fixture.MarketProject, timeframe,
			offset))
	}
	t.Run("7.6-get-production,7.6-production-array,4-production-types", func(t *testing.T) {
		years := view("YEAR3_YEARS", 0)
		labels, dates := labelsOf(years)
		assert.Equal(t, []string{"year 2024", "year 2025", "year 2026"}, labels)
		assert.Equal(t, []string{"2024-01-01", "2025-01-01", "2026-01-01"}, dates)
		assert.Equal(t, []any{240.0, 480.0, 23 + 50 + 72 + 96.0 + 13.846}, values(years))

		months := view("YEAR_MONTHS", 0)
		labels, dates = labelsOf(months)
		assert.Len(t, months, 12)
		assert.Equal(t, []string{"month 1", "month 2", "month 3"}, labels[:3])
		assert.Equal(t, "2026-12-01", dates[11])
		assert.Equal(t, []any{nil, nil, 23.0, nil, nil, nil, nil, nil, nil, 50.0, 72 + 96.0 + 13.846, nil}, values(months))
		assert.Equal(t, 480.0, *view("YEAR_MONTHS", -1)[11].Value)

		weeks := view("WEEK4_WEEKS", 0)
		labels, dates = labelsOf(weeks)
		assert.Equal(t, []string{"week 44", "week 45", "week 46", "week 47"}, labels)
		assert.Equal(t, []string{"2026-10-26", "2026-11-02", "2026-11-09", "2026-11-16"}, dates)
		assert.Equal(t, []any{72.0, nil, nil, 96 + 13.846}, values(weeks))
		labels, dates = labelsOf(view("WEEK4_WEEKS", -1))
		assert.Equal(t, []string{"week 40", "week 41", "week 42", "week 43"}, labels)
		assert.Equal(t, "2026-09-28", dates[0])

		days := view("MONTH_DAYS", 0)
		labels, _ = labelsOf(days)
		assert.Len(t, days, 30)
		assert.Equal(t, []string{"day 1", "day 2"}, labels[:2])
		assert.Equal(t, []any{72.0, 96.0, 13.846, nil}, []any{*days[0].Value, *days[15].Value, *days[19].Value, values(days)[20]})
		_, dates = labelsOf(view("MONTH_DAYS", -33))
		assert.Equal(t, []string{"2024-02-01", "2024-02-29"}, []string{dates[0], dates[28]})

		hours := view("DAY_HOURS", 0)
		labels, dates = labelsOf(hours)
		assert.Len(t, hours, 24)
		assert.Equal(t, []string{"hour 0", "hour 1"}, labels[:2])
		assert.Equal(t, "2026-11-20", dates[23])
		assert.Equal(t, []any{0.0, 1.5, nil, 12.346, nil}, values(hours)[:5], "an hour without measurements is null")
	})
	t.Run("9-production-days", func(t *testing.T) {
		const weeks = fixture.MarketProject + "?timeframe_type=WEEK4_WEEKS&daily="
		days := who.Production(t, weeks+"true")
		labels, dates := labelsOf(days)
		require.Len(t, days, 28)
		assert.Equal(t, []string{"2026-10-26", "2026-11-22"}, []string{dates[0], dates[27]})
		for n := range days {
			assert.Equal(t, []string{fmt.Sprintf("day %d", (25+n)%31+1), fmt.Sprintf("week %d", 44+n/7)}, labels[2*n:2*n+2])
		}
		assert.Equal(t, []any{72.0, 96.0, 13.846, nil}, []any{*days[6].Value, *days[21].Value, *days[25].Value, values(days)[26]})
		assert.True(t, days[21].Record)
		for n, week := range who.Production(t, weeks+"false") {
			sum, measured := 0.0, false
			for _, day := range days[7*n : 7*n+7] {
				if day.Value != nil {
					sum, measured = sum+*day.Value, true
				}
			}
			require.Equal(t, measured, week.Value != nil)
			if measured {
				assert.InDelta(t, *week.Value, sum, 0.001)
			}
		}
		_, dates = labelsOf(who.Production(t, weeks+"true&timeframe_offset=-13"))
		assert.Equal(t, "2025-10-27", dates[0], "52 weeks earlier")
		assert.Len(t, who.Production(t, fixture.MarketProject+"?timeframe_type=YEAR_MONTHS&daily=true"), 12)
	})
	t.Run("days of 23 and 25 hours", func(t *testing.T) {
		spring, autumn := view("DAY_HOURS", -236), view("DAY_HOURS", -26)
		labels, dates := labelsOf(spring)
		assert.Equal(t, "2026-03-29", dates[0])
		assert.Equal(t, []string{"hour 0", "hour 1", "hour 3"}, labels[:3])
		assert.Len(t, spring, 23)
		labels, dates = labelsOf(autumn)
		assert.Equal(t, "2026-10-25", dates[0])
		assert.Equal(t, []string{"hour 1", "hour 2", "hour 2", "hour 3"}, labels[1:5])
		assert.Len(t, autumn, 25)
		assert.Equal(t, 2.0, *autumn[24].Value)
	})
	t.Run("3-production-point-fields,3-production-point-record", func(t *testing.T) {
		a := who.Do(http.MethodGet, fixture.ProductionKWh+fixture.MarketProject+"?timeframe_type=DAY_HOURS", nil)
		var raw []map[string]json.RawMessage
		a.JSON(t, &raw)
		assert.Equal(t, []string{"labels", "record", "rounded_value", "value"}, slices.Sorted(maps.Keys(raw[3])))
		assert.JSONEq(t, `{"labels":{"hour":3,"date":{"year":2026,"month":11,"day":20}},"value":12.346,"rounded_value":12,"record":true}`,
			line(t, raw[3]))
		assert.JSONEq(t, `{"labels":{"hour":2,"date":{"year":2026,"month":11,"day":20}},"value":null,"rounded_value":null,"record":false}`,
			line(t, raw[2]))
		for i, p := range view("YEAR3_YEARS", 0) {
			assert.Equal(t, i == 1, p.Record, "only the highest point")
		}
		for _, p := range view("YEAR3_YEARS", -1) {
			assert.False(t, p.Record, "zeros have no highest point")
		}
	})
	t.Run("refused", func(t *testing.T) {
		for _, bad := range []string{"timeframe_offset=1", "timeframe_offset=x", "timeframe_type=DECADE", "view_type=MINE",
			"timeframe_type=YEAR3_YEARS&timeframe_offset=-400", "timeframe_offset=-40001"} {
			assert.Equal(t, http.StatusBadRequest, who.Do(http.MethodGet, fixture.ProductionKWh+fixture.MarketProject+"?"+bad, nil).Status, bad)
		}
		for _, unknown := range []string{"NONE", "a%2Fb", strings.Repeat("x", 65)} {
			assert.Equal(t, http.StatusNotFound, who.Do(http.MethodGet, fixture.ProductionKWh+unknown, nil).Status, unknown)
		}
		assert.Equal(t, http.StatusUnauthorized, who.Portal.Do(portaltest.Call{Path: fixture.ProductionKWh + fixture.MarketProject}).Status)
	})
}

func line(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

func testDefaults(t *testing.T, s *portaltest.Portal, who fixture.Member) {
	t.Run("7.6-production-defaults,4-production-default-reconcile", func(t *testing.T) {
		bare := who.Production(t, fixture.MarketProject)
		assert.Equal(t, who.Production(t, fixture.MarketProject+"?timeframe_type=DAY_HOURS&timeframe_offset=0&view_type=TOTAL_PROJECT"), bare)
		assert.Len(t, bare, 24)
		a := who.Do(http.MethodGet, strings.TrimSuffix(fixture.ProductionKWh, "/"), nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		var wj []fixture.ProductionPoint
		a.JSON(t, &wj)
		assert.Equal(t, who.Production(t, "WND-WJ"), wj)
		assert.Equal(t, 7.0, *wj[0].Value)
		assert.Len(t, who.Production(t, fixture.MarketProject+"?timeframe_type=WEEK4_WEEKS"), 4, "a parameter overrides its default")
	})
	t.Run("another label", func(t *testing.T) {
		token := s.Customer("beta", value.StableID("beta", "relation", "1")).Bearer
		assert.Equal(t, http.StatusNotFound, s.Do(portaltest.Call{Host: "beta.localhost", Path: fixture.ProductionKWh + fixture.MarketProject,
			Bearer: token}).Status)
	})
	t.Run("9-production-running", func(t *testing.T) {
		of := who.Get(t, fixture.ProductionKWh+fixture.MarketProject+"/running")
		assert.Equal(t, []any{"2026-11-13", "2026-11-19"}, []any{of["from"], of["until"]}, "seven whole days")
		assert.Equal(t, http.StatusNotFound, who.Do(http.MethodGet, fixture.ProductionKWh+"NONE/running", nil).Status)
	})
	t.Run("updated", func(t *testing.T) {
		assert.Equal(t, map[string]any{"until": "2026-11-20T04:00:00+01:00"}, who.Get(t, fixture.ProductionKWh+fixture.MarketProject+"/updated"))
		assert.Equal(t, http.StatusNotFound, who.Do(http.MethodGet, fixture.ProductionKWh+"NONE/updated", nil).Status)
	})
}

func testShares(t *testing.T, all *fixture.Members, who fixture.Member) {
	s := all.Portal
	t.Run("7.6-production-kind", func(t *testing.T) {
		require.Empty(t, fixture.Records(t, s, "project", fixture.Object{"project_code": "SH", "project_name": "Delen", "project_type": "SOLAR"}))
		require.Empty(t, fixture.Records(t, s, "participation",
			fixture.Object{"debtor_number": who.Debtor, "participation_identifier": "SH-1", "project_code": "SH", "share": 30,
				"address": fixture.Place(1),
				"shares":  []fixture.Object{{"from_date": "2026-01-01", "share": 10}, {"from_date": "2026-11-18", "share": 30}}},
			fixture.Object{"debtor_number": "9", "participation_identifier": "SH-2", "project_code": "SH", "share": 70, "address": fixture.Place(2),
				"shares": []fixture.Object{{"from_date": "2026-01-01", "share": 30}, {"from_date": "2026-11-18", "share": 70}}}))
		require.Empty(t, fixture.Records(t, s, "production_day", fixture.ProducedOn("SH", "2025-12-31", 5, 24),
			fixture.ProducedOn("SH", "2026-11-17", 5, 24), fixture.ProducedOn("SH", "2026-11-18", 5.00111, 24)))
		const shares, month = "&view_type=SHARES_IN_PROJECT", "SH?timeframe_type=MONTH_DAYS"
		days := who.Production(t, month+shares)
		assert.Equal(t, []any{nil, 30.0, 36.007, nil}, values(days)[15:19], "25% of 120 kWh, then 30%")
		assert.Equal(t, 36.01, *days[17].Rounded)
		assert.True(t, days[17].Record)
		assert.Equal(t, []any{120.0, 120.024}, values(who.Production(t, month))[16:18])
		assert.Equal(t, 120.0, *who.Production(t, month)[17].Rounded)
		assert.Equal(t, 66.007, *who.Production(t, "SH?timeframe_type=WEEK4_WEEKS"+shares)[3].Value,
			"each day counts with the shares of that day")
		assert.Equal(t, 1.25, *who.Production(t, "SH?timeframe_offset=-3"+shares)[0].Value)
		assert.Nil(t, who.Production(t, "SH?timeframe_type=YEAR_MONTHS&timeframe_offset=-1"+shares)[11].Value, "nobody had shares yet")
		other := all.With(t, 5)
		assert.Equal(t, 0.0, *other.Production(t, month+shares)[16].Value)
		assert.Equal(t, http.StatusNotFound, who.Do(http.MethodGet, fixture.ProductionKWh+"WND-WJ?view_type=SHARES_IN_PROJECT", nil).Status,
			"unknown in the marketplace")
	})
}

func testRecords(t *testing.T, s *portaltest.Portal, who fixture.Member) {
	bad := func(kind, want string, r fixture.Object) {
		t.Helper()
		refused := fixture.Records(t, s, kind, r)
		require.Len(t, refused, 1, want)
		assert.Equal(t, want, refused[0].Field+" "+refused[0].Code)
	}
	day := fixture.ProducedOn("RC", "2026-11-10", 1, 24)
	bad("production_day", "project_code required", fixture.With(day, fixture.Object{"project_code": nil}))
	bad("production_day", "project_code invalid", fixture.With(day, fixture.Object{"project_code": "a b"}))
	bad("production_day", "day required", fixture.With(day, fixture.Object{"day": nil}))
	bad("production_day", "day invalid", fixture.With(day, fixture.Object{"day": "10-11-2026"}))
	bad("production_day", "day production.future", fixture.With(day, fixture.Object{"day": "2026-11-21"}))
	bad("production_day", "hours production.day_length", fixture.With(day, fixture.Object{"hours": []int{1}}))
	bad("production_day", "hours production.day_length", fixture.With(day, fixture.Object{"day": "2026-03-29"}))
	bad("production_day", "hours production.negative", fixture.With(day, fixture.Object{"hours": slices.Repeat([]int{-1}, 24)}))
	bad("production_day", "hours production.number", fixture.With(day, fixture.Object{"hours": slices.Repeat([]string{"veel"}, 24)}))
	bad("production_day", "hours production.number", fixture.With(day, fixture.Object{"hours": slices.Repeat([]string{"NaN"}, 24)}))
	bad("production_day", "hours production.nothing", fixture.With(day, fixture.Object{"hours": slices.Repeat([]any{nil}, 24)}))
	bad("production_day", "unit invalid", fixture.With(day, fixture.Object{"unit": "MWh"}))
	hour := fixture.Object{"project_code": "RC", "start": "2026-11-10T10:00:00+01:00", "kwh": 2.5}
	bad("production", "start required", fixture.With(hour, fixture.Object{"start": nil}))
	bad("production", "start invalid", fixture.With(hour, fixture.Object{"start": "2026-11-10 10:00"}))
	bad("production", "start production.aligned", fixture.With(hour, fixture.Object{"start": "2026-11-10T10:30:00+01:00"}))
	bad("production", "start production.future", fixture.With(hour, fixture.Object{"start": "2026-11-22T10:00:00+01:00"}))
	bad("production", "kwh production.nothing", fixture.With(hour, fixture.Object{"kwh": nil}))
	bad("production", "kwh production.number", fixture.With(hour, fixture.Object{"kwh": "x"}))

	// The later record replaces the earlier one, but null leaves an hour unchanged.
	require.Empty(t, fixture.Records(t, s, "production_day", day))
	require.Empty(t, fixture.Records(t, s, "production", hour, fixture.With(hour,
		fixture.Object{"start": "2026-11-10T12:00:00Z", "kwh": "4"})))
	require.Empty(t, fixture.Records(t, s, "production_day", fixture.With(day,
		fixture.Object{"hours": append([]any{9}, slices.Repeat([]any{nil}, 23)...)})))
	got := values(who.Production(t, "RC?timeframe_offset=-10"))
	assert.Equal(t, []any{9.0, 1.0, 2.5, 1.0, 4.0}, []any{got[0], got[1], got[10], got[12], got[13]})
	assert.Equal(t, 9+2.5+4+21.0, *who.Production(t, "RC?timeframe_type=MONTH_DAYS")[9].Value)

	// Two concurrent imports lose nothing.
	done := make(chan []record.Refusal, 2)
	for n := range 2 {
		at := time.Date(2026, 11, 12, n, 0, 0, 0, time.UTC).Format(time.RFC3339)
		go func() {
			done <- fixture.Records(t, s, "production", fixture.Object{"project_code": "TW", "start": at, "kwh": 1})
		}()
	}
	assert.Empty(t, append(<-done, <-done...))
	assert.Equal(t, 2.0, *who.Production(t, "TW?timeframe_type=MONTH_DAYS")[11].Value)
}
