package production_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/marketplace"
	"github.com/wattle-portal/wattle/modules/production"
	"github.com/wattle-portal/wattle/test/fixture"
)

const pushMeasurements = "/staff/production/measurements"

// The clock is set to Friday 20 November 2026, 11:00 in the label's zone.
func TestProductionLive(t *testing.T) {
	t.Parallel()
	o := portaltest.Options{Modules: []module.Module{account.Module, billing.Module, marketplace.Module, production.Module},
		CUE:    fixture.SandboxPayments,
		Labels: []portaltest.Label{{Key: "alpha"}, {Key: "beta", CUE: `modules: production: weather: station: "Cadzand"`}}}
	portaltest.Each(t, o, func(t *testing.T, s *portaltest.Portal) {
		all := &fixture.Members{Customers: &fixture.Customers{Portal: s, T: t}}
		all.Project()
		who := all.With(t, 40)
		all.With(t, 60)
		require.Empty(t, fixture.Records(t, s, "production_project", fixture.Object{"project_code": fixture.MarketProject, "rated_power": 2000,
			"weather_station": "Lauwersoog"}))
		key := s.APIKey("alpha", "scada", "production:write").Bearer
		t.Run("3-project-production", func(t *testing.T) { testNothingMeasured(t, who) })
		t.Run("push", func(t *testing.T) { testPush(t, s, key, who) })
		t.Run("3-project-production", func(t *testing.T) { testProjectProduction(t, who) })
		t.Run("3-participation-production", func(t *testing.T) { testParticipationProduction(t, s, all) })
		t.Run("7.6-livedata", func(t *testing.T) { testLivedata(t, s, who) })
		t.Run("7.2-get-weather,7.2-weather-shape", func(t *testing.T) { testProjectWeather(t, s, who) })
		t.Run("3-project-production", func(t *testing.T) { testSilentMeters(t, s, all, who) })
	})
}

func testNothingMeasured(t *testing.T, who fixture.Member) {
	p := fixture.Body[[]fixture.Object](t, who.Do(http.MethodGet, "/sustainable/projects", nil), 200)[0]
	for _, field := range []string{"current_power", "todays_production", "total_production", "power_percentage", "measured_at"} {
		v, ok := p[field]
		assert.True(t, ok && v == nil, field)
	}
	assert.Equal(t, fixture.Object{"current_power": nil, "todays_production": nil, "total_production": nil}, p["production"])
}

func testPush(t *testing.T, s *portaltest.Portal, key string, who fixture.Member) {
	require.Empty(t, fixture.Records(t, s, "production", fixture.Object{"project_code": fixture.MarketProject,
		"start": "2025-06-01T12:00:00+02:00", "kwh": 99.5}))
	at := func(ago time.Duration) string { return s.Now().Add(-ago).Format(time.RFC3339Nano) }
	body := fixture.Object{"measurements": []fixture.Object{
		{"project_code": fixture.MarketProject, "meter": "T1", "at": at(80 * time.Minute), "counter": 1_000_000},
		{"project_code": fixture.MarketProject, "meter": "T1", "at": at(20 * time.Minute), "counter": 1_000_900.5, "power": 950, "rpm": 12,
			"wind_speed": 7.1, "wind_direction": 220},
		{"project_code": fixture.MarketProject, "meter": "T2", "at": at(22 * time.Minute), "power": 550, "rpm": 12.4, "wind_speed": 7.4,
			"wind_direction": 225, "source": "scada"},
		{"project_code": "NONE", "meter": "T1", "at": at(0), "power": 1}}}
	call := portaltest.Call{Method: http.MethodPost, Path: pushMeasurements, Bearer: key, Body: body}
	a := s.Do(call)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	assert.JSONEq(t, `{"stored":3,"repeated":0,"refused":[{"index":3,"field":"project_code","code":"production.unknown_project"}]}`,
		string(a.Body))
	assert.JSONEq(t, `{"stored":0,"repeated":3,"refused":[{"index":3,"field":"project_code","code":"production.unknown_project"}]}`,
		string(s.Do(call).Body))
	t.Run("9-production-push", func(t *testing.T) {
		reader, elsewhere := s.APIKey("alpha", "reader", "production:read", "billing:write").Bearer, s.APIKey("beta", "scada").Bearer
		for bearer, want := range map[string]string{reader: "403 key_scope_missing", elsewhere: "401 unauthorized", who.Bearer: "403 forbidden",
			"": "401 unauthorized"} {
			call := call
			call.Bearer = bearer
			a := s.Do(call)
			assert.Equal(t, want, fmt.Sprint(a.Status, " ", a.Code()))
		}
		assert.Equal(t, http.StatusOK, s.Do(portaltest.Call{Path: pushMeasurements + "?project_code=" + fixture.MarketProject,
			Bearer: reader}).Status)
		assert.Equal(t, http.StatusForbidden, s.Do(portaltest.Call{Path: pushMeasurements + "?project_code=" + fixture.MarketProject,
			Bearer: key}).Status)
	})
}

func testProjectProduction(t *testing.T, who fixture.Member) {
	found := fixture.Body[[]fixture.Object](t, who.Do(http.MethodGet, "/sustainable/projects?projectCodes="+fixture.MarketProject, nil), 200)
	require.Len(t, found, 1, "a bare array")
	p := found[0]
	assert.Equal(t, fixture.Object{"current_power": 1500.0, "todays_production": 900.5, "total_production": 1000.0}, p["production"])
	assert.Equal(t, []any{1500.0, 75.0, 900.5, 1000.0, "2026-11-20T09:40:00Z"},
		[]any{p["current_power"], p["power_percentage"], p["todays_production"], p["total_production"], seconds(t, p["measured_at"])})
	hours := who.Production(t, fixture.MarketProject)
	assert.Equal(t, 900.5, *hours[9].Value+*hours[10].Value, "the chart has the measured energy")
}

