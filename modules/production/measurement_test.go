package production

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// world is a portal with the module. Its clock is stopped at noon on Friday 20 November 2026 in the label's zone.
type world struct {
	*moduletest.World
	t testing.TB
	s *service
}

const pushPath = "/staff/production/measurements"

func openWorld(t testing.TB, o moduletest.Options) *world {
	t.Helper()
	if o.Settings == nil {
		o.Settings = Settings{Weather: WeatherSettings{Provider: "embedded", Station: "De Bilt"}, DefaultProject: "WND-WJ"}
	}
	w := &world{World: moduletest.Open(t, Module, o, false), t: t}
	w.s = w.Registry.Snapshot().Modules[manifest.Key].Instance.(*service)
	w.s.host.Now = func() time.Time { return noon }
	return w
}

var noon = time.Date(2026, 11, 20, 11, 0, 0, 0, time.UTC)

func system(label string) module.Scope { return module.Scope{Label: label, Role: module.RoleKey} }

func (w *world) load(label, kind string, records ...string) []record.Refusal {
	w.t.Helper()
	rows := make([]record.Row, len(records))
	for i, r := range records {
		rows[i] = record.Row{Line: i + 1, Data: []byte(r)}
	}
	ctx, ok := w.Hub.ScopeFor(label, manifest.Key)
	require.True(w.t, ok)
	refused, err := w.s.Import(ctx, kind, rows)
	require.NoError(w.t, err)
	return refused
}

// commission imports a project of 1 MW.
func (w *world) commission(code string) {
	w.t.Helper()
	require.Empty(w.t, w.load(moduletest.LabelOne, kindProject, fmt.Sprintf(`{"project_code":%q,"rated_power":1000}`, code)))
}

func (w *world) push(all ...Measurement) (out Taken) {
	w.t.Helper()
	body, err := json.Marshal(map[string]any{"measurements": all})
	require.NoError(w.t, err)
	status, answer := w.Do(w.t.Context(), moduletest.Call{Method: http.MethodPost, Path: pushPath, Body: string(body),
		As: system(moduletest.LabelOne)})
	require.Equal(w.t, http.StatusOK, status, string(answer))
	require.NoError(w.t, json.Unmarshal(answer, &out))
	return out
}

func get[T any](w *world, path string, as module.Scope) (out T) {
	w.t.Helper()
	status, answer := w.Do(w.t.Context(), moduletest.Call{Path: path, As: as})
	require.Equal(w.t, http.StatusOK, status, "%s: %s", path, answer)
	require.NoError(w.t, json.Unmarshal(answer, &out), string(answer))
	return out
}

func (w *world) measured(code string) Measured {
	w.t.Helper()
	found := get[[]Measured](w, "/sustainable/measured?projects="+code, module.Scope{})
	require.Len(w.t, found, 1)
	return found[0]
}

// month returns the production of the days of a month, in kWh.
func (w *world) month(code string, offset int) (out []float64) {
	w.t.Helper()
	for _, p := range get[[]Point](w, fmt.Sprintf("/sustainable/production/%s?timeframe_type=MONTH_DAYS&timeframe_offset=%d", code, offset),
		module.Scope{}) {
		if p.Value == nil {
			out = append(out, -1)
			continue
		}
		out = append(out, *p.Value)
	}
	return out
}

func reading(code string, at time.Time, counter float64) Measurement {
	return Measurement{Project: code, Meter: "T1", At: at, Counter: &counter}
}

