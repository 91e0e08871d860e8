package usage_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/modules/usage"
	"github.com/wattle-portal/wattle/modules/usage/internal/history"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/usageapi"
)

const (
	electricity = "871600000000000017"
	gas         = "871600000000000024"
	farm        = "871600000000000031"
)

// fakeBilling returns the same two agreements to every customer; connections refer to them by identifier.
func fakeBilling(a huma.API) {
	type body struct{ Body []map[string]any }
	module.Route(a, huma.Operation{Method: "GET", Path: "/agreements/supplies", OperationID: "listSupplies"}, module.Sibling, module.Read,
		func(context.Context, *struct{}) (*body, error) {
			return &body{[]map[string]any{
				{"agreement_identifier": "A1", "agreement_identifier_with_sequence": "A1-1", "period": map[string]any{"from": "2024-03-01", "to": nil}},
				{"agreement_identifier": "A2", "agreement_identifier_with_sequence": "A2-1", "period": map[string]any{"from": "2020-01-01", "to": nil}},
			}}, nil
		})
}

func hours(each string, n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(each+",", n), ",") + "]"
}

func TestConformance(t *testing.T) {
	as := func(debtor string) module.Scope {
		return module.Scope{Relation: meter.RelationID(moduletest.LabelOne, debtor), Subject: "account-" + debtor}
	}
	fenna, joost := as("1"), as("2")
	call := func(who module.Scope, path string) moduletest.Call { return moduletest.Call{Path: path, As: who} }
	const consent = "/smartmeterreadings/historicaldata?consentGiven=true"
	retrieve := func(who module.Scope, agreement string) moduletest.Call {
		return moduletest.Call{Method: "POST", Path: "/smartmeterreadings/retrievals",
			Body: fmt.Sprintf(`{"agreement_identifier":%q}`, agreement), As: who}
	}
	moduletest.Run(t, usage.Module, moduletest.Options{
		Main:     "./plugin",
		Settings: usage.Settings{ConsentTextVersion: "2026-01", HistoryMonths: 24, Intervals: history.ByConsent},
		Siblings: []module.Module{moduletest.Fake("account", func(huma.API) {}), moduletest.Fake("billing", fakeBilling)},
		Records: []moduletest.Record{
			{Kind: "connection", Data: `{"debtor_number":"1","ean_code":"` + electricity +
				`","commodity":"ELECTRICITY","meter_type":"SMART","location_id":"L1","agreement_identifier":"A1","delivery":{"A1":true}}`},
			{Kind: "connection", Data: `{"debtor_number":"1","ean_code":"` + gas +
				`","commodity":"GAS","meter_type":"CONVENTIONAL","location_id":"L1","agreement_identifier":"A1"}`},
			{Kind: "connection", Data: `{"debtor_number":"2","ean_code":"` + farm +
				`","commodity":"ELECTRICITY","meter_type":"SMART","location_id":"L2","agreement_identifier":"A2"}`},
			{Kind: "connection", Data: `{"debtor_number":"2","ean_code":"12","commodity":"ELECTRICITY","meter_type":"SMART"}`},
			{Kind: "reading", Data: `{"ean_code":"` + gas + `","measurement_date":"2026-10-01","consumption":1200.123}`},
			{Kind: "reading", Data: `{"ean_code":"` + gas + `","measurement_date":"2026-11-01","consumption":"1290.5"}`},
			{Kind: "reading", Data: `{"ean_code":"` + gas + `","measurement_date":"2026-11-02","consumption":1200}`},
			{Kind: "interval", Data: `{"ean_code":"` + electricity + `","start":"2026-11-18T10:00:00+01:00","normal":0.25,"feedin_normal":1}`},
			{Kind: "interval_day", Data: `{"ean_code":"` + electricity + `","day":"2026-11-17","normal":` + hours("0.1", 24) + `}`},
		},
		Prepare: []moduletest.Call{call(fenna, consent), call(joost, consent), retrieve(joost, "A2-1")},
		State: []moduletest.Call{
			call(fenna, "/connections"), call(joost, "/connections"),
			call(fenna, "/readings/A1/L1/"+gas), call(fenna, "/usage/latest"), call(fenna, "/usage/summary"),
			call(fenna, "/usage/"+electricity+"/series?unit=hour&from=2026-11-17&to=2026-11-19"),
			call(fenna, "/smartmeterreadings/historicaldata/A1-1"), call(joost, "/smartmeterreadings/historicaldata/A2"),
			call(fenna, "/smartmeterreadings/csv/"+electricity),
		},
		Writes: map[string]moduletest.Call{"startRetrieval": retrieve(fenna, "A1")},
		Skip: map[string]string{
			usageapi.EventConsentRevoked:    "needs a consent that was given before: TestConsentOfOneConnection",
			usageapi.EventRetrievalFinished: "comes after the last of several steps: TestRetrievalFromASource",
		},
		Events: []module.Event{{Type: "usage.retrieval_advanced", Key: "any",
			Data: []byte(fmt.Sprintf(`{"relation":%q,"agreement":"A2","number":1,"step":0}`, joost.Relation))}},
	})
}
