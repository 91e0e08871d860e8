package usage

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
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
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
	"github.com/wattle-portal/wattle/modules/usage/usageapi"
)

// gridOperator is a source that can fail, and returns a day of 2 kWh for the first day of every month.
type gridOperator struct {
	away  bool
	asked int
}

func (g *gridOperator) Days(_ context.Context, _ string, from, until value.Day) (out []interval.Measured, err error) {
	if g.asked++; g.away {
		return nil, errors.New("connection refused")
	}
	for d := from; d.Before(until); d = d.AddDays(1) {
		if d.Day == 1 {
			p := interval.NewProfile(interval.DaySeconds, 1)
			p.Set(interval.Normal, 0, 2000)
			out = append(out, interval.Measured{Day: d, Profile: p})
		}
	}
	return out, nil
}

// The data of another source is stored. A failing source is retried until the retrieval fails; after that, the customer can request another
// retrieval.
func TestRetrievalFromASource(t *testing.T) {
	grid := &gridOperator{}
	m := module.New(manifest, func(h module.Host) module.Instance {
		s := newService(h).(*service)
		s.source = grid
		return s
	})
	agreements := func(a huma.API) {
		type body struct{ Body []map[string]any }
		module.Route(a, huma.Operation{Method: "GET", Path: "/agreements/supplies", OperationID: "listSupplies"}, module.Sibling, module.Read,
			func(context.Context, *struct{}) (*body, error) {
				return &body{[]map[string]any{{"agreement_identifier": "A1", "period": map[string]any{"from": "2026-05-20"}}}}, nil
			})
	}
	w := moduletest.Open(t, m, moduletest.Options{Settings: Settings{ConsentTextVersion: "v1", HistoryMonths: 24,
		Intervals: history.ByConsent}, Siblings: []module.Module{
		moduletest.Fake("account", func(huma.API) {}), moduletest.Fake("billing", agreements)}}, false)
	relation := meter.RelationID(moduletest.LabelOne, "1")
	instance := w.Registry.Snapshot().Modules["usage"].Instance
	ctx, ok := w.Hub.ScopeFor(moduletest.LabelOne, "usage")
	require.True(t, ok)
	_, err := instance.(module.Importer).Import(ctx, meter.KindConnection, []record.Row{{Line: 1, Data: json.RawMessage(
		`{"debtor_number":"1","ean_code":"871600000000000017","commodity":"ELECTRICITY","meter_type":"SMART","agreement_identifier":"A1"}`)}})
	require.NoError(t, err)
	do := func(method, path, body string, out any) {
		t.Helper()
		status, answer := w.Do(t.Context(),
			moduletest.Call{Method: method, Path: path, Body: body, As: module.Scope{Relation: relation, Subject: "a"}})
		require.Less(t, status, 300, string(answer))
		require.NoError(t, json.Unmarshal(answer, out))
	}
	read := func() (h history.History) { do(http.MethodGet, historical+"/A1", "", &h); return h }
	start := func() (r history.Requested) {
		do(http.MethodPost, "/smartmeterreadings/retrievals", `{"agreement_identifier":"A1"}`, &r)
		return r
	}
	// deliver delivers the pending event, as the outbox does; each event has its own id.
	ids := 0
	deliver := func(number, step int) {
		t.Helper()
		ids++
		data, err := json.Marshal(usageapi.RetrievalAdvanced{Relation: relation, Agreement: "A1", Number: number, Step: step})
		require.NoError(t, err)
		require.NoError(t, instance.Handle(ctx,
			module.Event{ID: string(rune('a' + ids)), Type: usageapi.EventRetrievalAdvanced, Label: moduletest.LabelOne, Data: data}))
	}
	// queued returns the number of pending events.
	queued := func() int64 {
		t.Helper()
		n, err := moduletest.Raw(instance.(*service).host.DB).NewSelect().Table("usage_outbox").Count(t.Context())
		require.NoError(t, err)
		return n
	}
	var consent history.Consent
	do(http.MethodGet, historical+"?consentGiven=true", "", &consent)
	require.True(t, consent.ConsentPresent)

	grid.away = true
	before := queued()
	require.Equal(t, history.Queued, start().State)
	assert.Equal(t, before+1, queued(), "the event of the first step")
	for range history.MaxSourceAttempts {
		require.Equal(t, history.Queued, read().Retrieval.State)
		deliver(1, 0)
	}
	failed := read()
	assert.Equal(t, history.Retrieval{State: history.Failed, Code: history.CodeSource}, failed.Retrieval)
	assert.Nil(t, failed.LastRetrieval)
	deliver(1, 0)
	assert.Equal(t, history.MaxSourceAttempts, grid.asked, "an ended retrieval runs no more steps")

	grid.away = false
	require.Equal(t, history.Queued, start().State)
	deliver(2, 0)
	deliver(2, 0) // a repeated event
	half := read()
	assert.Equal(t, history.Running, half.Retrieval.State)
	assert.Equal(t, 33, half.Retrieval.Progress)
	deliver(1, 0) // a late event
	deliver(2, 1)
	deliver(2, 2)
	done := read()
	assert.Equal(t, history.Done, done.Retrieval.State)
	assert.Equal(t, metertest.Day("2026-11-01"), done.Retrieval.Until)
	assert.WithinDuration(t, w.Clock.Now(), *done.LastRetrieval, time.Minute)
	require.Len(t, done.Connections, 1)
	require.Len(t, done.Connections[0].Months, 6, "the data of the source is stored")
	assert.Equal(t, metertest.Wh(2000), done.Connections[0].Months[5].Consumption)

	t.Run("a retrieval without progress for an hour is restarted", func(t *testing.T) {
		first := start()
		before := queued()
		start()
		assert.Equal(t, before, queued(), "a running retrieval is not restarted")
		w.Clock.Advance(2 * time.Hour)
		second := start()
		assert.Equal(t, first.Requested, second.Requested)
		assert.Equal(t, before+1, queued())
		deliver(3, 0)
		assert.Equal(t, history.Running, read().Retrieval.State)
	})
}