func TestMeasurements(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openWorld(t, o)
		on := func(t *testing.T) *world { return &world{w.World, t, w.s} }
		t.Run("9-production-push", func(t *testing.T) {
			w := on(t)
			w.commission("PU")
			p := 500.0
			done := w.push(Measurement{Project: "PU", Meter: "T1", At: noon.Add(-time.Hour), Counter: new(1000.0)},
				Measurement{Project: "PU", Meter: "T1", At: noon, Power: &p, Counter: new(1250.0)},
				Measurement{Project: "PU", Meter: "T2", At: noon.Add(-time.Minute), Power: new(300.0)},
				Measurement{Project: "PU", Meter: "T1", At: noon.Add(-time.Minute)})
			assert.Equal(t, Taken{Stored: 3, Refused: []RefusedMeasurement{{3, "power", codeNothing}}}, done,
				"the valid measurements of a call are stored")
			m := w.measured("PU")
			assert.Equal(t, []float64{800, 80, 250, 250, 250}, []float64{*m.CurrentPower, *m.Percentage, *m.Today, *m.Year, *m.Total})
			assert.Equal(t, noon, *m.At)
			one := `{"project_code":"PU","meter":"T3","at":"2026-11-20T10:00:00Z","power":1},`
			assert.Equal(t, 1000, maxMeasurements)
			for n, want := range map[int]int{maxMeasurements: http.StatusOK, maxMeasurements + 1: http.StatusBadRequest} {
				status, _ := w.Do(t.Context(), moduletest.Call{Method: http.MethodPost, Path: pushPath, As: system(moduletest.LabelOne),
					Body: `{"measurements":[` + strings.TrimSuffix(strings.Repeat(one, n), ",") + `]}`})
				assert.Equal(t, want, status, "%d measurements", n)
			}
		})
		t.Run("9-production-push-rules", func(t *testing.T) { testRefusals(t, on(t)) })
		t.Run("9-production-clock", func(t *testing.T) {
			w := on(t)
			w.commission("CL")
			early, late := noon.Add(5*time.Minute), noon.AddDate(0, 0, -35)
			done := w.push(reading("CL", early.Add(time.Millisecond), 1), reading("CL", early, 2), reading("CL", late.Add(-time.Millisecond), 3),
				reading("CL", late, 1))
			assert.Equal(t, Taken{Stored: 2, Refused: []RefusedMeasurement{{0, "at", "production.future"}, {2, "at", "production.too_old"}}}, done)
			assert.Equal(t, noon, *w.measured("CL").At, "the time is never after now")
			w.commission("CM")
			w.push(reading("CM", noon, 1000))
			for n, kWh := range []float64{700, 750, 950} { // in successive hours of 18 October
				at := late.Add(time.Duration(46+n) * time.Hour)
				w.push(Measurement{Project: "CM", Meter: "T2", At: at, Counter: &kWh})
			}
			days := w.month("CM", -1)
			assert.Equal(t, []float64{-1, 250, -1}, days[16:19], "late values count on their own day: 18 October")
			assert.Equal(t, []float64{250, 0}, []float64{*w.measured("CM").Total, *w.measured("CM").Today})
		})
		t.Run("9-production-push-again", func(t *testing.T) { testRepeatedPush(t, on(t)) })
		t.Run("9-production-series", func(t *testing.T) { testSeries(t, on(t)) })
		t.Run("9-production-quality", func(t *testing.T) { testQuality(t, on(t)) })
		t.Run("9-production-now", func(t *testing.T) { testCurrentPower(t, on(t)) })
		t.Run("a label has only its own measurements", func(t *testing.T) {
			w := on(t)
			w.commission("LA")
			w.push(reading("LA", noon.Add(-time.Minute), 1))
			assert.Empty(t, get[[]Measured](w, "/sustainable/measured?projects=LA", module.Scope{Label: moduletest.LabelTwo}))
			assert.Empty(t, get[[]StoredMeasurement](w, pushPath+"?project_code=LA", system(moduletest.LabelTwo)))
			status, _ := w.Do(t.Context(), moduletest.Call{Method: http.MethodPost, Path: pushPath, As: system(moduletest.LabelTwo),
				Body: `{"measurements":[{"project_code":"LA","meter":"T1","at":"2026-11-20T11:00:00Z","counter":9}]}`})
			require.Equal(t, http.StatusOK, status)
			assert.Len(t, get[[]StoredMeasurement](w, pushPath+"?project_code=LA", system(moduletest.LabelOne)), 1)
		})
		t.Run("9-production-quality", func(t *testing.T) { testRetention(t, on(t)) })
	})
}

func TestMeasurementsInAnyOrder(t *testing.T) {
	moduletest.EachEngine(t, moduletest.Options{}, func(t *testing.T, o moduletest.Options) {
		w := openWorld(t, o)
		t.Run("9-production-counters", func(t *testing.T) { testAnyOrder(t, &world{w.World, t, w.s}) })
	})
}

