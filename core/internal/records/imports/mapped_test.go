package imports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
	"github.com/wattle-portal/wattle/core/record"
)

// The two mappings in docs/labels.md.
const (
	hourly = `{"kind": "interval", "order": "oldest_first", "records": [
		{"fields": {"ean_code": {"set": "electricity"}, "start": {"column": "Hour Start"},
			"low":           {"column": "Electricity 1 (Dutch Users: Low Tariff)", "number": "."},
			"normal":        {"column": "Electricity 2 (Dutch Users: Normal Tariff)", "number": "."},
			"feedin_low":    {"column": "Electricity 1 Returned (Dutch Users: Low Tariff)", "number": "."},
			"feedin_normal": {"column": "Electricity 2 Returned (Dutch Users: Normal Tariff)", "number": "."}}},
		{"when": "Gas", "fields": {"ean_code": {"set": "gas"}, "start": {"column": "Hour Start"}, "consumption": {"column": "Gas", "number": "."}}}]}`
	standings = `{"kind": "reading", "order": "newest_first", "records": [
		{"fields": {"ean_code": {"set": "electricity"}, "measurement_date": {"column": "OpnameDatum", "date": "YYYY-MM-DD"},
			"consumption_normal": {"column": "StandNormaal", "number": ","}, "consumption_low": {"column": "StandDal", "number": ","},
			"feedin_normal": {"column": "TerugleveringNormaal", "number": ","}, "feedin_low": {"column": "TerugleveringDal", "number": ","}}}]}`
)

func mappingOf(t testing.TB, text string) *mapping.Mapping {
	t.Helper()
	m := new(mapping.Mapping)
	require.NoError(t, json.Unmarshal([]byte(text), m))
	return m
}

// keep is a target that stores rows in memory and refuses those for which refuse returns a reason.
type keep struct {
	rows   []string
	kinds  []string
	refuse func(row record.Row) (field, code string)
}

func (k *keep) take(_ context.Context, kind string, rows []record.Row) (refused []record.Refusal, err error) {
	k.kinds = append(k.kinds, kind)
	for _, r := range rows {
		if k.refuse != nil {
			if field, code := k.refuse(r); code != "" {
				refused = append(refused, record.Refusal{Line: r.Line, Field: field, Code: code})
				continue
			}
		}
		k.rows = append(k.rows, string(r.Data))
	}
	return refused, nil
}

func mappedRun(t *testing.T, text, path string, settings map[string]string, k *keep) (Report, error) {
	t.Helper()
	m := mappingOf(t, text)
	zone, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	o := Options{Label: "alpha", Order: []string{"reading", "interval"}, Files: []string{path}, Mapping: m, Settings: settings, Zone: zone}
	return Run(t.Context(), o, k.take)
}

