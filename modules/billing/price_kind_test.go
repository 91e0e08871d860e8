package billing

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

type object = map[string]any

// priced returns an agreement record with prices.
func priced(t testing.TB, prices ...object) record.Row {
	t.Helper()
	data, err := json.Marshal(object{"debtor_number": "1", "agreement_identifier": "A1", "agreement_identifier_with_sequence": "A1-1",
		"product_category": "ENERGY", "status": "ACTIVE", "period": object{"from": "2024-01-01"}, "price_agreements": prices})
	require.NoError(t, err)
	return record.Row{Line: 1, Data: data}
}

func TestPriceKind(t *testing.T) {
	price := func(kind PriceKind, commodity, unit string, more ...any) object {
		p := object{"description": "x", "kind": kind, "commodity": commodity, "unit": unit, "amount": 0, "includes_vat": true,
			"from": "2026-01-01"}
		for i := 0; i < len(more); i += 2 {
			p[more[i].(string)] = more[i+1]
		}
		return p
	}
	check := func(prices ...object) (codes []string) {
		t.Helper()
		_, _, refused := parseAgreement(priced(t, prices...))
		for _, r := range refused {
			codes = append(codes, strings.TrimPrefix(r.Field, "price_agreements.")+" "+r.Code)
		}
		return codes
	}
	fits := map[string][]PriceKind{
		"ELECTRICITY kWh":   {kindNormal, kindLow, kindSingle, kindFeedin, kindFeedinCost, kindEnergyTax},
		"ELECTRICITY maand": {kindStanding, kindGrid, kindTaxReduction},
		"GAS m³":            {kindSingle, kindEnergyTax},
		"GAS year":          {kindStanding, kindGrid},
		"ELECTRICITY day":   {kindStanding, kindGrid, kindTaxReduction},
		"ELECTRICITY year":  {kindStanding, kindGrid, kindTaxReduction},
		"ELECTRICITY m³":    nil,
		"GAS kWh":           nil,
	}
	t.Run("9-price-kind", func(t *testing.T) {
		for where, kinds := range fits {
			commodity, unit, _ := strings.Cut(where, " ")
			for _, kind := range PriceKinds {
				codes := check(price(kind, commodity, unit))
				fine := false
				for _, k := range kinds {
					fine = fine || k == kind
				}
				assert.Equal(t, fine, codes == nil, "%s in %s: %v", kind, where, codes)
				switch { // the refused field
				case commodity == gas && kind.units(gas) == nil:
					assert.Equal(t, []string{"0.kind invalid"}, codes, "%s in %s", kind, where)
				case !fine:
					assert.Equal(t, []string{"0.unit invalid"}, codes, "%s in %s", kind, where)
				}
			}
		}
		for _, unit := range []string{"day", "dag", "month", "maand", "Year", "JAAR"} {
			assert.Empty(t, check(price(kindGrid, "GAS", unit)), unit)
		}
		for _, unit := range []string{"m³", "m3", "M3N"} {
			assert.Empty(t, check(price(kindSingle, "GAS", unit)), unit)
		}
		assert.Equal(t, []string{"0.kind invalid"}, check(price("discount", "GAS", "m3")))
		assert.Equal(t, []string{"0.kind invalid"}, check(price(kindFeedin, "GAS", "m3")), "gas is not fed in")
		assert.Equal(t, []string{"0.unit invalid"}, check(price(kindNormal, "ELECTRICITY", "week")))
		assert.Equal(t, []string{"0.unit required"}, check(price(kindNormal, "ELECTRICITY", "")))
		for where, kinds := range fits {
			commodity, unit, _ := strings.Cut(where, " ")
			for _, kind := range kinds {
				assert.Equal(t, []string{"0.commodity required"}, check(price(kind, "", unit)), kind)
				assert.Equal(t, []string{"0.includes_vat required"}, check(price(kind, commodity, unit, "includes_vat", nil)), kind)
				assert.Empty(t, check(price(kind, commodity, unit, "includes_vat", false)), kind)
			}
		}
		assert.Equal(t, []string{"0.includes_vat invalid"}, check(price(kindNormal, "ELECTRICITY", "kWh", "includes_vat", "yes")))
		assert.Equal(t, []string{"0.amount invalid"}, check(price(kindTaxReduction, "ELECTRICITY", "jaar", "amount", 628.96)),
			"a reduction is negative")
		assert.Empty(t, check(price(kindTaxReduction, "ELECTRICITY", "jaar", "amount", -628.96)))

		first, second := price(kindNormal, "ELECTRICITY", "kWh", "to", "2026-06-30"),
			price(kindNormal, "ELECTRICITY", "kWh", "from", "2026-07-01")
		assert.Empty(t, check(first, second), "one follows the other")
		second["from"] = "2026-06-30"
		assert.Equal(t, []string{"1.from invalid"}, check(first, second), "two prices on one day")
		for where, kinds := range fits {
			commodity, unit, _ := strings.Cut(where, " ")
			for _, kind := range kinds {
				one := price(kind, commodity, unit)
				var want []string
				if slices.Contains([]PriceKind{kindNormal, kindLow, kindSingle, kindFeedin}, kind) {
					want = []string{"1.from invalid"}
				}
				assert.Equal(t, want, check(one, one), "two prices of %s in %s on one day; charges are added up", kind, where)
			}
		}
		assert.Empty(t, check(price(kindNormal, "ELECTRICITY", "kWh"), price(kindLow, "ELECTRICITY", "kWh")))
		assert.Empty(t, check(price(kindGrid, "GAS", "maand"), price(kindGrid, "GAS", "dag")), "charges are added up")
		assert.Empty(t, check(price(kindSingle, "GAS", "m3"), price(kindSingle, "ELECTRICITY", "kWh")))

		_, a, refusals := parseAgreement(priced(t, price(kindSingle, "GAS", "m³", "includes_vat", "false"),
			object{"description": "Iets", "amount": 1, "unit": "keer", "from": "2026-01-01"}))
		assert.Empty(t, refusals, "without a kind as before")
		assert.Equal(t, []any{kindSingle, false, "m³"}, []any{a.Prices[0].Kind, *a.Prices[0].IncludesVAT, a.Prices[0].Unit},
			"as the back office writes it")
		assert.Equal(t, []any{PriceKind(""), (*bool)(nil), "keer"}, []any{a.Prices[1].Kind, a.Prices[1].IncludesVAT, a.Prices[1].Unit})
		text, err := json.Marshal(a.Prices[1])
		require.NoError(t, err)
		assert.JSONEq(t, `{"description":"Iets","unit":"keer","amount":1.00,"from":"2026-01-01","to":null}`, string(text), "as before")
	})
}