func testRefusals(t *testing.T, w *world) {
	w.commission("RU")
	fine := Measurement{Project: "RU", Meter: "T1", At: noon.Add(-time.Minute), Power: new(1.0)}
	for want, spoil := range map[string]func(*Measurement){
		"project_code " + codeUnknownProject: func(m *Measurement) { m.Project = "NONE" },
		"meter " + problem.CodeInvalid:       func(m *Measurement) { m.Meter = "T\u0000" },
		"source " + problem.CodeInvalid:      func(m *Measurement) { m.Source = "a\nb" },
		"power " + codeNothing:               func(m *Measurement) { m.Power = nil },
		"power " + codeImplausible:           func(m *Measurement) { m.Power = new(1500.1) },
		"counter " + codeNegative:            func(m *Measurement) { m.Counter = new(-0.1) },
		"counter " + codeNumber:              func(m *Measurement) { m.Counter = new(1e300) },
		"rpm " + codeImplausible:             func(m *Measurement) { m.RPM = new(-1.0) },
		"wind_speed " + codeImplausible:      func(m *Measurement) { m.WindSpeed = new(101.0) },
		"wind_direction " + codeImplausible:  func(m *Measurement) { m.WindDirection = new(361.0) },
	} {
		m := fine
		spoil(&m)
		done := w.push(m, fine)
		if assert.Len(t, done.Refused, 1, want) {
			assert.Equal(t, want, done.Refused[0].Field+" "+done.Refused[0].Code)
		}
		assert.Equal(t, 1, done.Stored+done.Repeated, want)
	}
	for _, power := range []float64{1500, -200} {
		assert.Empty(t, w.push(Measurement{Project: "RU", Meter: "T1", At: noon, Power: &power}).Refused)
	}
	for _, body := range []string{``, `{`, `[]`, `{"measurements":[]}`, `{"measurements":null}`, `{"measurements":[{}]}`,
		`{"measurements":[{"project_code":"RU"}]}`,
		`{"measurements":[{"project_code":"RU","meter":"","at":"2026-11-20T10:00:00Z","power":1}]}`,
		`{"measurements":[{"project_code":"RU","meter":"T1","at":"today","power":1}]}`,
		`{"measurements":[{"project_code":"RU","meter":"T1","at":"2026-11-20T10:00:00Z","power":"much"}]}`,
		`{"measurements":[{"project_code":"RU","meter":"T1","at":"2026-11-20T10:00:00Z","power":1,"quality":"sure"}]}`,
		`{"measurements":[{"project_code":"RU","meter":"T1","at":"2026-11-20T10:00:00Z","watts":1}]}`} {
		status, answer := w.Do(t.Context(), moduletest.Call{Method: http.MethodPost, Path: pushPath, Body: body, As: system(moduletest.LabelOne)})
		assert.Equal(t, http.StatusBadRequest, status, "%.80s: %s", body, answer)
	}
	// Imported records follow the same rules; their numbers may be strings.
	refused := w.load(moduletest.LabelOne, kindMeasurement,
		`{"project_code":"RU","meter":"T1","at":"2026-11-20T10:30:00Z","power":"12.5","counter":1}`,
		`{"project_code":"RU","meter":"T1","at":"2026-11-20T10:30","power":1}`,
		`{"project_code":"NONE","meter":"T1","at":"2026-11-20T10:30:00Z","power":1}`,
		`{"project_code":"RU","meter":"T1","at":"2026-11-20T10:30:00Z","power":"veel"}`, `{"project_code":"RU","meter":"T1","power":1}`)
	slices.SortFunc(refused, func(a, b record.Refusal) int { return a.Line - b.Line })
	assert.Equal(t, []record.Refusal{{Line: 2, Field: "at", Code: problem.CodeInvalid},
		{Line: 3, Field: "project_code", Code: codeUnknownProject},
		{Line: 4, Field: "power", Code: codeNumber}, {Line: 5, Field: "at", Code: problem.CodeRequired}}, refused)
	for want, record := range map[string]string{
		"project_code " + problem.CodeRequired:   `{"rated_power":1}`,
		"project_code " + problem.CodeInvalid:    `{"project_code":"a b","rated_power":1}`,
		"rated_power " + problem.CodeRequired:    `{"project_code":"RX"}`,
		"rated_power " + codeNegative:            `{"project_code":"RX","rated_power":-1}`,
		"rated_power " + codeNumber:              `{"project_code":"RX","rated_power":"1e9"}`,
		"weather_station " + problem.CodeInvalid: `{"project_code":"RX","rated_power":1,"weather_station":"\u0007"}`,
	} {
		refused := w.load(moduletest.LabelOne, kindProject, record)
		if assert.Len(t, refused, 1, want) {
			assert.Equal(t, want, refused[0].Field+" "+refused[0].Code)
		}
	}
}

