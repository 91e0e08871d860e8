package main_test

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

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/storetest"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/modules/production"
)

// made is a point as it stands in the answer.
type made struct {
	Labels  map[string]any `json:"labels"`
	Value   *float64       `json:"value"`
	Rounded *float64       `json:"rounded_value"`
	Record  bool           `json:"record"`
}

const made3 = "/sustainable/production/"

func (c customer) made(t *testing.T, path string) (out []made) {
	t.Helper()
	a := c.do(http.MethodGet, made3+path, nil)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	require.True(t, strings.HasPrefix(strings.TrimSpace(string(a.Body)), "["), "a bare array")
	a.JSON(t, &out)
	return out
}

// told are the labels but the date of every point, and the dates.
func told(points []made) (labels, dates []string) {
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

func values(points []made) (out []any) {
	for _, p := range points {
		if p.Value == nil {
			out = append(out, nil)
			continue
		}
		out = append(out, *p.Value)
	}
	return out
}

// produced is a day of a project: each hour the same.
func produced(project, day string, kwh float64, hours int) object {
	return object{"project_code": project, "day": day, "hours": slices.Repeat([]float64{kwh}, hours), "unit": "kWh"}
}

// The clock stands at Friday 20 November 2026, eleven o'clock in the label's zone.
func TestProductionSeries(t *testing.T) {
	t.Parallel()
	o := apptest.Options{Modules: []module.Module{account.Module, billing.Module, marketplace.Module, production.Module},
		Labels: []apptest.Label{{Key: "alpha"}, {Key: "beta"}}}
	apptest.Each(t, o, func(t *testing.T, s *apptest.Server) {
		all := &members{customers: &customers{Server: s, t: t}}
		all.project()
		who := all.with(t, 20)
		require.Empty(t, records(t, s, "production_day",
			produced(marketProject, "2024-02-29", 10, 24), produced(marketProject, "2025-12-31", 20, 24),
			produced(marketProject, "2026-03-29", 1, 23), produced(marketProject, "2026-10-25", 2, 25),
			produced(marketProject, "2026-11-01", 3, 24), produced(marketProject, "2026-11-16", 4.0004, 24),
			object{"project_code": marketProject, "day": "2026-11-20", "hours": append([]any{0, "1.5", nil, 12.3456}, slices.Repeat([]any{nil}, 20)...)},
			produced("WND-WJ", "2026-11-20", 7, 24)))
		t.Run("views", func(t *testing.T) { productionViews(t, who) })
		t.Run("defaults", func(t *testing.T) { productionDefaults(t, s, who) })
		t.Run("shares", func(t *testing.T) { productionOfShares(t, all, who) })
		t.Run("records", func(t *testing.T) { productionRecords(t, s, who) })
		t.Run("catalogue", func(t *testing.T) { storetest.LabelKeyEverywhere(t, s.Store) })
	})
}

func productionViews(t *testing.T, who member) {
	view := func(timeframe string, offset int) []made {
		return who.made(t, fmt.Sprintf("%s?timeframe_type=%s&timeframe_offset=%d&view_type=TOTAL_PROJECT", marketProject, timeframe, offset))
	}
	t.Run("7.6-get-production,7.6-production-array,4-production-types", func(t *testing.T) {
		years := view("YEAR3_YEARS", 0)
		labels, dates := told(years)
		assert.Equal(t, []string{"year 2024", "year 2025", "year 2026"}, labels)
		assert.Equal(t, []string{"2024-01-01", "2025-01-01", "2026-01-01"}, dates)
		assert.Equal(t, []any{240.0, 480.0, 23 + 50 + 72 + 96.0 + 13.846}, values(years))

		months := view("YEAR_MONTHS", 0)
		labels, dates = told(months)
		assert.Len(t, months, 12)
		assert.Equal(t, []string{"month 1", "month 2", "month 3"}, labels[:3])
		assert.Equal(t, "2026-12-01", dates[11])
		assert.Equal(t, []any{nil, nil, 23.0, nil, nil, nil, nil, nil, nil, 50.0, 72 + 96.0 + 13.846, nil}, values(months))
		assert.Equal(t, 480.0, *view("YEAR_MONTHS", -1)[11].Value)

		weeks := view("WEEK4_WEEKS", 0)
		labels, dates = told(weeks)
		assert.Equal(t, []string{"week 44", "week 45", "week 46", "week 47"}, labels)
		assert.Equal(t, []string{"2026-10-26", "2026-11-02", "2026-11-09", "2026-11-16"}, dates)
		assert.Equal(t, []any{72.0, nil, nil, 96 + 13.846}, values(weeks))
		labels, dates = told(view("WEEK4_WEEKS", -1))
		assert.Equal(t, []string{"week 40", "week 41", "week 42", "week 43"}, labels)
		assert.Equal(t, "2026-09-28", dates[0])

		days := view("MONTH_DAYS", 0)
		labels, _ = told(days)
		assert.Len(t, days, 30)
		assert.Equal(t, []string{"day 1", "day 2"}, labels[:2])
		assert.Equal(t, []any{72.0, 96.0, 13.846, nil}, []any{*days[0].Value, *days[15].Value, *days[19].Value, values(days)[20]})
		_, dates = told(view("MONTH_DAYS", -33))
		assert.Equal(t, []string{"2024-02-01", "2024-02-29"}, []string{dates[0], dates[28]})

		hours := view("DAY_HOURS", 0)
		labels, dates = told(hours)
		assert.Len(t, hours, 24)
		assert.Equal(t, []string{"hour 0", "hour 1"}, labels[:2])
		assert.Equal(t, "2026-11-20", dates[23])
		assert.Equal(t, []any{0.0, 1.5, nil, 12.346, nil}, values(hours)[:5], "what was not measured is no zero")
	})
	t.Run("the days on which the clock changes", func(t *testing.T) {
		spring, autumn := view("DAY_HOURS", -236), view("DAY_HOURS", -26)
		labels, dates := told(spring)
		assert.Equal(t, "2026-03-29", dates[0])
		assert.Equal(t, []string{"hour 0", "hour 1", "hour 3"}, labels[:3])
		assert.Len(t, spring, 23)
		labels, dates = told(autumn)
		assert.Equal(t, "2026-10-25", dates[0])
		assert.Equal(t, []string{"hour 1", "hour 2", "hour 2", "hour 3"}, labels[1:5])
		assert.Len(t, autumn, 25)
		assert.Equal(t, 2.0, *autumn[24].Value)
	})
	t.Run("3-production-point-fields,3-production-point-record", func(t *testing.T) {
		a := who.do(http.MethodGet, made3+marketProject+"?timeframe_type=DAY_HOURS", nil)
		var raw []map[string]json.RawMessage
		a.JSON(t, &raw)
		assert.Equal(t, []string{"labels", "record", "rounded_value", "value"}, slices.Sorted(maps.Keys(raw[3])))
		assert.JSONEq(t, `{"labels":{"hour":3,"date":{"year":2026,"month":11,"day":20}},"value":12.346,"rounded_value":12,"record":true}`, line(t, raw[3]))
		assert.JSONEq(t, `{"labels":{"hour":2,"date":{"year":2026,"month":11,"day":20}},"value":null,"rounded_value":null,"record":false}`, line(t, raw[2]))
		for i, p := range view("YEAR3_YEARS", 0) {
			assert.Equal(t, i == 1, p.Record, "the highest, and no other")
		}
		for _, p := range view("YEAR3_YEARS", -1) {
			assert.False(t, p.Record, "of nothing there is no highest")
		}
	})
	t.Run("refused", func(t *testing.T) {
		for _, bad := range []string{"timeframe_offset=1", "timeframe_offset=x", "timeframe_type=DECADE", "view_type=MINE", "timeframe_type=YEAR3_YEARS&timeframe_offset=-400", "timeframe_offset=-40001"} {
			assert.Equal(t, http.StatusBadRequest, who.do(http.MethodGet, made3+marketProject+"?"+bad, nil).Status, bad)
		}
		for _, unknown := range []string{"NONE", "a%2Fb", strings.Repeat("x", 65)} {
			assert.Equal(t, http.StatusNotFound, who.do(http.MethodGet, made3+unknown, nil).Status, unknown)
		}
		assert.Equal(t, http.StatusUnauthorized, who.s.Do(apptest.Call{Path: made3 + marketProject}).Status)
	})
}

func line(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

func productionDefaults(t *testing.T, s *apptest.Server, who member) {
	t.Run("7.6-production-defaults,4-production-default-reconcile", func(t *testing.T) {
		bare := who.made(t, marketProject)
		assert.Equal(t, who.made(t, marketProject+"?timeframe_type=DAY_HOURS&timeframe_offset=0&view_type=TOTAL_PROJECT"), bare)
		assert.Len(t, bare, 24)
		a := who.do(http.MethodGet, strings.TrimSuffix(made3, "/"), nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		var wj []made
		a.JSON(t, &wj)
		assert.Equal(t, who.made(t, "WND-WJ"), wj)
		assert.Equal(t, 7.0, *wj[0].Value)
		assert.Len(t, who.made(t, marketProject+"?timeframe_type=WEEK4_WEEKS"), 4, "what is asked for goes before a default")
	})
	t.Run("another label", func(t *testing.T) {
		token := s.Customer("beta", value.StableID("beta", "relation", "1"))
		assert.Equal(t, http.StatusNotFound, s.Do(apptest.Call{Host: "beta.localhost", Path: made3 + marketProject, Bearer: token}).Status)
	})
	t.Run("updated", func(t *testing.T) {
		assert.Equal(t, map[string]any{"until": "2026-11-20T04:00:00+01:00"}, who.get(t, made3+marketProject+"/updated"))
		assert.Equal(t, http.StatusNotFound, who.do(http.MethodGet, made3+"NONE/updated", nil).Status)
	})
}

func productionOfShares(t *testing.T, all *members, who member) {
	s := all.Server
	t.Run("7.6-production-kind", func(t *testing.T) {
		require.Empty(t, records(t, s, "project", object{"project_code": "SH", "project_name": "Delen", "project_type": "SOLAR"}))
		require.Empty(t, records(t, s, "participation",
			object{"debtor_number": who.debtor, "participation_identifier": "SH-1", "project_code": "SH", "share": 30, "address": place(1),
				"shares": []object{{"from_date": "2026-01-01", "share": 10}, {"from_date": "2026-11-18", "share": 30}}},
			object{"debtor_number": "9", "participation_identifier": "SH-2", "project_code": "SH", "share": 70, "address": place(2),
				"shares": []object{{"from_date": "2026-01-01", "share": 30}, {"from_date": "2026-11-18", "share": 70}}}))
		require.Empty(t, records(t, s, "production_day", produced("SH", "2025-12-31", 5, 24), produced("SH", "2026-11-17", 5, 24), produced("SH", "2026-11-18", 5.00111, 24)))
		const shares, month = "&view_type=SHARES_IN_PROJECT", "SH?timeframe_type=MONTH_DAYS"
		days := who.made(t, month+shares)
		assert.Equal(t, []any{nil, 30.0, 36.007, nil}, values(days)[15:19], "a quarter of 120 kWh, then three tenths")
		assert.Equal(t, 36.01, *days[17].Rounded)
		assert.True(t, days[17].Record)
		assert.Equal(t, []any{120.0, 120.024}, values(who.made(t, month))[16:18])
		assert.Equal(t, 120.0, *who.made(t, month)[17].Rounded)
		assert.Equal(t, 66.007, *who.made(t, "SH?timeframe_type=WEEK4_WEEKS"+shares)[3].Value, "each day by the shares of that day")
		assert.Equal(t, 1.25, *who.made(t, "SH?timeframe_offset=-3"+shares)[0].Value)
		assert.Nil(t, who.made(t, "SH?timeframe_type=YEAR_MONTHS&timeframe_offset=-1"+shares)[11].Value, "nobody had shares yet")
		other := all.with(t, 5)
		assert.Equal(t, 0.0, *other.made(t, month+shares)[16].Value)
		assert.Equal(t, http.StatusNotFound, who.do(http.MethodGet, made3+"WND-WJ?view_type=SHARES_IN_PROJECT", nil).Status, "the marketplace knows of no such project")
	})
}

func productionRecords(t *testing.T, s *apptest.Server, who member) {
	bad := func(kind, want string, r object) {
		t.Helper()
		refused := records(t, s, kind, r)
		require.Len(t, refused, 1, want)
		assert.Equal(t, want, refused[0].Field+" "+refused[0].Code)
	}
	day := produced("RC", "2026-11-10", 1, 24)
	bad("production_day", "project_code required", with(day, object{"project_code": nil}))
	bad("production_day", "project_code invalid", with(day, object{"project_code": "a b"}))
	bad("production_day", "day required", with(day, object{"day": nil}))
	bad("production_day", "day invalid", with(day, object{"day": "10-11-2026"}))
	bad("production_day", "day production.future", with(day, object{"day": "2026-11-21"}))
	bad("production_day", "hours production.day_length", with(day, object{"hours": []int{1}}))
	bad("production_day", "hours production.day_length", with(day, object{"day": "2026-03-29"}))
	bad("production_day", "hours production.negative", with(day, object{"hours": slices.Repeat([]int{-1}, 24)}))
	bad("production_day", "hours production.number", with(day, object{"hours": slices.Repeat([]string{"veel"}, 24)}))
	bad("production_day", "hours production.number", with(day, object{"hours": slices.Repeat([]string{"NaN"}, 24)}))
	bad("production_day", "hours production.nothing", with(day, object{"hours": slices.Repeat([]any{nil}, 24)}))
	bad("production_day", "unit invalid", with(day, object{"unit": "MWh"}))
	hour := object{"project_code": "RC", "start": "2026-11-10T10:00:00+01:00", "kwh": 2.5}
	bad("production", "start required", with(hour, object{"start": nil}))
	bad("production", "start invalid", with(hour, object{"start": "2026-11-10 10:00"}))
	bad("production", "start production.aligned", with(hour, object{"start": "2026-11-10T10:30:00+01:00"}))
	bad("production", "start production.future", with(hour, object{"start": "2026-11-22T10:00:00+01:00"}))
	bad("production", "kwh production.nothing", with(hour, object{"kwh": nil}))
	bad("production", "kwh production.number", with(hour, object{"kwh": "x"}))

	// The later holds, and what says nothing of an hour leaves it as it was.
	require.Empty(t, records(t, s, "production_day", day))
	require.Empty(t, records(t, s, "production", hour, with(hour, object{"start": "2026-11-10T12:00:00Z", "kwh": "4"})))
	require.Empty(t, records(t, s, "production_day", with(day, object{"hours": append([]any{9}, slices.Repeat([]any{nil}, 23)...)})))
	got := values(who.made(t, "RC?timeframe_offset=-10"))
	assert.Equal(t, []any{9.0, 1.0, 2.5, 1.0, 4.0}, []any{got[0], got[1], got[10], got[12], got[13]})
	assert.Equal(t, 9+2.5+4+21.0, *who.made(t, "RC?timeframe_type=MONTH_DAYS")[9].Value)

	// Twice at once lose nothing.
	done := make(chan []record.Refusal, 2)
	for n := range 2 {
		at := time.Date(2026, 11, 12, n, 0, 0, 0, time.UTC).Format(time.RFC3339)
		go func() { done <- records(t, s, "production", object{"project_code": "TW", "start": at, "kwh": 1}) }()
	}
	assert.Empty(t, append(<-done, <-done...))
	assert.Equal(t, 2.0, *who.made(t, "TW?timeframe_type=MONTH_DAYS")[11].Value)
}
