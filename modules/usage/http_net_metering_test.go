package usage

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/history"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// A customer with solar panels requests the comparison on the last day of net metering, and on the day after.
func TestNetMeteringEnds(t *testing.T) {
	type body struct{ Body []map[string]any }
	list := func(a huma.API, path, id string, answer map[string]any) {
		module.Route(a, huma.Operation{Method: "GET", Path: path, OperationID: id}, module.Sibling, module.Read,
			func(context.Context, *struct{}) (*body, error) { return &body{[]map[string]any{answer}}, nil })
	}
	period := map[string]any{"from": "2025-01-01", "to": nil}
	var prices []map[string]any
	for kind, unit := range map[string]string{"single": "kWh", "feed_in": "kWh", "feed_in_cost": "kWh", "standing": "month"} {
		prices = append(prices, map[string]any{"kind": kind, "commodity": "ELECTRICITY", "unit": unit, "amount": 0.25, "includes_vat": true,
			"from": "2025-01-01", "to": nil})
	}
	billing := func(a huma.API) {
		list(a, "/agreements/supplies", "listSupplies", map[string]any{"agreement_identifier": "A1",
			"agreement_identifier_with_sequence": "A1-1", "status": "ACTIVE", "period": period})
		list(a, "/agreements/prices", "listPrices", map[string]any{"agreement_identifier_with_sequence": "A1-1", "period": period,
			"prices": prices})
	}
	w := moduletest.Open(t, module.New(manifest, newService), moduletest.Options{
		Settings: Settings{ConsentTextVersion: "v1", HistoryMonths: 24, Intervals: history.ByConsent, VATPercent: 21,
			NetMeteringUntil: value.Day{Year: 2026, Month: time.December, Day: 31}},
		Siblings: []module.Module{moduletest.Fake("account", func(huma.API) {}), moduletest.Fake("billing", billing)}}, false)
	ctx, ok := w.Hub.ScopeFor(moduletest.LabelOne, "usage")
	require.True(t, ok)
	s := w.Registry.Snapshot().Modules["usage"].Instance.(*service)
	load := func(kind string, records ...string) {
		t.Helper()
		var rows []record.Row
		for i, r := range records {
			rows = append(rows, record.Row{Line: i + 1, Data: json.RawMessage(r)})
		}
		refused, err := s.Import(ctx, kind, rows)
		require.NoError(t, err)
		require.Empty(t, refused)
	}
	const ean = "871600000000000017"
	load(meter.KindConnection, `{"debtor_number":"1","ean_code":"`+ean+
		`","commodity":"ELECTRICITY","meter_type":"SMART","agreement_identifier":"A1"}`)
	s.host.Now = func() time.Time { return time.Date(2027, time.January, 1, 12, 0, 0, 0, time.UTC) }
	var readings []string
	for month := range 14 { // until 1 January 2027
		on := value.Day{Year: 2025, Month: time.December, Day: 1}.AddMonths(month)
		readings = append(readings, fmt.Sprintf(`{"ean_code":%q,"measurement_date":%q,"consumption_normal":%d,"feedin_normal":%d}`, ean, on,
			300*month, 200*month))
	}
	load(meter.KindReading, readings...)
	t.Run("9-usage-euro-net-metering", func(t *testing.T) {
		for now, applies := range map[string]bool{"2026-12-31T23:59:59+01:00": true, "2027-01-01T00:00:00+01:00": false} {
			at, err := time.Parse(time.RFC3339, now)
			require.NoError(t, err)
			s.host.Now = func() time.Time { return at }
			status, answer := w.Do(t.Context(), moduletest.Call{Path: "/usage/" + ean + "/net-metering",
				As: module.Scope{Relation: meter.RelationID(moduletest.LabelOne, "1"), Subject: "a"}})
			require.Equal(t, http.StatusOK, status, string(answer))
			var got struct {
				Applies       bool
				With, Without map[string]any
			}
			require.NoError(t, json.Unmarshal(answer, &got))
			assert.Equal(t, []bool{applies, applies, applies}, []bool{got.Applies, got.With["total"] != nil, got.Without["total"] != nil}, now)
			assert.Equal(t, applies, strings.Contains(string(answer), `"total"`), now)
		}
	})
}