func temporary(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// hours has the format of an energy monitor's export and days that of a supplier's export, which has no line end after its last line.
const (
	hours = `Hour Start,Electricity 1 (Dutch Users: Low Tariff),Electricity 2 (Dutch Users: Normal Tariff),Electricity 1 Returned (Dutch Users: Low Tariff),Electricity 2 Returned (Dutch Users: Normal Tariff),Gas
2024-03-31T01:00:00+01:00,0.21,0,0,0,0.04
2024-03-31T03:00:00+02:00,0.2,0,0,0,0
2024-07-03T13:00:00+02:00,0,0.005,0,2.25,0
2024-10-27T02:00:00+02:00,0.31,0,0,0,0.1
2024-10-27T02:00:00+01:00,0.42,0,0,0,0.2
2024-10-27T03:00:00+01:00,0.53,0,0,0,
`
	days = `OpnameDatum;StandNormaal;StandDal;TerugleveringNormaal;TerugleveringDal
2023-08-02;874,5;824;1608;722
2023-08-01;868;822;1588;722
2023-07-30;859;813;1584;697`
)

func copied(t *testing.T, name string) string {
	t.Helper()
	return temporary(t, name, map[string]string{"hourly.csv": hours, "daily.csv": days}[name])
}

// Every hour in a household's file becomes one record of electricity and one of gas, even when the clock changes.
func TestHourlyFile(t *testing.T) {
	k := &keep{}
	report, err := mappedRun(t, hourly, copied(t, "hourly.csv"), map[string]string{"electricity": "871", "gas": "872"}, k)
	require.NoError(t, err)
	require.Equal(t, Report{Rows: 11}, report)
	require.Equal(t, []string{"interval"}, k.kinds)
	require.Equal(t, []string{
		`{"ean_code":"871","feedin_low":0,"feedin_normal":0,"low":0.21,"normal":0,"start":"2024-03-31T01:00:00+01:00"}`,
		`{"consumption":0.04,"ean_code":"872","start":"2024-03-31T01:00:00+01:00"}`}, k.rows[:2])
	require.Equal(t, []string{
		`{"ean_code":"871","feedin_low":0,"feedin_normal":0,"low":0.31,"normal":0,"start":"2024-10-27T02:00:00+02:00"}`,
		`{"consumption":0.1,"ean_code":"872","start":"2024-10-27T02:00:00+02:00"}`,
		`{"ean_code":"871","feedin_low":0,"feedin_normal":0,"low":0.42,"normal":0,"start":"2024-10-27T02:00:00+01:00"}`,
		`{"consumption":0.2,"ean_code":"872","start":"2024-10-27T02:00:00+01:00"}`,
		`{"ean_code":"871","feedin_low":0,"feedin_normal":0,"low":0.53,"normal":0,"start":"2024-10-27T03:00:00+01:00"}`}, k.rows[6:])

	k = &keep{}
	report, err = mappedRun(t, hourly, copied(t, "hourly.csv"), map[string]string{"electricity": "871", "gas": ""}, k)
	require.NoError(t, err)
	require.Equal(t, Report{Rows: 6}, report, "a house without gas")
}

// Meter readings in a file with the newest reading first are imported oldest first.
func TestStandingsFile(t *testing.T) {
	k := &keep{}
	report, err := mappedRun(t, standings, copied(t, "daily.csv"), map[string]string{"electricity": "871"}, k)
	require.NoError(t, err)
	require.Equal(t, Report{Rows: 3}, report)
	require.Equal(t, []string{
		`{"consumption_low":813,"consumption_normal":859,"ean_code":"871","feedin_low":697,"feedin_normal":1584,"measurement_date":"2023-07-30"}`,
		`{"consumption_low":822,"consumption_normal":868,"ean_code":"871","feedin_low":722,"feedin_normal":1588,"measurement_date":"2023-08-01"}`,
		`{"consumption_low":824,"consumption_normal":874.5,"ean_code":"871","feedin_low":722,"feedin_normal":1608,"measurement_date":"2023-08-02"}`}, k.rows)
}

// realReadings is a folder with readings of real households. It exists next to the sources on some machines only.
const realReadings = "../../../../../shared/data/readings"

// Real files are imported unchanged, with the same mappings.
func TestRealFiles(t *testing.T) {
	real := func(name string) string {
		b, err := os.ReadFile(filepath.Join(realReadings, name))
		if err != nil {
			t.Skip("the shared readings are not on this machine")
		}
		return temporary(t, name, string(b))
	}
	k := &keep{}
	report, err := mappedRun(t, hourly, real("dsmr-reader-2024-hourly.csv"), map[string]string{"electricity": "871", "gas": "872"}, k)
	require.NoError(t, err)
	require.Equal(t, Report{Rows: 2 * 8754}, report)
	k = &keep{}
	report, err = mappedRun(t, standings, real("daily-with-feed-in-2023.csv"), map[string]string{"electricity": "871"}, k)
	require.NoError(t, err)
	require.Zero(t, report.Refused)
	require.Contains(t, k.rows[0], `"measurement_date":"2023-04-21"`)
	require.Contains(t, k.rows[len(k.rows)-1], `"measurement_date":"2023-08-02"`)
	require.True(t, slices.IsSortedFunc(k.rows, func(a, b string) int { return strings.Compare(dayIn(a), dayIn(b)) }))
}

func dayIn(row string) string { _, day, _ := strings.Cut(row, `"measurement_date"`); return day }

// A refusal contains the line number in the file, the column and, when the mapping defines it, the reason in words.
func TestRefusedOfAMapping(t *testing.T) {
	path := temporary(t, "a.csv", "Hour Start,Electricity 1 (Dutch Users: Low Tariff),Electricity 2 (Dutch Users: Normal Tariff),"+
		"Electricity 1 Returned (Dutch Users: Low Tariff),Electricity 2 Returned (Dutch Users: Normal Tariff),Gas\n"+
		"a,1,2,3,4,5\nb,\"1,5\",x,3,4,5\nc,1,2\nd,1,2,3,4,5\n")
	k := &keep{refuse: func(r record.Row) (string, string) {
		if strings.Contains(string(r.Data), `"start":"d"`) {
			return "start", "usage.offset_needed"
		}
		return "", ""
	}}
	report, err := mappedRun(t, hourly, path, map[string]string{"electricity": "871", "gas": "872"}, k)
	require.NoError(t, err)
	require.Len(t, report.Reasons, 4)
	report.Reasons = nil
	require.Equal(t, Report{Rows: 7, Refused: 4, Rejected: []string{path + ".rejected.ndjson"}}, report)
	require.Len(t, k.rows, 3, "of line 3 the gas is fine")
	b, err := os.ReadFile(path + ".rejected.ndjson")
	require.NoError(t, err)
	line3 := `"record":{"ean_code":"871","feedin_low":3,"feedin_normal":4,"low":"1,5","normal":"x","start":"b"},"text":"b,\"1,5\",x,3,4,5"}`
	require.Equal(t, `{"line":3,"field":"low","column":"Electricity 1 (Dutch Users: Low Tariff)","reason":"not_a_number","hint":"\"1,5\" is not a number with a decimal point",`+line3+`
{"line":3,"field":"normal","column":"Electricity 2 (Dutch Users: Normal Tariff)","reason":"not_a_number","hint":"\"x\" is not a number with a decimal point",`+line3+`
{"line":4,"reason":"field_count","hint":"the line has more or fewer values than the first line has names","text":"c,1,2"}
{"line":5,"field":"start","column":"Hour Start","reason":"usage.offset_needed","record":{"ean_code":"871","feedin_low":3,"feedin_normal":4,"low":1,"normal":2,"start":"d"},"text":"d,1,2,3,4,5"}
{"line":5,"field":"start","column":"Hour Start","reason":"usage.offset_needed","record":{"consumption":5,"ean_code":"872","start":"d"},"text":"d,1,2,3,4,5"}
`, string(b))
}

// Nothing is imported when one of the files does not fit.
func TestNothingBeforeAllFits(t *testing.T) {
	good, other := copied(t, "daily.csv"), copied(t, "hourly.csv")
	k := &keep{}
	o := Options{Order: []string{"reading"}, Mapping: mappingOf(t, standings), Settings: map[string]string{"electricity": "871"},
		Zone: time.UTC}
	run := func(files ...string) error {
		o.Files = files
		_, err := Run(t.Context(), o, k.take)
		return err
	}
	require.ErrorContains(t, run(good, other),
		`hourly.csv: the mapping: records.0: fields.consumption_low: the file has no column "StandDal"; there are: Hour Start, Electricity 1`)
	require.ErrorContains(t, run(good, temporary(t, "a.ndjson", "{}\n")), "a mapping is for CSV files")
	require.ErrorIs(t, run(good, filepath.Join(t.TempDir(), "none.csv")), os.ErrNotExist)
	o.Settings = nil
	require.ErrorContains(t, run(good), "the mapping: it needs --set electricity=…")
	o.Settings, o.Order = map[string]string{"electricity": "871"}, []string{"interval"}
	require.ErrorIs(t, run(good), ErrKind)
	require.Empty(t, k.kinds)

	o.Order = []string{"reading"}
	require.NoError(t, run(temporary(t, "empty.csv", "")), "an empty file is not an error")
	o.Mapping.Comma = "|"
	require.ErrorContains(t, run(good), "there are: OpnameDatum;StandNormaal;")
	require.NoError(t, run(temporary(t, "pipes.txt",
		"TerugleveringNormaal|TerugleveringDal|StandDal|StandNormaal|OpnameDatum\n1|2|3|4|2023-01-01\n")))
	require.Len(t, k.rows, 1)
}

// sourced returns one string for each record or error of a source.
func sourced(t testing.TB, s source) (out []string) {
	t.Helper()
	for {
		record, err := s.Record()
		switch bad, isBad := errors.AsType[*BadRow](err); {
		case errors.Is(err, io.EOF):
			return out
		case isBad:
			out = append(out, fmt.Sprintf("%d %s %s", bad.Line, bad.Code, bad.Text))
		case err != nil:
			return append(out, err.Error())
		default:
			out = append(out, fmt.Sprintf("%d.%d %s", record.Line, record.Of, record.Data))
		}
	}
}

func plainly(columns []string) (*mapping.Lines, error) { return mapping.Plain(columns) }

func both(t testing.TB, in []byte) (forwards, back []string) {
	forwards = sourced(t, NewMappedReader(bytes.NewReader(in), 0, plainly))
	back = sourced(t, newBackwards(bytes.NewReader(in), int64(len(in)), 0, plainly))
	slices.Reverse(back)
	return forwards, back
}

func TestBackwards(t *testing.T) {
	for name, in := range map[string]string{
		"nothing": "", "a header": "a,b\n", "no end": "a,b\n1,2\n3,4", "a bad header": "a,a\n1,2\n",
		"mark and Windows": "\uFEFFa;b\r\n1;2\r\n\r\n3;4\r\n", "bad lines": "a,b\n1\n2,2\n\xff,3\n4,4\n",
		"line ends in quotes": "a,b\n\"1\n2\n3\",x\n4,\"5\n\"\n6,7\n", "an open quote": "a,b\n\"1,2\n3,4\n5,6\n",
		"many": "a,b\n" + strings.Repeat("1,\"x\ny\"\n2,3\nbad\n", 1000), "long": "a,b\n" +
			strings.Repeat(strings.Repeat("x", 700_000)+",2\n", 7),
	} {
		t.Run(name, func(t *testing.T) {
			forwards, back := both(t, []byte(in))
			require.Equal(t, forwards, back)
		})
	}
	in := []byte("a,b\n" + strings.Repeat("1,2\n", 1250))
	b := newBackwards(bytes.NewReader(in), int64(len(in)), 0, plainly)
	_, err := b.Record()
	require.NoError(t, err)
	require.Len(t, b.marks, 2, "a mark for every 500 lines, and the last part is being read")
	require.Len(t, b.queue, 249)
}

// Whatever a file contains, the reading order does not change its records.
func FuzzBackwards(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n\"3\n\",4"))
	f.Add([]byte("\uFEFFa;b\r\n\"1;2\n3;4\n\n5"))
	f.Fuzz(func(t *testing.T, in []byte) {
		forwards, back := both(t, in)
		require.Equal(t, forwards, back)
	})
}

