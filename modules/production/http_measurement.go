package production

import (
	"context"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/module"
)

// maxPushBody is large enough for maxMeasurements measurements with all fields set.
const maxPushBody = 1 << 20

func (s *service) measurementRoutes() {
	const path = "/staff/production/measurements"
	push := op(http.MethodPost, path, "pushMeasurements", "Store measurements of meters",
		"For measurement systems, with an API key of scope production:write. Project, meter and time identify a measurement, so a call may be "+
			"repeated, and measurements may be late and in any order. An invalid measurement is listed in refused with its index, field and code; "+
			"the others are stored. More than 5 minutes in the future is production.future, more than 35 days ago is production.too_old.")
	push.MaxBodyBytes = maxPushBody
	module.Route(s.API, push, module.APIKey, module.Write, s.push)
	list := op(http.MethodGet, path, "listMeasurements", "List stored measurements, newest first",
		"With an API key of scope production:read. Each measurement has its source and quality, and whether energy is counted from it. "+
			"Measurements older than 45 days are deleted when their meter sends new ones.")
	module.Route(s.API, list, module.APIKey, module.Read, s.listMeasurements)
}

type pushInput struct {
	Body struct {
		Measurements []Measurement `json:"measurements" minItems:"1" maxItems:"1000" nullable:"false" doc:"Measurements to store"`
	}
}

// Taken is the result of a push of measurements.
type Taken struct {
	Stored   int                  `json:"stored" doc:"Number of measurements that are new, or that changed a stored one"`
	Repeated int                  `json:"repeated" doc:"Number of measurements that were already stored"`
	Refused  []RefusedMeasurement `json:"refused" nullable:"false" doc:"Invalid measurements, which were not stored"`
}

// RefusedMeasurement is a measurement that was not stored, with its index, field and error code.
type RefusedMeasurement struct {
	Index int    `json:"index" doc:"Index in measurements, from 0"`
	Field string `json:"field" doc:"Name of the invalid field"`
	Code  string `json:"code" doc:"Error code"`
}

type pushAnswer struct{ Body Taken }

func (s *service) push(ctx context.Context, in *pushInput) (*pushAnswer, error) {
	done, err := s.take(ctx, in.Body.Measurements)
	return &pushAnswer{done}, err
}

// take validates measurements and stores the valid ones.
func (s *service) take(ctx context.Context, all []Measurement) (Taken, error) {
	done := Taken{Refused: []RefusedMeasurement{}}
	loc, err := zone(ctx)
	if err != nil {
		return done, err
	}
	projects, err := projectsOf(ctx, s.host.DB)
	if err != nil {
		return done, err
	}
	var rows []measurementRow
	for i, m := range all {
		var project *projectRow
		if p, known := projects[m.Project]; known {
			project = &p
		}
		row, invalid := m.read(project, s.host.Now())
		if invalid != nil {
			done.Refused = append(done.Refused, RefusedMeasurement{i, invalid.field, invalid.code})
			continue
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return done, nil
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		done.Stored, done.Repeated, err = saveMeasurements(ctx, tx, loc, s.host.Now(), projects, rows)
		return err
	})
	return done, err
}

type listMeasurementsInput struct {
	Project string    `query:"project_code" required:"true" maxLength:"64" doc:"Code of the project"`
	Meter   string    `query:"meter" maxLength:"64" doc:"Name of a meter; default: all meters of the project"`
	Before  time.Time `query:"before" doc:"Only measurements before this time"`
	Limit   int       `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Maximum number of measurements"`
}

// StoredMeasurement is a measurement as stored (9-production-quality).
type StoredMeasurement struct {
	Measurement
	Counts bool     `json:"counts" doc:"Whether energy is counted from this counter"`
	Made   *float64 `json:"made" doc:"Energy in kWh since the previous counter that counts; null: this counter does not count"`
}

type listMeasurementsAnswer struct {
	Body []StoredMeasurement `nullable:"false"`
}

func (s *service) listMeasurements(ctx context.Context, in *listMeasurementsInput) (*listMeasurementsAnswer, error) {
	out := &listMeasurementsAnswer{Body: []StoredMeasurement{}}
	if !projectPattern.MatchString(in.Project) || in.Meter != "" && !isPlainText(in.Meter, maxName) {
		return out, nil
	}
	var rows []measurementRow
	q := module.Label(ctx, "what a project makes belongs to the label").Select(s.host.DB, &rows).Where("m.project_code = ?", in.Project)
	if in.Meter != "" {
		q = q.Where("m.meter = ?", in.Meter)
	}
	if !in.Before.IsZero() {
		q = q.Where("m.measured_at < ?", in.Before.UnixMilli())
	}
	if err := q.OrderExpr("m.measured_at DESC, m.meter").Limit(int64(in.Limit)).Scan(ctx); err != nil {
		return nil, err
	}
	for _, row := range rows {
		m := Measurement{Project: row.ProjectCode, Meter: row.Meter, At: time.UnixMilli(row.MeasuredAt).UTC(), Power: thousandth(row.Power),
			Counter: thousandth(row.Counter),
			RPM:     row.RPM, WindSpeed: row.WindSpeed, WindDirection: row.WindDirection, Source: row.Source, Quality: row.Quality}
		out.Body = append(out.Body, StoredMeasurement{m, row.Made != nil, thousandth(row.Made)})
	}
	return out, nil
}

// thousandth converts W to kW, or Wh to kWh.
func thousandth(n *int64) *float64 {
	if n == nil {
		return nil
	}
	return new(float64(*n) / 1000)
}