// All demo prices have the fields that a cost calculation needs.
func TestDemoPriceKinds(t *testing.T) {
	t.Run("9-price-kind-demo", func(t *testing.T) {
		names, err := filepath.Glob("../../labels/*/demo/agreement.ndjson")
		require.NoError(t, err)
		require.Greater(t, len(names), 5)
		found := map[PriceKind]int{}
		for _, name := range append(names, "demo/agreement.ndjson") {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			for line := range strings.Lines(string(data)) {
				var a struct {
					Prices []PriceAgreement `json:"price_agreements"`
				}
				// days are template expressions in the demo data
				text := strings.NewReplacer("{{debtor}}", "1").Replace(line)
				var raw struct {
					Prices []map[string]any `json:"price_agreements"`
				}
				require.NoError(t, json.Unmarshal([]byte(text), &raw), name)
				for i := range raw.Prices {
					delete(raw.Prices[i], "to")
					raw.Prices[i]["from"] = "2026-01-01"
				}
				plain, err := json.Marshal(raw)
				require.NoError(t, err)
				require.NoError(t, json.Unmarshal(plain, &a), name)
				for i, p := range raw.Prices {
					_, _, refusals := parseAgreement(priced(t, p))
					assert.Empty(t, refusals, "%s: %v", name, p)
					assert.NotEmpty(t, a.Prices[i].Kind, "%s: %v", name, p)
					found[a.Prices[i].Kind]++
				}
			}
		}
		for _, kind := range []PriceKind{kindNormal, kindLow, kindSingle, kindFeedin, kindFeedinCost, kindStanding, kindGrid, kindTaxReduction} {
			assert.NotZero(t, found[kind], kind)
		}
	})
}

func fakeRelation(a huma.API) {
	type answer struct{ Body map[string]string }
	module.Route(a, huma.Operation{Method: "GET", Path: "/relations", OperationID: "getRelation"}, module.Customer, module.Read,
		func(context.Context, *struct{}) (*answer, error) {
			return &answer{map[string]string{"bank_account_number": "NL91ABNA0417164300"}}, nil
		})
}

