package production

import (
	"math"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/problem"
)

// Limits of a measurement.
const (
	maxMeasurements = 1000            // per call
	maxName         = 64              // characters in the name of a meter, source or station
	maxSkew         = 5 * time.Minute // how far a meter's clock may be ahead
	maxLate         = 35 * 24 * time.Hour
	retention       = 45 * 24 * time.Hour // retention of measurements; hours are kept
	maxLiveAge      = 15 * time.Minute    // older measurements are not live

	maxWind = 100    // m/s
	maxRPM  = 10_000 // 1/min
)

// Error codes of refused measurements, in addition to those of records.
const (
	codeUnknownProject = "production.unknown_project"
	codeTooOld         = "production.too_old"
	codeImplausible    = "production.implausible"
)

// Quality is the reliability of a measurement.
type Quality string

// Qualities, from least to most reliable. Of two measurements at the same moment, the more reliable one is kept.
const (
	Estimated  Quality = "estimated"
	AsMeasured Quality = "measured"
	Corrected  Quality = "corrected"
)

var ranks = map[Quality]int{Estimated: 1, AsMeasured: 2, Corrected: 3}

// Measurement is a meter reading at a point in time: the power, the counter, or both (9-production-push).
type Measurement struct {
	Project       string    `json:"project_code" maxLength:"64" doc:"Code of the project"`
	Meter         string    `json:"meter" minLength:"1" maxLength:"64" doc:"Name of the turbine, inverter or meter; a replacement needs a new name"`
	At            time.Time `json:"at" doc:"Time of the measurement"`
	Power         *float64  `json:"power,omitempty" doc:"Power in kW"`
	Counter       *float64  `json:"counter,omitempty" doc:"Counter of the meter in kWh"`
	RPM           *float64  `json:"rpm,omitempty" doc:"Rotor speed in revolutions per minute"`
	WindSpeed     *float64  `json:"wind_speed,omitempty" doc:"Wind speed in m/s"`
	WindDirection *float64  `json:"wind_direction,omitempty" doc:"Wind direction in degrees: 0 is north, 90 is east"`
	Source        string    `json:"source,omitempty" maxLength:"64" doc:"Name of the sending system"`
	Quality       Quality   `json:"quality,omitempty" enum:"measured,estimated,corrected" doc:"Reliability; default: measured"`
}

// meterKey identifies a meter of a project.
type meterKey struct{ project, meter string }

// read validates a measurement of a project. It returns a fault for an impossible value, or for a measurement more than maxLate before now.
func (m Measurement) read(project *projectRow, now time.Time) (row measurementRow, invalid *fault) {
	if m.Quality == "" {
		m.Quality = AsMeasured
	}
	at := m.At.UnixMilli()
	switch {
	case project == nil:
		return row, &fault{"project_code", codeUnknownProject}
	case !isPlainText(m.Meter, maxName):
		return row, &fault{"meter", problem.CodeInvalid}
	case m.At.IsZero():
		return row, &fault{"at", problem.CodeRequired}
	case m.At.After(now.Add(maxSkew)):
		return row, &fault{"at", codeFuture}
	case m.At.Before(now.Add(-maxLate)):
		return row, &fault{"at", codeTooOld}
	case ranks[m.Quality] == 0:
		return row, &fault{"quality", problem.CodeInvalid}
	case m.Source != "" && !isPlainText(m.Source, maxName):
		return row, &fault{"source", problem.CodeInvalid}
	case m.Power == nil && m.Counter == nil:
		return row, &fault{"power", codeNothing}
	}
	row = measurementRow{ProjectCode: project.ProjectCode, Meter: m.Meter, MeasuredAt: at, Source: m.Source, Quality: m.Quality}
	if m.Power != nil {
		watts, rated := *m.Power*1000, float64(project.RatedPower)
		// A stopped machine consumes some power; in a storm a machine can exceed its rated power.
		if !(watts <= 1.5*rated && watts >= -0.2*rated) {
			return row, &fault{"power", codeImplausible}
		}
		row.Power = new(int64(math.Round(watts)))
	}
	if m.Counter != nil {
		switch c := *m.Counter; {
		case c < 0:
			return row, &fault{"counter", codeNegative}
		case !(c <= maxAmount/1000):
			return row, &fault{"counter", codeNumber}
		default:
			row.Counter = new(int64(math.Round(c * 1000)))
		}
	}
	for _, x := range []struct {
		field string
		from  *float64
		max   float64
		to    **float64
	}{{"rpm", m.RPM, maxRPM, &row.RPM}, {"wind_speed", m.WindSpeed, maxWind, &row.WindSpeed},
		{"wind_direction", m.WindDirection, 360, &row.WindDirection}} {
		if x.from == nil {
			continue
		}
		if !(*x.from >= 0 && *x.from <= x.max) {
			return row, &fault{x.field, codeImplausible}
		}
		*x.to = new(math.Round(*x.from*100) / 100)
	}
	return row, nil
}

