package usage_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/usage"
	"github.com/wattle-portal/wattle/modules/usage/internal/history"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/test/fixture"
)

// costBody is a cost in a response.
type costBody struct {
	LastMonth     bool   `json:"last_month"`
	ConsentNeeded bool   `json:"consent_needed"`
	Until         string `json:"net_metering_until"`
	From, To      string
	Total         *float64
	Rows          []struct {
		Kind             string
		Quantity, Amount float64
	}
	Unknown []struct{ Reason, Kind, From, To string }
}

func (h household) cost(t *testing.T, ean, query string) (out costBody) {
	t.Helper()
	a := h.Do(http.MethodGet, "/usage/"+ean+"/cost"+query, nil)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	require.Contains(t, string(a.Body), `"rows":[`)
	require.Contains(t, string(a.Body), `"unknown":[`)
	a.JSON(t, &out)
	return out
}

// priced imports the household's agreement with prices: electricity with a kind, gas without.
func (h household) priced(t *testing.T, all *fixture.Customers) {
	t.Helper()
	price := func(kind, unit, amount string) string {
		return fmt.Sprintf(`{"description":"x","kind":%q,"commodity":"ELECTRICITY","unit":%q,"amount":%q,"includes_vat":true,"from":"2026-01-01"}`, kind, unit, amount)
	}
	load(t, all.Portal, "agreement", fmt.Sprintf(`{"debtor_number":%q,"agreement_identifier":%q,"agreement_identifier_with_sequence":"%[2]s-1",
		"name":"Groen","period":{"from":"2026-02-01","to":null},"product_category":"ENERGY","status":"ACTIVE","price_agreements":[%s,%s,%s,
		{"description":"Gas","commodity":"GAS","unit":"m³","amount":"1.30","from":"2026-01-01"}]}`, h.Debtor, h.agreement,
		price("single", "kWh", "0.30"), price("feed_in", "kWh", "0.07"), price("standing", "maand", "6.20")))
	var days []string
	for day := 1; day <= 31; day++ {
		n := 24
		if day == 25 {
			n = 25
		}
		days = append(days, fmt.Sprintf(`{"ean_code":%q,"day":"2026-10-%02d","normal":%s}`, h.power, day, hours("0.5", n)))
	}
	// Prices of an agreement that supplies none of these connections do not count.
	load(t, all.Portal, "agreement", fmt.Sprintf(`{"debtor_number":%q,"agreement_identifier":"B%[1]s","agreement_identifier_with_sequence":"B%[1]s-1",
		"name":"Schuur","period":{"from":"2026-02-01","to":null},"product_category":"ENERGY","status":"ACTIVE","price_agreements":[%s]}`, h.Debtor,
		price("single", "kWh", "0.99")))
	load(t, all.Portal, "interval_day", days...)
	load(t, all.Portal, "interval_day", hoursOf(h.power, "2026-09-02", "normal", 24, "0.5")) // an hour is missing
	load(t, all.Portal, "interval_day", fmt.Sprintf(`{"ean_code":%q,"day":"2026-09-01","normal":%s,"feedin_normal":%s}`, h.power,
		hours("0.5", 24), hours("1", 24)))
}

