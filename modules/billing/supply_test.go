package billing_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/billing"
)

// Siblings get connections and periods without a call to module account.
func TestSuppliesForSiblings(t *testing.T) {
	requests := 0
	account := func(a huma.API) {
		type answer struct{ Body map[string]string }
		module.Route(a, huma.Operation{Method: "GET", Path: "/relations", OperationID: "getRelation"}, module.Customer, module.Read,
			func(context.Context, *struct{}) (*answer, error) {
				requests++
				return &answer{map[string]string{"bank_account_number": "NL91ABNA0417164300"}}, nil
			})
	}
	moduletest.EachEngine(t, moduletest.Options{Settings: billing.Settings{}, Siblings: []module.Module{moduletest.Fake("account", account)}},
		func(t *testing.T, o moduletest.Options) {
			w := moduletest.Open(t, billing.Module, o, false)
			ctx, ok := w.Hub.ScopeFor(moduletest.LabelOne, "billing")
			require.True(t, ok)
			importer := w.Registry.Snapshot().Modules["billing"].Instance.(module.Importer)
			for n, data := range []string{`{"debtor_number":"1","agreement_identifier":"B1","agreement_identifier_with_sequence":"B1-1","product_category":"ENERGY",
					"name":"Gas","company_name":"Molen B.V.","status":"FUTURE","period":{"from":"2027-01-01"},"addresses":[
					{"address_type":"INVOICE","street":"Dam","house_number":"1","house_number_extension":"A","zip_code":"1012JS","city":"Amsterdam"},
					{"address_type":"SHIPPING","street":"Dam","house_number":"2","zip_code":"1012JS","city":"Amsterdam","connections":[
					{"ean_code":"871600000000000024","commodity":"GAS"},{"ean_code":"871600000000000031","commodity":"ELECTRICITY"}]}]}`,
				`{"debtor_number":"1","agreement_identifier":"A1","agreement_identifier_with_sequence":"A1-1","product_category":"ENERGY","name":"Stroom",
					"status":"ACTIVE","period":{"from":"2024-01-01","to":"2026-12-31"},"periodical":{"current_amount":120,"proposed_amount":125.5,"min_amount":95,
					"max_amount":180,"payment_method":"DIRECT_DEBIT_CONSUMER"},"addresses":[{"address_type":"SHIPPING","street":"Molenweg","house_number":"18",
					"zip_code":"9861GT","city":"Grootegast","connections":[{"ean_code":"871600000000000017","commodity":"ELECTRICITY"}]}]}`,
			} {
				refused, err := importer.Import(ctx, "agreement", []record.Row{{Line: n, Data: json.RawMessage(data)}})
				require.NoError(t, err)
				require.Empty(t, refused)
			}
			get := func(path, debtor string) (out []map[string]any) {
				t.Helper()
				status, answer := w.Do(t.Context(), moduletest.Call{Path: path,
					As: module.Scope{Relation: value.StableID(moduletest.LabelOne, "relation", debtor), Subject: "account"}})
				require.Equal(t, http.StatusOK, status, string(answer))
				require.NoError(t, json.Unmarshal(answer, &out))
				return out
			}
			t.Run("9-neighbour-supplies", func(t *testing.T) {
				before := requests
				got := get("/agreements/supplies", "1")
				require.Equal(t, before, requests, "no call to account")
				text, err := json.Marshal(got)
				require.NoError(t, err)
				require.JSONEq(t, `[{"agreement_identifier":"B1","agreement_identifier_with_sequence":"B1-1","name":"Gas","company_name":"Molen B.V.",
					"status":"FUTURE","period":{"from":"2027-01-01","to":null},"addresses":[
					{"address_type":"INVOICE","street":"Dam","house_number":"1","house_number_extension":"A","zip_code":"1012JS","city":"Amsterdam",
					"connections":[]},{"address_type":"SHIPPING","street":"Dam","house_number":"2","house_number_extension":"","zip_code":"1012JS",
					"city":"Amsterdam","connections":[{"ean_code":"871600000000000024","commodity":"GAS"},
					{"ean_code":"871600000000000031","commodity":"ELECTRICITY"}]}]},
					{"agreement_identifier":"A1","agreement_identifier_with_sequence":"A1-1","name":"Stroom","company_name":"","status":"ACTIVE",
					"period":{"from":"2024-01-01","to":"2026-12-31"},"addresses":[{"address_type":"SHIPPING","street":"Molenweg","house_number":"18",
					"house_number_extension":"","zip_code":"9861GT","city":"Grootegast","connections":[{"ean_code":"871600000000000017",
					"commodity":"ELECTRICITY"}]}]}]`, string(text))
				require.Empty(t, get("/agreements/supplies", "2"), "another relation has none")
				get("/agreements", "1")
				require.Equal(t, before+1, requests, "listAgreements calls account")
				public := string(w.Registry.Snapshot().OpenAPI())
				require.Contains(t, public, `"/agreements"`)
				require.NotContains(t, public, "/agreements/supplies")
			})
		})
}