func testRepeatedPush(t *testing.T, w *world) {
	w.commission("AG")
	batch := []Measurement{reading("AG", noon.Add(-2*time.Hour), 100), reading("AG", noon.Add(-time.Hour), 300), reading("AG", noon, 400)}
	assert.Equal(t, Taken{Stored: 3, Refused: []RefusedMeasurement{}}, w.push(batch...))
	assert.Equal(t, Taken{Repeated: 3, Refused: []RefusedMeasurement{}}, w.push(batch...), "a repeated call changes nothing")
	assert.Equal(t, Taken{Repeated: 6, Refused: []RefusedMeasurement{}}, w.push(append(batch, batch...)...),
		"a repetition within a call changes nothing")
	assert.Equal(t, 300.0, *w.measured("AG").Total)

	other := reading("AG", noon.Add(-time.Hour), 350)
	assert.Equal(t, 1, w.push(other).Stored, "a new value of the same time replaces the old one")
	assert.Equal(t, 300.0, *w.measured("AG").Total)
	hours := get[[]Point](w, "/sustainable/production/AG", module.Scope{})
	assert.Equal(t, []float64{250, 50}, []float64{*hours[10].Value, *hours[11].Value})

	another := Measurement{Project: "AG", Meter: "T2", At: noon, Counter: new(7.0)}
	assert.Equal(t, 1, w.push(another).Stored, "of another meter at the same moment")
	w.commission("AH")
	assert.Equal(t, 1, w.push(reading("AH", noon, 400)).Stored, "of another project at the same moment")
	assert.Equal(t, Taken{Repeated: 2, Refused: []RefusedMeasurement{}}, w.push(another, reading("AG", noon, 400)))

	estimate := reading("AG", noon.Add(-time.Hour), 200)
	estimate.Quality = Estimated
	assert.Equal(t, 1, w.push(estimate).Repeated, "an estimate does not replace a measurement")
	correction := reading("AG", noon, 500)
	correction.Quality = Corrected
	assert.Equal(t, 1, w.push(correction).Stored)
	assert.Equal(t, 1, w.push(reading("AG", noon, 400)).Repeated, "a measurement does not replace a correction")
	assert.Equal(t, 400.0, *w.measured("AG").Total)
	power := Measurement{Project: "AG", Meter: "T1", At: noon, Power: new(70.0), Quality: Corrected}
	assert.Equal(t, 1, w.push(power).Stored)
	assert.Equal(t, []float64{70, 400}, []float64{*w.measured("AG").CurrentPower, *w.measured("AG").Total}, "absent values stay")
}

