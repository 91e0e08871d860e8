package usage

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/modules/usage/internal/history"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// A customer with two smart meters and a conventional one gives consent for one of the smart meters.
func TestConsentOfOneConnection(t *testing.T) {
	agreements := func(a huma.API) {
		type body struct{ Body []map[string]any }
		module.Route(a, huma.Operation{Method: "GET", Path: "/agreements/supplies", OperationID: "listSupplies"}, module.Sibling, module.Read,
			func(context.Context, *struct{}) (*body, error) {
				return &body{[]map[string]any{{"agreement_identifier": "A1", "period": map[string]any{"from": "2026-05-20"}},
					{"agreement_identifier": "A2", "period": map[string]any{"from": "2026-05-20"}}}}, nil
			})
	}
	w := moduletest.Open(t, module.New(manifest, newService),
		moduletest.Options{Settings: Settings{ConsentTextVersion: "v1", HistoryMonths: 24, Intervals: history.ByConsent},
			Siblings: []module.Module{
				moduletest.Fake("account", func(huma.API) {}), moduletest.Fake("billing", agreements)}}, false)
	ctx, ok := w.Hub.ScopeFor(moduletest.LabelOne, "usage")
	require.True(t, ok)
	const one, two, conventional, others = "871600000000000017", "871600000000000024", "871600000000000031", "871600000000000048"
	refused, err := w.Registry.Snapshot().Modules["usage"].Instance.(module.Importer).Import(ctx, meter.KindConnection, []record.Row{
		{Line: 1, Data: json.RawMessage(`{"debtor_number":"1","ean_code":"` + one +
			`","commodity":"ELECTRICITY","meter_type":"SMART","agreement_identifier":"A1"}`)},
		{Line: 2, Data: json.RawMessage(`{"debtor_number":"1","ean_code":"` + two +
			`","commodity":"GAS","meter_type":"SMART","agreement_identifier":"A1"}`)},
		{Line: 3, Data: json.RawMessage(`{"debtor_number":"1","ean_code":"` + conventional +
			`","commodity":"GAS","meter_type":"CONVENTIONAL","agreement_identifier":"A2"}`)},
		{Line: 4, Data: json.RawMessage(`{"debtor_number":"2","ean_code":"` + others +
			`","commodity":"GAS","meter_type":"SMART","agreement_identifier":"A1"}`)},
	})
	require.NoError(t, err)
	require.Empty(t, refused)
	ask := func(path string) (int, string) {
		t.Helper()
		status, answer := w.Do(t.Context(),
			moduletest.Call{Path: historical + path, As: module.Scope{Relation: meter.RelationID(moduletest.LabelOne, "1"), Subject: "a"}})
		return status, string(answer)
	}
	shown := func() (eans []string) {
		t.Helper()
		status, answer := ask("/A1")
		require.Equal(t, http.StatusOK, status, answer)
		var h history.History
		require.NoError(t, json.Unmarshal([]byte(answer), &h))
		for _, c := range h.Connections {
			eans = append(eans, c.EANCode)
		}
		return eans
	}
	refuses := func(path string, want int, code string) {
		t.Helper()
		status, answer := ask(path)
		assert.Equal(t, want, status, answer)
		assert.Contains(t, answer, code)
	}
	t.Run("7.2-historical-refused", func(t *testing.T) {
		refuses("/A1", http.StatusForbidden, history.CodeConsentNeeded)
		refuses("/A2", http.StatusUnprocessableEntity, history.CodeNotSupported)
	})
	t.Run("5.10-historical-conditions", func(t *testing.T) {
		refuses("?consentGiven=true&ean="+conventional, http.StatusUnprocessableEntity, history.CodeNotSupported)
		refuses("?consentGiven=true&ean="+others, http.StatusNotFound, "")
		status, answer := ask("?consentGiven=true&ean=" + two)
		require.Equal(t, http.StatusOK, status, answer)
		assert.Equal(t, []string{two}, shown(), "the other connection has no consent")
		status, answer = ask("?consentGiven=true&ean=" + one)
		require.Equal(t, http.StatusOK, status, answer)
		assert.ElementsMatch(t, []string{one, two}, shown())
		status, answer = ask("?consentGiven=false&ean=" + two)
		require.Equal(t, http.StatusOK, status, answer)
		assert.Equal(t, []string{one}, shown())
	})
}