// seconds returns a time without its fraction, because the clock keeps running during a test.
func seconds(t *testing.T, v any) string {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, v.(string))
	require.NoError(t, err)
	return at.Truncate(time.Minute).Format(time.RFC3339)
}

func testParticipationProduction(t *testing.T, s *portaltest.Portal, all *fixture.Members) {
	who := all.With(t, 0)
	require.Empty(t, fixture.Records(t, s, "participation", fixture.Object{"debtor_number": who.Debtor, "participation_identifier": "PP-1",
		"project_code": fixture.MarketProject, "share": 1,
		"address": fixture.Place(50), "production": fixture.Object{"period_start_date": "2025-01-01", "period_end_date": "2025-12-31",
			"peak": "812.5", "off_peak": 1024.25}}))
	p := fixture.Body[[]struct {
		Participations []fixture.Object `json:"participations"`
	}](t, who.Do(http.MethodGet, "/sustainable/projects", nil), 200)[0].Participations[0]
	assert.Equal(t, fixture.Object{"period_start_date": "2025-01-01", "period_end_date": "2025-12-31", "peak": 812.5, "off_peak": 1024.25},
		p["production"])
}

func testLivedata(t *testing.T, s *portaltest.Portal, who fixture.Member) {
	require.Empty(t, fixture.Records(t, s, "production_project", fixture.Object{"project_code": "NEW", "rated_power": 10}))
	a := who.Do(http.MethodGet, "/livedata?projects="+fixture.MarketProject+",NEW,NONE,%20", nil)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	var raw map[string]map[string]json.RawMessage
	a.JSON(t, &raw)
	assert.Equal(t, []string{fixture.MarketProject, "NEW"}, slices.Sorted(maps.Keys(raw)), "an unknown code is left out")
	assert.Equal(t, []string{"power", "power_per_share", "power_percentage", "rpm", "timestamp", "total_runtime", "wind_direction",
		"wind_power", "year_production", "year_runtime"}, slices.Sorted(maps.Keys(raw[fixture.MarketProject])))
	stamp := raw[fixture.MarketProject]["timestamp"]
	delete(raw[fixture.MarketProject], "timestamp")
	assert.JSONEq(t, `{"power":1500,"power_per_share":14851.485,"power_percentage":75,"wind_power":4,"wind_direction":220,"rpm":12,"total_runtime":3,"year_runtime":2,
		"year_production":900.5}`, line(t, raw[fixture.MarketProject]))
	var at int64
	require.NoError(t, json.Unmarshal(stamp, &at))
	assert.InDelta(t, s.Now().Add(-20*time.Minute).Unix(), at, 60)
	for field, v := range raw["NEW"] {
		assert.Equal(t, "null", string(v), field)
	}
	mine := fixture.Body[map[string]fixture.Object](t, who.Do(http.MethodGet, "/livedata", nil), 200)
	assert.Equal(t, []string{fixture.MarketProject}, slices.Collect(maps.Keys(mine)), "default: the projects of the member")
	assert.Equal(t, http.StatusUnauthorized, s.Do(portaltest.Call{Path: "/livedata"}).Status)
	other := s.Customer("beta", value.StableID("beta", "relation", "1")).Bearer
	assert.JSONEq(t, `{}`, string(s.Do(portaltest.Call{Host: "beta.localhost", Path: "/livedata?projects=" + fixture.MarketProject,
		Bearer: other}).Body))
	assert.JSONEq(t, `{}`, string(s.Do(portaltest.Call{Host: "beta.localhost", Path: "/livedata", Bearer: other}).Body))
}

func testProjectWeather(t *testing.T, s *portaltest.Portal, who fixture.Member) {
	station := func(c fixture.Customer, query string) (any, []any) {
		w := fixture.Body[fixture.Object](t, c.Do(http.MethodGet, "/weather"+query, nil), 200)
		var names []any
		for _, x := range w["stations"].([]any) {
			names = append(names, x.(fixture.Object)["station"])
		}
		return w["station"], names
	}
	name, all := station(who.Customer, "?project="+fixture.MarketProject)
	assert.Equal(t, "Lauwersoog", name)
	assert.Equal(t, []any{"De Bilt", "Lauwersoog"}, all)
	for _, query := range []string{"", "?project=NEW", "?project=NONE"} {
		name, _ = station(who.Customer, query)
		assert.Equal(t, "De Bilt", name, query)
	}
	relation := value.StableID("beta", "relation", "w")
	w := fixture.Body[fixture.Object](t, s.Do(portaltest.Call{Host: "beta.localhost", Path: "/weather",
		Bearer: s.Customer("beta", relation).Bearer}), 200)
	assert.Equal(t, "Cadzand", w["station"], "the station of the label")
}

// After days without measurements, the last known power is still returned, with its time.
func testSilentMeters(t *testing.T, s *portaltest.Portal, all *fixture.Members, who fixture.Member) {
	s.Advance(50 * time.Hour)
	p := fixture.Body[[]fixture.Object](t, all.Again(t, who).Do(http.MethodGet, "/sustainable/projects", nil), 200)[0]
	assert.Equal(t, []any{1500.0, 0.0, "2026-11-20T09:40:00Z"}, []any{p["current_power"], p["todays_production"],
		seconds(t, p["measured_at"])})
}
