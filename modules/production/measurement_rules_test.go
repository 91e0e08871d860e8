package production

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/problem"
)

// park is a project of 1 MW.
var park = projectRow{ProjectCode: "PA", RatedPower: megawatt}

// full returns a measurement with all fields set.
func full() Measurement {
	return Measurement{Project: "PA", Meter: "T1", At: noon, Power: new(812.3456), Counter: new(1234.5678), RPM: new(12.346),
		WindSpeed: new(7.0), WindDirection: new(225.0),
		Source: "scada-1", Quality: Corrected}
}

func TestReadMeasurement(t *testing.T) {
	row, invalid := full().read(&park, noon)
	require.Nil(t, invalid)
	assert.Equal(t, measurementRow{ProjectCode: "PA", Meter: "T1", MeasuredAt: noon.UnixMilli(), Power: new(int64(812_346)),
		Counter: new(int64(1_234_568)),
		RPM:     new(12.35), WindSpeed: new(7.0), WindDirection: new(225.0), Source: "scada-1", Quality: Corrected}, row,
		"W and Wh, and hundredths of what else was measured")

	t.Run("9-production-push-rules", func(t *testing.T) {
		for name, change := range map[string]func(*Measurement){
			"no quality":              func(m *Measurement) { m.Quality = "" },
			"an estimate":             func(m *Measurement) { m.Quality = Estimated },
			"no source":               func(m *Measurement) { m.Source = "" },
			"power only":              func(m *Measurement) { m.Counter = nil },
			"a counter only":          func(m *Measurement) { m.Power = nil },
			"half more than rated":    func(m *Measurement) { m.Power = new(1500.0) },
			"own use":                 func(m *Measurement) { m.Power = new(-200.0) },
			"a counter that begins":   func(m *Measurement) { m.Counter = new(0.0) },
			"the highest counter":     func(m *Measurement) { m.Counter = new(1e9) },
			"a rotor that stands":     func(m *Measurement) { m.RPM = new(0.0) },
			"a rotor at its fastest":  func(m *Measurement) { m.RPM = new(10_000.0) },
			"no wind":                 func(m *Measurement) { m.WindSpeed = new(0.0) },
			"most wind":               func(m *Measurement) { m.WindSpeed = new(100.0) },
			"wind from the north":     func(m *Measurement) { m.WindDirection = new(0.0) },
			"wind from the north too": func(m *Measurement) { m.WindDirection = new(360.0) },
			"nothing of the weather":  func(m *Measurement) { m.RPM, m.WindSpeed, m.WindDirection = nil, nil, nil },
			"a clock that is ahead":   func(m *Measurement) { m.At = noon.Add(5 * time.Minute) },
			"35 days late":            func(m *Measurement) { m.At = noon.AddDate(0, 0, -35) },
			"long names":              func(m *Measurement) { m.Meter, m.Source = strings.Repeat("é", 64), strings.Repeat("x", 64) },
		} {
			m := full()
			change(&m)
			row, invalid := m.read(&park, noon)
			if assert.Nil(t, invalid, name) {
				assert.Equal(t, m.At.UnixMilli(), row.MeasuredAt, name)
				assert.Equal(t, m.Power != nil, row.Power != nil, name)
				assert.Equal(t, m.Counter != nil, row.Counter != nil, name)
				if m.Quality == "" {
					assert.Equal(t, AsMeasured, row.Quality, name)
				}
			}
		}
		refused := func(want fault, changes ...func(*Measurement)) {
			for i, change := range changes {
				m := full()
				change(&m)
				_, invalid := m.read(&park, noon)
				if assert.NotNil(t, invalid, "%v %d", want, i) {
					assert.Equal(t, want, *invalid, i)
				}
			}
		}
		refused(fault{"meter", problem.CodeInvalid}, func(m *Measurement) { m.Meter = "" },
			func(m *Measurement) { m.Meter = strings.Repeat("é", 65) })
		refused(fault{"at", problem.CodeRequired}, func(m *Measurement) { m.At = time.Time{} })
		refused(fault{"at", codeFuture}, func(m *Measurement) { m.At = noon.Add(5*time.Minute + time.Millisecond) })
		refused(fault{"at", codeTooOld}, func(m *Measurement) { m.At = noon.AddDate(0, 0, -35).Add(-time.Millisecond) })
		refused(fault{"quality", problem.CodeInvalid}, func(m *Measurement) { m.Quality = "sure" })
		refused(fault{"source", problem.CodeInvalid}, func(m *Measurement) { m.Source = "a\nb" },
			func(m *Measurement) { m.Source = strings.Repeat("x", 65) })
		refused(fault{"power", codeNothing}, func(m *Measurement) { m.Power, m.Counter = nil, nil })
		refused(fault{"power", codeImplausible}, func(m *Measurement) { m.Power = new(1500.001) },
			func(m *Measurement) { m.Power = new(-200.001) },
			func(m *Measurement) { m.Power = new(math.NaN()) }, func(m *Measurement) { m.Power = new(math.Inf(-1)) })
		refused(fault{"counter", codeNegative}, func(m *Measurement) { m.Counter = new(-.001) })
		refused(fault{"counter", codeNumber}, func(m *Measurement) { m.Counter = new(1e9 + 1) },
			func(m *Measurement) { m.Counter = new(math.NaN()) })
		refused(fault{"rpm", codeImplausible}, func(m *Measurement) { m.RPM = new(-.01) }, func(m *Measurement) { m.RPM = new(10_000.01) },
			func(m *Measurement) { m.RPM = new(math.NaN()) })
		refused(fault{"wind_speed", codeImplausible}, func(m *Measurement) { m.WindSpeed = new(-.01) },
			func(m *Measurement) { m.WindSpeed = new(100.01) })
		refused(fault{"wind_direction", codeImplausible}, func(m *Measurement) { m.WindDirection = new(-.01) },
			func(m *Measurement) { m.WindDirection = new(360.01) })
		_, invalid := full().read(nil, noon)
		assert.Equal(t, &fault{"project_code", codeUnknownProject}, invalid)
	})
}