// BenchmarkMappedFile reads a million lines (28 MB). Memory use does not grow with the file.
func BenchmarkMappedFile(b *testing.B) {
	for _, order := range []mapping.Order{mapping.OldestFirst, mapping.NewestFirst} {
		b.Run(string(order), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "a.csv")
			var text bytes.Buffer
			text.WriteString("OpnameDatum;StandNormaal;StandDal;TerugleveringNormaal;TerugleveringDal\n")
			for range 1_000_000 {
				text.WriteString("2023-08-02;874;824;1608;722\n")
			}
			require.NoError(b, os.WriteFile(path, text.Bytes(), 0o600))
			text = bytes.Buffer{}
			runtime.GC()
			m := mappingOf(b, standings)
			m.Order = order
			o := Options{Order: []string{"reading"}, Files: []string{path}, Mapping: m, Settings: map[string]string{"electricity": "871"},
				Zone: time.UTC}
			batches, peak := 0, uint64(0)
			for b.Loop() {
				_, err := Run(b.Context(), o, func(context.Context, string, []record.Row) ([]record.Refusal, error) {
					if batches++; batches%100 == 0 {
						var m runtime.MemStats
						runtime.ReadMemStats(&m)
						peak = max(peak, m.HeapAlloc)
					}
					return nil, nil
				})
				require.NoError(b, err)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(1e6*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
			b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
		})
	}
}

func TestFieldsOfAMapping(t *testing.T) {
	t.Run("11-import-mapping-fields", func(t *testing.T) {
		var k keep
		path := temporary(t, "days.csv", "Naam;Stad\nAda;Delft\n")
		o := Options{Label: "alpha", Order: []string{"note"}, Files: []string{path}, Zone: time.UTC,
			Kinds: map[string]record.Kind{"note": {Name: "note", Fields: struct {
				Name string `json:"name"`
			}{}}}}
		o.Mapping = mappingOf(t, `{"kind": "note", "records": [{"fields": {"name": {"column": "Naam"}, "city": {"column": "Stad"}}}]}`)
		_, err := Run(t.Context(), o, k.take)
		require.EqualError(t, err, "imports: the mapping: records.0.fields.city: is not a field of note (wattle import schema note)")
		require.Empty(t, k.rows)
		delete(o.Mapping.Records[0].Fields, "city")
		_, err = Run(t.Context(), o, k.take)
		require.NoError(t, err)
		require.Equal(t, []string{`{"name":"Ada"}`}, k.rows)
	})
}
