package production

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
	"github.com/wattle-portal/wattle/core/value"
)

// Record kinds.
const (
	kindProject     = "production_project" // natural key project_code: rated power and weather station
	kindDay         = "production_day"     // natural key project_code and day: the hours of a day, for large imports
	kindHour        = "production"         // natural key project_code and start
	kindMeasurement = "measurement"        // natural key project_code, meter and at: the same as a pushed measurement
)

// Error codes of refused records, in addition to the codes of all modules.
const (
	codeNumber    = "production.number"
	codeNegative  = "production.negative"
	codeDayLength = "production.day_length"
	codeAligned   = "production.aligned"
	codeFuture    = "production.future"
	codeNothing   = "production.nothing"
)

var projectPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

type dayRecord struct {
	Project string    `json:"project_code"`
	Day     string    `json:"day"`
	Unit    string    `json:"unit"` // kWh, which is also the default
	Hours   []measure `json:"hours"`
}

type hourRecord struct {
	Project string  `json:"project_code"`
	Start   string  `json:"start"`
	KWh     measure `json:"kwh"`
}

// fault is an invalid field of a record, with its error code.
type fault struct{ field, code string }

// Import stores a batch of records. If an hour occurs several times, its last value is stored.
func (s *service) Import(ctx context.Context, kind string, rows []record.Row) (refused []record.Refusal, err error) {
	switch kind {
	case kindProject:
		return s.importProjects(ctx, rows)
	case kindMeasurement:
		return s.importMeasurements(ctx, rows)
	}
	loc, err := zone(ctx)
	if err != nil {
		return nil, err
	}
	b := batch{today: module.Today(ctx, s.host.Now()), loc: loc, days: map[dayKey][]*amount{}}
	take := map[string]func([]byte) *fault{kindDay: b.takeDay, kindHour: b.takeHour}[kind]
	if take == nil {
		return nil, fmt.Errorf("production: does not import %q", kind)
	}
	for _, row := range rows {
		if invalid := take(row.Data); invalid != nil {
			refused = append(refused, record.Refusal{Line: row.Line, Field: invalid.field, Code: invalid.code})
		}
	}
	if len(b.days) == 0 {
		return refused, nil
	}
	return refused, s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error { return saveImported(ctx, tx, b.days) })
}

// batch contains the days of the records of a call.
type batch struct {
	today value.Day
	loc   *time.Location
	days  map[dayKey][]*amount
}

func decode(data []byte, into any) *fault {
	err := json.Unmarshal(data, into)
	if typeErr, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return &fault{typeErr.Field, problem.CodeInvalid}
	}
	if err != nil {
		return &fault{"", problem.CodeMalformed}
	}
	return nil
}

// hours returns the hours of a day. They are all nil if no earlier record of the batch contains that day.
func (b *batch) hours(project string, day value.Day) ([]*amount, *fault) {
	switch {
	case project == "":
		return nil, &fault{"project_code", problem.CodeRequired}
	case !projectPattern.MatchString(project):
		return nil, &fault{"project_code", problem.CodeInvalid}
	case day.Year < firstYear:
		return nil, &fault{"day", problem.CodeInvalid}
	case day.After(b.today):
		return nil, &fault{"day", codeFuture}
	}
	if hours := b.days[dayKey{project, day}]; hours != nil {
		return hours, nil
	}
	return make([]*amount, hoursOf(day, b.loc)), nil
}

func (b *batch) takeDay(data []byte) *fault {
	var r dayRecord
	if invalid := decode(data, &r); invalid != nil {
		return invalid
	}
	if r.Unit != "" && r.Unit != "kWh" && r.Unit != "KWH" {
		return &fault{"unit", problem.CodeInvalid}
	}
	if r.Day == "" {
		return &fault{"day", problem.CodeRequired}
	}
	day, err := value.ParseDay(r.Day)
	if err != nil {
		return &fault{"day", problem.CodeInvalid}
	}
	hours, invalid := b.hours(r.Project, day)
	if invalid != nil {
		return invalid
	}
	if len(r.Hours) != len(hours) {
		return &fault{"hours", codeDayLength}
	}
	some, read := false, make([]*amount, len(hours))
	for i, m := range r.Hours {
		a, code := m.amount()
		if code != "" {
			return &fault{"hours", code}
		}
		read[i] = hours[i]
		if a != nil {
			read[i], some = a, true
		}
	}
	if !some {
		return &fault{"hours", codeNothing}
	}
	b.days[dayKey{r.Project, day}] = read
	return nil
}

func (b *batch) takeHour(data []byte) *fault {
	var r hourRecord
	if invalid := decode(data, &r); invalid != nil {
		return invalid
	}
	if r.Start == "" {
		return &fault{"start", problem.CodeRequired}
	}
	at, err := time.Parse(time.RFC3339, r.Start)
	if err != nil {
		return &fault{"start", problem.CodeInvalid}
	}
	day := value.DayOf(at.In(b.loc))
	hours, invalid := b.hours(r.Project, day)
	if invalid != nil {
		if invalid.field == "day" {
			invalid.field = "start"
		}
		return invalid
	}
	since := at.Sub(day.In(b.loc))
	if since%time.Hour != 0 {
		return &fault{"start", codeAligned}
	}
	a, code := r.KWh.amount()
	switch {
	case code != "":
		return &fault{"kwh", code}
	case a == nil:
		return &fault{"kwh", codeNothing}
	}
	hours[since/time.Hour] = a
	b.days[dayKey{r.Project, day}] = hours
	return nil
}
