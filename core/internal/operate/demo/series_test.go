package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

// gauge generates a record for each day, and one for each minute while the demo runs.
type gauge struct {
	Code string `json:"code"`
	From int    `json:"from"`
}

func (g gauge) Name() string { return "gauge " + g.Code }
func (g gauge) Days() int    { return g.From }

func (g gauge) Records(from value.Day, now time.Time) iter.Seq[demodata.Record] {
	return func(yield func(demodata.Record) bool) {
		for d := from; !d.After(value.DayOf(now)); d = d.AddDays(1) {
			if !yield(demodata.Record{Kind: "level", Data: json.RawMessage(`"` + g.Code + " " + d.String() + `"`)}) ||
				!yield(demodata.Record{Kind: "of a later release", Data: json.RawMessage("{}")}) {
				return
			}
		}
	}
}

func (g gauge) Measured(after, until time.Time) iter.Seq[demodata.Record] {
	return func(yield func(demodata.Record) bool) {
		yield(demodata.Record{Kind: "live", Data: json.RawMessage(fmt.Sprint(until.Sub(after).Minutes()))})
	}
}

// A module contributes meters, which continue from their last record, and fields for the customers of tests.
func TestDataOfModules(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "demo"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "demo", "gauges.json"), []byte(`[{"code":"a","from":2}]`), 0o600))
	now := time.Date(2026, 11, 20, 11, 3, 0, 0, zone)
	var stored []string
	target := func(_ context.Context, kind string, rows []record.Row) ([]record.Refusal, error) {
		for _, r := range rows {
			stored = append(stored, kind+" "+string(r.Data))
		}
		return nil, nil
	}
	order := []string{"level", "live"}
	ask := demodata.Call{Module: "canal", Path: "/sluice"}
	sample := func(of string) fs.FS {
		return fstest.MapFS{"demo/level.ndjson": {Data: []byte(`{"is":"` + of + ` of {{id}}"}`)}}
	}
	s := New(Deps{Now: func() time.Time { return now }, Import: func(string) ([]string, imports.Target) { return order, target },
		Modules: []module.Manifest{
			{Key: "canal", Imports: []string{"level"}, Demo: demodata.Data{Sample: sample("water"),
				Series:  []demodata.Series{{Name: "gauges", Read: demodata.Read[gauge]}},
				Actions: map[string][]demodata.Call{"thirsty": {ask}}}},
			{Key: "absent", Imports: []string{"level"}, Demo: demodata.Data{Sample: sample("oil"),
				Series: []demodata.Series{{Name: "wells", Read: demodata.Read[gauge]}}}},
		}})
	l := &label.Label{Key: "one", Dir: dir, Location: zone, Modules: map[string]json.RawMessage{"canal": nil}}

	t.Run("9-module-demo", func(t *testing.T) {
		done, err := s.importMeasurements(t.Context(), l, parts{}, order, target)
		require.NoError(t, err)
		require.Equal(t, []string{`level "a 2026-11-18"`, `level "a 2026-11-19"`, `level "a 2026-11-20"`, "live 120"}, stored)
		require.Len(t, done, 1)

		stored, now = nil, now.AddDate(0, 0, 1)
		before := parts{done[0].Name: done[0]}
		_, err = s.importMeasurements(t.Context(), l, before, order, target)
		require.NoError(t, err)
		require.Equal(t, []string{`level "a 2026-11-20"`, `level "a 2026-11-21"`, "live 120"}, stored, "from where it was")

		stored = nil
		require.NoError(t, s.measure(t.Context(), l, liveWindow))
		require.Equal(t, []string{"live 10"}, stored)
	})
	t.Run("9-module-demo", func(t *testing.T) {
		wanted := func(text string) (meters []demodata.Meter, calls []Call, err error) {
			var w Wanted
			require.NoError(t, json.Unmarshal([]byte(text), &w))
			return s.added(l, w, s.texts(l).For("T1", "k1"))
		}
		meters, calls, err := wanted(`{"addresses":0,"gauges":[{"code":"{{id}}","from":3}],"thirsty":true}`)
		require.NoError(t, err)
		require.Equal(t, []demodata.Meter{gauge{"k1", 3}}, meters)
		require.Equal(t, []Call{ask}, calls)
		_, calls, err = wanted(`{"thirsty":false}`)
		require.NoError(t, err)
		require.Empty(t, calls)
		for _, no := range []string{`{"wells":[]}`, `{"nonsense":true}`, `{"gauges":{}}`, `{"gauges":[{"code":1}]}`} {
			_, _, err = wanted(no)
			assert.Error(t, err, no)
		}

		stored = nil
		require.NoError(t, s.sample(t.Context(), l, order, target, s.texts(l).For("T1", "k1")))
		require.Equal(t, []string{`level {"is":"water of k1"}`}, stored, "records of a sample customer")
	})
}