func testCost(t *testing.T, all *fixture.Customers) {
	h := newHousehold(all, t)
	h.priced(t, all)
	october := func(t *testing.T, c costBody) {
		t.Helper()
		assert.Equal(t, []any{true, "2026-10-01", "2026-11-01"}, []any{c.LastMonth, c.From, c.To})
		require.NotNil(t, c.Total, "%+v", c)
		assert.Equal(t, 117.95, *c.Total, "745 hours of 0.5 kWh at 0.30, and a month at 6.20")
		require.Len(t, c.Rows, 2)
		assert.Equal(t, []any{"single", 372.5, 111.75, "standing", 1.0, 6.2},
			[]any{c.Rows[0].Kind, c.Rows[0].Quantity, c.Rows[0].Amount, c.Rows[1].Kind, c.Rows[1].Quantity, c.Rows[1].Amount})
	}
	t.Run("9-cost-last-month", func(t *testing.T) {
		c := h.cost(t, h.power, "")
		assert.Nil(t, c.Total, "no meter readings, and the days may not be shown")
		assert.Empty(t, c.Rows)
		require.Len(t, c.Unknown, 1)
		assert.Equal(t, []any{"measurement", "2026-10-01", "2026-11-01", true},
			[]any{c.Unknown[0].Reason, c.Unknown[0].From, c.Unknown[0].To, c.ConsentNeeded})
		load(t, all.Portal, "reading", fmt.Sprintf(`{"ean_code":%q,"measurement_date":"2026-10-01","consumption_normal":1000,"consumption_low":500}`, h.power),
			fmt.Sprintf(`{"ean_code":%q,"measurement_date":"2026-11-01","consumption_normal":1372.5,"consumption_low":500}`, h.power))
		for _, query := range []string{"", "?from=2026-10-10&to=2026-10-11", "?from=2026-10-01&to=2026-10-16", "?from=2026-11-01&to=2026-11-20"} {
			c := h.cost(t, h.power, query)
			october(t, c)
			assert.True(t, c.ConsentNeeded, query)
		}
		h.Get(t, consentPath+"?consentGiven=true")
		c = h.cost(t, h.power, "")
		october(t, c)
		assert.False(t, c.ConsentNeeded)
	})
	t.Run("9-cost-operation,9-cost-unknown", func(t *testing.T) {
		c := h.cost(t, h.power, "?from=2026-10-25&to=2026-10-26")
		require.NotNil(t, c.Total, "%+v", c)
		assert.Equal(t, []any{3.95, false, "2026-12-31"}, []any{*c.Total, c.LastMonth, c.Until}, "25 hours, and a 31st of the month")
		c = h.cost(t, h.power, "?from=2026-10-30&to=2026-11-03")
		assert.Nil(t, c.Total)
		require.Len(t, c.Unknown, 1)
		assert.Equal(t, []string{"measurement", "2026-11-01", "2026-11-03"}, []string{c.Unknown[0].Reason, c.Unknown[0].From, c.Unknown[0].To})
		c = h.cost(t, h.power, "?from=2026-09-02&to=2026-09-03")
		assert.Nil(t, c.Total, "9-cost-unknown: an hour of the day is missing")
		assert.Empty(t, c.Rows)
		require.Len(t, c.Unknown, 1)
		assert.Equal(t, []string{"measurement", "2026-09-02", "2026-09-03"}, []string{c.Unknown[0].Reason, c.Unknown[0].From, c.Unknown[0].To})
		c = h.cost(t, h.power, "?from=2026-01-01&to=2026-02-03")
		assert.Equal(t, []string{"2026-02-01", "2026-02-03"}, []string{c.From, c.To}, "the agreement began later")
		assert.Nil(t, c.Total)
		c = h.cost(t, h.gas, "?from=2026-10-25&to=2026-10-26")
		assert.Nil(t, c.Total)
		assert.Equal(t, "price_kind", c.Unknown[0].Reason, "a price without a kind")
		assert.True(t, h.cost(t, h.old, "?from=2026-10-25&to=2026-10-26").LastMonth, "a meter that is not smart")
		for query, field := range map[string]string{"?from=2026-10-02&to=2026-10-02": "to", "?from=2026-10-02": "to", "?to=2026-10-02": "from",
			"?from=2010-01-01&to=2026-10-02": "to"} {
			a := h.Do(http.MethodGet, "/usage/"+h.power+"/cost"+query, nil)
			assert.Equal(t, http.StatusBadRequest, a.Status, query)
			assert.Contains(t, string(a.Body), `"field":"`+field+`"`, query)
		}
		gone := newHousehold(all, t)
		load(t, all.Portal, "agreement", fmt.Sprintf(`{"debtor_number":%q,"agreement_identifier":%q,"agreement_identifier_with_sequence":"%[2]s-1",
			"name":"Groen","period":{"from":"2026-02-01","to":"2026-10-10"},"product_category":"ENERGY","status":"TERMINATED"}`, gone.Debtor, gone.agreement))
		gone.Get(t, consentPath+"?consentGiven=true")
		c = gone.cost(t, gone.power, "?from=2026-10-05&to=2026-10-20")
		assert.Equal(t, []string{"2026-10-05", "2026-10-11"}, []string{c.From, c.To}, "the agreement ended on the 10th")
		stranger := newHousehold(all, t)
		assert.Equal(t, http.StatusNotFound, stranger.Do(http.MethodGet, "/usage/"+h.power+"/cost", nil).Status)
		assert.Equal(t, http.StatusNotFound, h.Do(http.MethodGet, "/usage/"+stranger.power+"/cost", nil).Status)
	})
	t.Run("9-cost-net-metering", func(t *testing.T) {
		c := h.cost(t, h.power, "?from=2026-09-01&to=2026-09-02")
		require.NotNil(t, c.Total, "%+v", c)
		assert.Equal(t, -0.63, *c.Total, "12 of 24 kWh above use at 0.07, and a day of 6.20 in 30")
		c = h.cost(t, h.power, "?from=2026-09-01&to=2026-09-02&net_metering=false")
		require.Nil(t, c.Total)
		assert.Equal(t, []string{"price", "feed_in_cost", ""}, []string{c.Unknown[0].Reason, c.Unknown[0].Kind, c.Until})
	})
	t.Run("9-cost-last-month", func(t *testing.T) {
		h.Get(t, consentPath+"?consentGiven=false")
		october(t, h.cost(t, h.power, "?from=2026-10-25&to=2026-10-26"))
	})
}