// merge returns the row with the values of a later row for the same moment, if the later row has at least the same quality. Values that are
// absent from the later row stay unchanged.
func (row measurementRow) merge(later measurementRow) measurementRow {
	if ranks[later.Quality] < ranks[row.Quality] {
		return row
	}
	out := row
	out.Quality = later.Quality
	if later.Source != "" {
		out.Source = later.Source
	}
	if later.Power != nil {
		out.Power = later.Power
	}
	if later.Counter != nil {
		out.Counter = later.Counter
	}
	if later.RPM != nil {
		out.RPM = later.RPM
	}
	if later.WindSpeed != nil {
		out.WindSpeed = later.WindSpeed
	}
	if later.WindDirection != nil {
		out.WindDirection = later.WindDirection
	}
	return out
}

// equals reports whether two rows for the same moment have the same values.
func (row measurementRow) equals(other measurementRow) bool {
	return same(row.Power, other.Power) && same(row.Counter, other.Counter) && same(row.RPM, other.RPM) &&
		same(row.WindSpeed, other.WindSpeed) &&
		same(row.WindDirection, other.WindDirection) && row.Source == other.Source && row.Quality == other.Quality
}

func same[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// isPlainText reports whether a name can be stored and shown: it must not be empty, and contain only printable characters, at most
// maxLength.
func isPlainText(s string, maxLength int) bool {
	if s == "" || utf8.RuneCountInString(s) > maxLength || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// measurementRecord is a record of kind measurement. Its numbers may be strings, as in CSV.
type measurementRecord struct {
	Project       string  `json:"project_code"`
	Meter         string  `json:"meter"`
	At            string  `json:"at"`
	Power         measure `json:"power"`
	Counter       measure `json:"counter"`
	RPM           measure `json:"rpm"`
	WindSpeed     measure `json:"wind_speed"`
	WindDirection measure `json:"wind_direction"`
	Source        string  `json:"source"`
	Quality       Quality `json:"quality"`
}

func (r measurementRecord) measurement() (Measurement, *fault) {
	m := Measurement{Project: r.Project, Meter: r.Meter, Source: r.Source, Quality: r.Quality}
	if r.At != "" {
		var err error
		if m.At, err = time.Parse(time.RFC3339, r.At); err != nil {
			return m, &fault{"at", problem.CodeInvalid}
		}
	}
	for _, x := range []struct {
		field string
		from  measure
		to    **float64
	}{{"power", r.Power, &m.Power}, {"counter", r.Counter, &m.Counter}, {"rpm", r.RPM, &m.RPM}, {"wind_speed", r.WindSpeed, &m.WindSpeed},
		{"wind_direction", r.WindDirection, &m.WindDirection}} {
		if x.from.text == "" {
			continue
		}
		n, ok := x.from.number()
		if !ok {
			return m, &fault{x.field, codeNumber}
		}
		*x.to = &n
	}
	return m, nil
}