func testSeries(t *testing.T, w *world) {
	w.commission("SE")
	w.push(reading("SE", noon.Add(-3*time.Hour), 1000), reading("SE", noon.Add(-90*time.Minute), 1300), reading("SE", noon, 1600))
	day := func() (out []any) {
		for _, p := range get[[]Point](w, "/sustainable/production/SE?timeframe_type=DAY_HOURS", module.Scope{}) {
			if p.Value == nil {
				out = append(out, nil)
				continue
			}
			out = append(out, *p.Value)
		}
		return out
	}
	assert.Equal(t, []any{nil, 200.0, 200.0, 200.0, nil}, day()[8:13])
	assert.Equal(t, "2026-11-20T12:00:00+01:00", get[map[string]any](w, "/sustainable/production/SE/updated", module.Scope{})["until"])
	// An imported hour takes precedence over a counted one, in either order.
	require.Empty(t, w.load(moduletest.LabelOne, kindHour, `{"project_code":"SE","start":"2026-11-20T10:00:00+01:00","kwh":150}`))
	assert.Equal(t, []any{nil, 200.0, 150.0, 200.0, nil}, day()[8:13])
	assert.Equal(t, 550.0, *w.measured("SE").Today)
	w.push(reading("SE", noon.Add(-2*time.Hour), 1100)) // late: it lowers the previous hour; the next hour was imported
	assert.Equal(t, []any{nil, 100.0, 150.0, 200.0, nil}, day()[8:13])
	assert.Equal(t, []float64{450, 450, 450}, []float64{*w.measured("SE").Today, *w.measured("SE").Year, *w.measured("SE").Total})
	assert.Equal(t, 450.0, w.month("SE", 0)[19])
	require.Empty(t, w.load(moduletest.LabelOne, kindDay, `{"project_code":"SE","day":"2025-11-20","hours":[`+strings.Repeat("1,", 23)+`1]}`))
	assert.Equal(t, []float64{450, 450, 474}, []float64{*w.measured("SE").Today, *w.measured("SE").Year, *w.measured("SE").Total})
	live := get[map[string]Live](w, "/livedata?projects=SE", module.Scope{})["SE"]
	assert.Equal(t, []int64{27, 3}, []int64{*live.TotalRuntime, *live.YearRuntime})
}

func testQuality(t *testing.T, w *world) {
	w.commission("QU")
	w.push(Measurement{Project: "QU", Meter: "T1", At: noon.Add(-10 * time.Minute), Counter: new(5000.0), Source: "scada-1"},
		Measurement{Project: "QU", Meter: "T1", At: noon.Add(-5 * time.Minute), Counter: new(0.0), Quality: Estimated, Source: "hand"},
		Measurement{Project: "QU", Meter: "T1", At: noon, Counter: new(5050.5), Power: new(600.0), RPM: new(14.5), WindSpeed: new(8.0),
			WindDirection: new(225.0), Source: "scada-1"})
	got := get[[]StoredMeasurement](w, pushPath+"?project_code=QU&meter=T1", system(moduletest.LabelOne))
	require.Len(t, got, 3)
	assert.Equal(t, []any{"scada-1", AsMeasured, true, 50.5}, []any{got[0].Source, got[0].Quality, got[0].Counts, *got[0].Made})
	assert.Equal(t, []any{"hand", Estimated, false, (*float64)(nil)}, []any{got[1].Source, got[1].Quality, got[1].Counts, got[1].Made},
		"a glitch is stored and does not count")
	assert.Equal(t, []any{noon, 5050.5, 600.0, 14.5, 8.0, 225.0}, []any{got[0].At, *got[0].Counter, *got[0].Power, *got[0].RPM,
		*got[0].WindSpeed, *got[0].WindDirection})
	assert.Len(t, get[[]StoredMeasurement](w, pushPath+"?project_code=QU&limit=1", system(moduletest.LabelOne)), 1)
	assert.Len(t, get[[]StoredMeasurement](w, pushPath+"?project_code=QU&before=2026-11-20T11:00:00Z", system(moduletest.LabelOne)), 2)
	assert.Empty(t, get[[]StoredMeasurement](w, pushPath+"?project_code=a%00b", system(moduletest.LabelOne)))
	assert.Equal(t, AsMeasured, *w.measured("QU").Quality)
}

