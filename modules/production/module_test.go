package production_test

import (
	"context"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/production"
)

// fakeMarketplace gives every member a tenth of the shares of every project.
func fakeMarketplace(a huma.API) {
	type in struct {
		Code string `path:"code"`
	}
	type out struct{ Body map[string]any }
	module.Route(a, huma.Operation{Method: "GET", Path: "/sustainable/projects/{code}/shares", OperationID: "shares"}, module.Sibling,
		module.Read,
		func(_ context.Context, i *in) (*out, error) {
			return &out{map[string]any{"project_code": i.Code, "shares": []map[string]any{{"from_date": "2020-01-01", "own": 10, "all": 100}}}}, nil
		})
	type all struct{ Body []map[string]any }
	module.Route(a, huma.Operation{Method: "GET", Path: "/sustainable/shares", OperationID: "sharesNow"}, module.Sibling, module.Read,
		func(context.Context, *struct{}) (*all, error) {
			return &all{[]map[string]any{{"project_code": "WND-WJ", "own": 10, "all": 100}}}, nil
		})
}

func TestConformance(t *testing.T) {
	who := module.Scope{Relation: value.StableID(moduletest.LabelOne, "relation", "1"), Subject: "account-1"}
	get := func(path string) moduletest.Call { return moduletest.Call{Path: path, As: who} }
	const base, measurements = "/sustainable/production", "/staff/production/measurements"
	moduletest.Run(t, production.Module, moduletest.Options{
		Main: "./plugin",
		Settings: production.Settings{Weather: production.WeatherSettings{Provider: "embedded", URL: "https://weather.example",
			Station: "De Bilt"},
			DefaultProject: "WND-WJ"},
		Siblings: []module.Module{moduletest.Fake("marketplace", fakeMarketplace)},
		Records: []moduletest.Record{
			{Kind: "production_project", Data: `{"project_code":"WND-WJ","rated_power":"900","weather_station":"Lauwersoog"}`},
			{Kind: "measurement", Data: `{"project_code":"WND-WJ","meter":"T1","at":"2026-11-20T09:00:00Z","power":"12.5","counter":1000}`},
			{Kind: "measurement", Data: `{"project_code":"WND-WJ","meter":"T1","at":"2026-11-20T09:30:00Z","counter":1040}`},
			{Kind: "production_day", Data: `{"project_code":"WND-WJ","day":"2026-11-18","hours":[` + strings.Repeat("1.5,", 23) + `null]}`},
			{Kind: "production", Data: `{"project_code":"WND-WJ","start":"2026-11-18T23:00:00+01:00","kwh":"2"}`},
			{Kind: "production", Data: `{"project_code":"WND-WJ","start":"2026-11-18T23:30:00+01:00","kwh":2}`},
		},
		State: []moduletest.Call{get("/weather"), get(base), get(base + "/WND-WJ?timeframe_type=MONTH_DAYS"), get(base + "/WND-WJ/updated"),
			get(base + "/WND-WJ?timeframe_type=WEEK4_WEEKS&view_type=SHARES_IN_PROJECT"), get(base + "/NONE"),
			get("/livedata"), get("/sustainable/measured?projects=WND-WJ"), get("/weather?project=WND-WJ"),
			{Path: measurements + "?project_code=WND-WJ", As: module.Scope{Role: module.RoleKey}}},
		Writes: map[string]moduletest.Call{"pushMeasurements": {Method: "POST", Path: measurements, As: module.Scope{Role: module.RoleKey},
			Body: `{"measurements":[{"project_code":"WND-WJ","meter":"T2","at":"2026-11-20T09:30:00Z","counter":1040}]}`}},
	})
}
