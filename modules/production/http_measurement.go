package production

import (
	"context"
	"net/http"
	"time"

	"github.com/wattle-portal/wattle/core/module"
)

// maxPushBody is room for a call with maxMeasurements whose fields are all filled.
const maxPushBody = 1 << 20

func (s *service) measurementRoutes() {
	const path = "/staff/production/measurements"
	push := op(http.MethodPost, path, "pushMeasurements", "Store what meters of projects measured")
	push.Description = "For measurement systems, with an API key of scope production:write. A measurement is known by project, meter and moment, so a call may be " +
		"repeated, and values may come late, in any order and in any batch. One that cannot be right is refused by itself, with its place in the call and a code; " +
		"the others are stored. A measurement more than 5 minutes ahead is production.future, one of more than 35 days ago production.too_old."
	push.MaxBodyBytes = maxPushBody
	module.Route(s.API, push, module.APIKey, module.Write, s.push)
	list := op(http.MethodGet, path, "listMeasurements", "List what a meter measured, newest first")
	list.Description = "With source and quality, and whether its counter counts. Measurements are kept for 45 days."
	module.Route(s.API, list, module.APIKey, module.Read, s.listMeasurements)
}

type pushInput struct {
	Body struct {
		Measurements []Measurement `json:"measurements" minItems:"1" maxItems:"1000" nullable:"false"`
	}
}

// Taken says what became of the measurements of a call.
type Taken struct {
	Stored   int                  `json:"stored" doc:"Measurements that are new, or other than what was known of their moment"`
	Repeated int                  `json:"repeated" doc:"Measurements that say nothing new"`
	Refused  []RefusedMeasurement `json:"refused" nullable:"false"`
}

// RefusedMeasurement says what is wrong with one of them.
type RefusedMeasurement struct {
	Index int    `json:"index" doc:"Place in measurements, from 0"`
	Field string `json:"field"`
	Code  string `json:"code"`
}

type pushAnswer struct{ Body Taken }

func (s *service) push(ctx context.Context, in *pushInput) (*pushAnswer, error) {
	done, err := s.take(ctx, in.Body.Measurements)
	return &pushAnswer{done}, err
}

// take judges measurements and stores those that can be right.
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
		row, wrong := m.read(project, s.host.Now())
		if wrong != nil {
			done.Refused = append(done.Refused, RefusedMeasurement{i, wrong.field, wrong.code})
			continue
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return done, nil
	}
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) (err error) {
		done.Stored, done.Repeated, err = store(ctx, tx, loc, s.host.Now(), projects, rows)
		return err
	})
	return done, err
}

type listMeasurementsInput struct {
	Project string    `query:"project_code" required:"true" maxLength:"64"`
	Meter   string    `query:"meter" maxLength:"64" doc:"One meter; without it all of the project"`
	Before  time.Time `query:"before" doc:"Only measurements from before this moment"`
	Limit   int       `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

// StoredMeasurement is a measurement as it is kept (9-production-quality).
type StoredMeasurement struct {
	Measurement
	Counts bool     `json:"counts" doc:"Whether energy is counted from its counter"`
	Made   *float64 `json:"made" doc:"kWh since the counter before it that counts; null: its counter does not count"`
}

type listMeasurementsAnswer struct {
	Body []StoredMeasurement `nullable:"false"`
}

func (s *service) listMeasurements(ctx context.Context, in *listMeasurementsInput) (*listMeasurementsAnswer, error) {
	out := &listMeasurementsAnswer{Body: []StoredMeasurement{}}
	if !projectPattern.MatchString(in.Project) || in.Meter != "" && !plainText(in.Meter, maxName) {
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
		m := Measurement{Project: row.ProjectCode, Meter: row.Meter, At: time.UnixMilli(row.MeasuredAt).UTC(), Power: thousandth(row.Power), Counter: thousandth(row.Counter),
			RPM: row.RPM, WindSpeed: row.WindSpeed, WindDirection: row.WindDirection, Source: row.Source, Quality: row.Quality}
		out.Body = append(out.Body, StoredMeasurement{m, row.Made != nil, thousandth(row.Made)})
	}
	return out, nil
}

// thousandth is a number of W or Wh in kW or kWh.
func thousandth(n *int64) *float64 {
	if n == nil {
		return nil
	}
	return new(float64(*n) / 1000)
}