func testCurrentPower(t *testing.T, w *world) {
	w.commission("NO")
	m := w.measured("NO")
	assert.Equal(t, []any{(*float64)(nil), (*float64)(nil), (*float64)(nil), (*time.Time)(nil)}, []any{m.CurrentPower, m.Today, m.Total, m.At},
		"no measurement")
	assert.Empty(t, get[[]Measured](w, "/sustainable/measured?projects=NEVER,,a%20b", module.Scope{}))

	// Imported hours count as measured: the power is the mean of the last hour.
	require.Empty(t, w.load(moduletest.LabelOne, kindHour, `{"project_code":"NO","start":"2026-11-19T08:00:00+01:00","kwh":120}`))
	require.Empty(t, w.load(moduletest.LabelOne, kindHour, `{"project_code":"NO","start":"2025-11-19T08:00:00+01:00","kwh":30}`))
	m = w.measured("NO")
	assert.Equal(t, []any{120.0, 0.0, 120.0, 150.0}, []any{*m.CurrentPower, *m.Today, *m.Year, *m.Total})
	assert.Equal(t, time.Date(2026, 11, 19, 8, 0, 0, 0, time.UTC), *m.At)
	assert.Nil(t, m.Quality)

	// The power is the sum of all active meters. For a meter without a power, the rise of its counter is used instead.
	w.push(Measurement{Project: "NO", Meter: "T1", At: noon, Power: new(500.0)},
		Measurement{Project: "NO", Meter: "T2", At: noon.Add(-14 * time.Minute), Counter: new(10.0)},
		Measurement{Project: "NO", Meter: "T2", At: noon.Add(-4 * time.Minute), Counter: new(20.0)},
		Measurement{Project: "NO", Meter: "T3", At: noon.Add(-16 * time.Minute), Power: new(900.0)})
	m = w.measured("NO")
	assert.Equal(t, Measured{Code: "NO", CurrentPower: new(560.0), Percentage: new(56.0), Today: new(10.0), Year: new(130.0),
		Total: new(160.0), At: new(noon), Quality: new(AsMeasured)}, m)
	w.push(Measurement{Project: "NO", Meter: "T1", At: noon, Power: new(-100.0), Quality: Corrected})
	assert.Equal(t, 0.0, *w.measured("NO").CurrentPower, "a negative power counts as zero")
}

func testRetention(t *testing.T, w *world) {
	w.commission("FO")
	w.push(reading("FO", noon.Add(-30*24*time.Hour), 100), reading("FO", noon.Add(-30*24*time.Hour+time.Hour), 200),
		reading("FO", noon.Add(-30*24*time.Hour+2*time.Hour), 300))
	edge := noon.AddDate(0, 0, -25) // 45 days before the clock below
	w.commission("FP")
	w.push(reading("FP", edge.Add(-2*time.Second), 100), reading("FP", edge.Add(-time.Second), 101), reading("FP", edge, 102))
	w.s.host.Now = func() time.Time { return noon.Add(20 * 24 * time.Hour) }
	defer func() { w.s.host.Now = func() time.Time { return noon } }()
	w.push(reading("FO", noon.Add(20*24*time.Hour), 450))
	assert.Equal(t, 350.0, *w.measured("FO").Total)
	assert.Len(t, get[[]StoredMeasurement](w, pushPath+"?project_code=FO", system(moduletest.LabelOne)), 2,
		"the newest counting mark before the limit stays")
	w.push(reading("FP", noon.Add(20*24*time.Hour), 152))
	var kept []float64
	for _, m := range get[[]StoredMeasurement](w, pushPath+"?project_code=FP", system(moduletest.LabelOne)) {
		kept = append(kept, *m.Counter)
	}
	assert.Equal(t, []float64{152, 102, 101}, kept, "of exactly 45 days ago, and the mark before it, from which the counter continues")
	assert.Equal(t, 52.0, *w.measured("FP").Total)
	w.push(reading("FO", noon.Add(20*24*time.Hour-time.Hour), 440))
	assert.Equal(t, 350.0, *w.measured("FO").Total)
}