// A cost without prices would be wrong, so there is no cost without module billing.
func TestCostWithoutBilling(t *testing.T) {
	type body struct{ Body []map[string]any }
	billing := func(a huma.API) {
		module.Route(a, huma.Operation{Method: http.MethodGet, Path: "/agreements/supplies", OperationID: "listSupplies"}, module.Sibling,
			module.Read,
			func(context.Context, *struct{}) (*body, error) {
				return &body{[]map[string]any{{"agreement_identifier": "A1", "agreement_identifier_with_sequence": "A1-1",
					"period": map[string]any{"from": "2020-01-01"}}}}, nil
			})
		module.Route(a, huma.Operation{Method: http.MethodGet, Path: "/agreements/prices", OperationID: "listPrices"}, module.Sibling,
			module.Read, func(context.Context, *struct{}) (*body, error) { return nil, problem.ErrUnavailable })
	}
	o := moduletest.Options{Settings: usage.Settings{ConsentTextVersion: "1", HistoryMonths: 24, Intervals: history.ByConsent},
		Siblings: []module.Module{moduletest.Fake("account", func(huma.API) {}), moduletest.Fake("billing", billing)}}
	moduletest.EachEngine(t, o, func(t *testing.T, o moduletest.Options) {
		w := moduletest.Open(t, usage.Module, o, false)
		require.Empty(t, w.Import("connection", fmt.Sprintf(`{"debtor_number":"1","ean_code":%q,"commodity":"GAS","meter_type":"SMART","agreement_identifier":"A1"}`, gas)))
		t.Run("9-cost-operation", func(t *testing.T) {
			status, answer := w.Do(t.Context(), moduletest.Call{Path: "/usage/" + gas + "/cost",
				As: module.Scope{Relation: meter.RelationID(moduletest.LabelOne, "1"), Subject: "account"}})
			require.Equal(t, http.StatusServiceUnavailable, status, string(answer))
			require.False(t, strings.Contains(string(answer), "total"))
		})
	})
}