func TestPricesForSiblings(t *testing.T) {
	account := moduletest.Fake("account", fakeRelation)
	moduletest.EachEngine(t, moduletest.Options{Settings: Settings{}, Siblings: []module.Module{account}}, func(t *testing.T,
		o moduletest.Options) {
		w := moduletest.Open(t, Module, o, false)
		s := w.Registry.Snapshot().Modules["billing"].Instance.(*service)
		ctx, ok := w.Hub.ScopeFor(moduletest.LabelOne, "billing")
		require.True(t, ok)
		call := func(path string) (body []byte) {
			status, body := w.Do(t.Context(), moduletest.Call{Path: path,
				As: module.Scope{Relation: value.StableID(moduletest.LabelOne, "relation", "1"), Subject: "account"}})
			require.Equal(t, http.StatusOK, status, string(body))
			return body
		}
		t.Run("9-neighbour-prices", func(t *testing.T) {
			second := record.Row{Line: 2, Data: []byte(`{"debtor_number":"1","agreement_identifier":"B1","agreement_identifier_with_sequence":"B1-1",
				"product_category":"ENERGY","status":"TERMINATED","period":{"from":"2022-01-01","to":"2023-12-31"},"price_agreements":[
				{"description":"x","kind":"normal","commodity":"ELECTRICITY","unit":"KWH","amount":0.25,"includes_vat":true,"from":"2022-01-01","to":"2023-12-31"},
				{"description":"x","kind":"single","commodity":"GAS","unit":"m³","amount":1.25,"includes_vat":true,"from":"2022-01-01"},
				{"description":"x","kind":"standing","commodity":"GAS","unit":"JAAR","amount":84,"includes_vat":true,"from":"2022-01-01"},
				{"description":"x","kind":"tax_reduction","commodity":"ELECTRICITY","unit":"dag","amount":-1,"includes_vat":true,"from":"2022-01-01"}]}`)}
			_, err := s.Import(ctx, kindAgreement, []record.Row{second, priced(t,
				object{"description": "Netbeheer", "kind": "grid", "commodity": "GAS", "unit": "maand", "amount": "21.73001", "includes_vat": false,
					"from": "2026-01-01"},
				object{"description": "Iets", "unit": "keer", "amount": 1, "from": "2026-01-01", "to": "2026-02-01"})})
			require.NoError(t, err)
			assert.JSONEq(t, `[{"agreement_identifier_with_sequence":"A1-1","period":{"from":"2024-01-01","to":null},"prices":[
				{"kind":"grid","commodity":"GAS","unit":"month","amount":21.73001,"includes_vat":false,"from":"2026-01-01","to":null},
				{"kind":"unknown","commodity":"NONE","unit":"unknown","amount":1.00,"includes_vat":null,"from":"2026-01-01","to":"2026-02-01"}]},
				{"agreement_identifier_with_sequence":"B1-1","period":{"from":"2022-01-01","to":"2023-12-31"},"prices":[
				{"kind":"normal","commodity":"ELECTRICITY","unit":"kWh","amount":0.25,"includes_vat":true,"from":"2022-01-01","to":"2023-12-31"},
				{"kind":"single","commodity":"GAS","unit":"m3","amount":1.25,"includes_vat":true,"from":"2022-01-01","to":null},
				{"kind":"standing","commodity":"GAS","unit":"year","amount":84,"includes_vat":true,"from":"2022-01-01","to":null},
				{"kind":"tax_reduction","commodity":"ELECTRICITY","unit":"day","amount":-1,"includes_vat":true,"from":"2022-01-01","to":null}]}]`,
				string(call("/agreements/prices")))
			status, body := w.Do(t.Context(), moduletest.Call{Path: "/agreements/prices",
				As: module.Scope{Relation: value.StableID(moduletest.LabelOne, "relation", "2"), Subject: "account"}})
			assert.Equal(t, "200 []", fmt.Sprintf("%d %s", status, strings.TrimSpace(string(body))), "another relation has none")
			public := string(w.Registry.Snapshot().OpenAPI())
			assert.Contains(t, public, `"/agreements"`)
			assert.NotContains(t, public, "/agreements/prices")
		})
		t.Run("9-neighbour-supplies", func(t *testing.T) { // works without the invoices table
			require.NoError(t, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
				_, err := module.Label(ctx, "a test").Raw(tx, "ALTER TABLE billing_invoices RENAME TO billing_away").Exec(ctx)
				return err
			}))
			var all []Supply
			require.NoError(t, json.Unmarshal(call("/agreements/supplies"), &all))
			assert.Len(t, all, 2)
			status, _ := w.Do(t.Context(), moduletest.Call{Path: "/agreements",
				As: module.Scope{Relation: value.StableID(moduletest.LabelOne, "relation", "1"), Subject: "account"}})
			assert.Equal(t, http.StatusInternalServerError, status, "listAgreements reads invoices")
		})
	})
}