// The hours and their sum follow from the counters, whatever the order and batches of the measurements, and however often they are sent.
func testAnyOrder(t *testing.T, w *world) {
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		shuffled, ordered := fmt.Sprintf("A%d", n), fmt.Sprintf("B%d", n)
		w.commission(shuffled)
		w.commission(ordered)
		var all []Measurement
		counter, sum, at := int64(10_000_000), int64(0),
			noon.Add(-30*24*time.Hour).Add(time.Duration(rapid.IntRange(0, 3600).Draw(r, "begin"))*time.Second)
		set := false
		for i := range rapid.IntRange(2, 24).Draw(r, "marks") {
			step := time.Duration(rapid.IntRange(1, 40).Draw(r, "minutes")) * time.Minute
			if rapid.IntRange(0, 9).Draw(r, "silent") == 0 {
				step = time.Duration(rapid.IntRange(1, 26).Draw(r, "hours")) * time.Hour
			}
			at = at.Add(step)
			made := rapid.Int64Range(0, int64(step.Hours()*megawatt)).Draw(r, "made")
			switch {
			case i == 0:
			case !set && rapid.IntRange(0, 9).Draw(r, "set back") == 0:
				// The counter was reset: only the energy since then is known.
				made = min(made, 9_000_000/30)
				counter, sum, set = made, sum+made, true
			default:
				if set { // a counter that reaches its old value would be a glitch
					made = min(made, 9_000_000/30)
				}
				counter, sum = counter+made, sum+made
			}
			all = append(all, reading("", at, float64(counter)/1000))
			if i > 0 && rapid.IntRange(0, 9).Draw(r, "glitch") == 0 && !set {
				at = at.Add(time.Minute)
				all = append(all, reading("", at, rapid.SampledFrom([]float64{0, 99_999_999}).Draw(r, "glitch at")))
				at = at.Add(time.Minute) // afterwards the meter continues normally
				all = append(all, reading("", at, float64(counter)/1000))
			}
		}
		to := func(code string, all []Measurement) []Measurement {
			out := slices.Clone(all)
			for i := range out {
				out[i].Project = code
			}
			return out
		}
		w.push(to(ordered, all)...)
		mixed := rapid.Permutation(append(slices.Clone(all), rapid.SliceOfN(rapid.SampledFrom(all), 0, 10).Draw(r, "repeated")...)).Draw(r,
			"order")
		for len(mixed) > 0 {
			some := rapid.IntRange(1, len(mixed)).Draw(r, "batch")
			w.push(to(shuffled, mixed[:some])...)
			mixed = mixed[some:]
		}
		for _, code := range []string{ordered, shuffled} {
			if got := *w.measured(code).Total; math.Round(got*1000) != float64(sum) {
				r.Fatalf("%s: %v kWh of %d Wh", code, got, sum)
			}
		}
		for offset := range 2 {
			if a, b := w.month(shuffled, -offset), w.month(ordered, -offset); !slices.Equal(a, b) {
				r.Fatalf("%v and %v", a, b)
			}
		}
	})
}

// FuzzPush sends any body: valid measurements are stored and others refused, without an internal error.
func FuzzPush(f *testing.F) {
	w := openWorld(f, moduletest.Options{})
	w.commission("FZ")
	for _, seed := range []string{`{"measurements":[{"project_code":"FZ","meter":"T1","at":"2026-11-20T11:00:00Z","power":1,"counter":2,"quality":"corrected"}]}`,
		`{"measurements":[{"project_code":"FZ","meter":"T1","at":"2026-11-20T10:00:00.001+05:45","counter":1e15}]}`, `{"measurements":[null]}`,
		`{}`, `[]`, "\x00",
		`{"measurements":[{"project_code":"FZ","meter":"\ud800","at":"2026-11-20T11:00:00Z","counter":-0}]}`} {
		f.Add(seed)
	}
	ctx, ok := w.Hub.ScopeFor(moduletest.LabelOne, manifest.Key)
	require.True(f, ok)
	f.Fuzz(func(t *testing.T, body string) {
		ask := func(method, path, body string) (int, []byte) {
			r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			out := httptest.NewRecorder()
			w.s.ServeHTTP(out, r)
			return out.Code, out.Body.Bytes()
		}
		switch status, answer := ask(http.MethodPost, pushPath, body); status {
		case http.StatusOK:
			var done Taken
			require.NoError(t, json.Unmarshal(answer, &done))
			require.Positive(t, done.Stored+done.Repeated+len(done.Refused))
			status, answer = ask(http.MethodGet, "/sustainable/measured?projects=FZ", "")
			require.Equal(t, http.StatusOK, status)
			var all []Measured
			require.NoError(t, json.Unmarshal(answer, &all))
			if all[0].Total != nil {
				require.GreaterOrEqual(t, *all[0].Total, 0.0)
			}
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		default:
			t.Fatalf("%d %s", status, answer)
		}
	})
}