func TestPlainText(t *testing.T) {
	for text, want := range map[string]bool{"T1": true, "Windmolen Éénhoorn (2)": true, "abcde": true, "": false, "abcdef": false,
		"a\tb": false, "a\u200bb": false, "a\xffb": false, "\ufffd": true} {
		longest := 5
		if strings.HasPrefix(text, "Wind") {
			longest = maxName
		}
		assert.Equal(t, want, isPlainText(text, longest), "%q", text)
	}
}

func TestMergeMeasurements(t *testing.T) {
	t.Run("9-production-push-again", func(t *testing.T) {
		read := func(m Measurement) measurementRow {
			row, invalid := m.read(&park, noon)
			require.Nil(t, invalid)
			return row
		}
		was := read(full())
		assert.True(t, was.equals(read(full())))
		for name, change := range map[string]func(*Measurement){
			"power":          func(m *Measurement) { m.Power = new(1.0) },
			"counter":        func(m *Measurement) { m.Counter = new(1.0) },
			"rpm":            func(m *Measurement) { m.RPM = new(1.0) },
			"wind_speed":     func(m *Measurement) { m.WindSpeed = new(1.0) },
			"wind_direction": func(m *Measurement) { m.WindDirection = new(1.0) },
			"source":         func(m *Measurement) { m.Source = "hand" },
		} {
			m := full()
			change(&m)
			other := read(m)
			assert.False(t, was.equals(other), name)
			assert.False(t, other.equals(was), name)
			assert.Equal(t, other, was.merge(other), "%s: another value takes its place", name)
			for _, q := range []Quality{Estimated, AsMeasured} {
				m.Quality = q
				assert.Equal(t, was, was.merge(read(m)), "%s: but one that is less sure does not", name)
			}
		}
		estimate := full()
		estimate.Quality = Estimated
		assert.False(t, was.equals(read(estimate)), "the same values of lower quality")
		assert.Equal(t, was, read(estimate).merge(was), "a correction replaces an estimate")

		little := read(Measurement{Project: "PA", Meter: "T1", At: noon, Power: new(1.0), Quality: Corrected})
		assert.False(t, was.equals(little))
		assert.False(t, little.equals(was))
		want := was
		want.Power = little.Power
		assert.Equal(t, want, was.merge(little), "absent values stay")
		counter := read(Measurement{Project: "PA", Meter: "T1", At: noon, Counter: new(1.0), Quality: Corrected})
		want = was
		want.Counter = counter.Counter
		assert.Equal(t, want, was.merge(counter))
	})
}

func TestMeasurementRecord(t *testing.T) {
	read := func(record string) (Measurement, *fault) {
		var r measurementRecord
		require.NoError(t, json.Unmarshal([]byte(record), &r), record)
		return r.measurement()
	}
	t.Run("9-production-push-rules", func(t *testing.T) {
		m, invalid := read(`{"project_code":"PA","meter":"T1","at":"2026-11-20T12:00:00+01:00","power":" 812.3456 ","counter":1234.5678,"rpm":"12.346","wind_speed":"7","wind_direction":225,
			"source":"scada-1","quality":"corrected"}`)
		require.Nil(t, invalid)
		assert.True(t, noon.Equal(m.At))
		m.At = noon
		assert.Equal(t, full(), m, "numbers may be strings")
		m, invalid = read(`{"project_code":"PA","meter":"T1","power":"","counter":null,"rpm":""}`)
		require.Nil(t, invalid)
		assert.Equal(t, Measurement{Project: "PA", Meter: "T1"}, m, "read validates absent fields")
		for record, want := range map[string]fault{
			`{"at":"2026-11-20T12:00"}`:   {"at", problem.CodeInvalid},
			`{"at":"gisteren"}`:           {"at", problem.CodeInvalid},
			`{"power":"veel"}`:            {"power", codeNumber},
			`{"counter":"1,5"}`:           {"counter", codeNumber},
			`{"rpm":"NaN"}`:               {"rpm", codeNumber},
			`{"wind_speed":"Inf"}`:        {"wind_speed", codeNumber},
			`{"wind_direction":"0x10"}`:   {"wind_direction", codeNumber},
			`{"power":"1e999"}`:           {"power", codeNumber},
			`{"power":true}`:              {"power", codeNumber},
			`{"power":1,"counter":"één"}`: {"counter", codeNumber},
		} {
			_, invalid := read(record)
			if assert.NotNil(t, invalid, record) {
				assert.Equal(t, want, *invalid, record)
			}
		}
	})
}
