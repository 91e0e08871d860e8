//go:generate go test . -run TestOpenAPI|TestAsyncAPI -update

package production

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/source"
	"github.com/wattle-portal/wattle/core/value"
)

// Codes of this module's problems, which are the ids of their texts in the browser.
const codeWeatherDown = "production.weather_down"

// firstYear is before anything was measured.
const firstYear = 1900

func (s *service) routes() {
	const get, base = http.MethodGet, "/sustainable/production"
	module.Route(s.API, op(get, "/weather", "getWeather", "What the weather stations measured last"), module.Customer, module.Read, s.getWeather)                 // 7.2-get-weather
	module.Route(s.API, op(get, base+"/{project}", "listProduction", "What a project made, by period"), module.Customer, module.Read, s.listProduction)           // 7.6-get-production
	module.Route(s.API, op(get, base, "listDefaultProduction", "The same of the label's default project"), module.Customer, module.Read, s.listDefaultProduction) // 7.6-production-defaults
	module.Route(s.API, op(get, base+"/{project}/updated", "productionUpdated", "Until when a project was measured"), module.Customer, module.Read, s.productionUpdated)
	s.liveRoutes()
	s.measurementRoutes()
}

func op(method, path, id, summary string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary}
}

// Handle hears of no event.
func (s *service) Handle(_ context.Context, e module.Event) error {
	return errors.New("production: does not handle " + e.Type)
}

type weatherInput struct {
	Project string `query:"project" maxLength:"64" doc:"Whose weather: station is then the one of that project"`
}

type weatherAnswer struct{ Body Weather }

func (s *service) getWeather(ctx context.Context, in *weatherInput) (*weatherAnswer, error) {
	projects, err := projectsOf(ctx, s.host.DB)
	if err != nil {
		return nil, err
	}
	w, err := s.weather(ctx, projects)
	if errors.Is(err, source.ErrDown) {
		s.host.Log.WarnContext(ctx, "no weather", "error", err)
		return nil, problem.Fail(http.StatusServiceUnavailable, codeWeatherDown)
	}
	if err != nil {
		return nil, err
	}
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	w.Station = w.first(projects[in.Project].WeatherStation, set.Weather.Station)
	return &weatherAnswer{w}, nil
}

// Kind is whose part of the production counts (7.6-production-kind).
type Kind string

// Kinds.
const (
	Total  Kind = "TOTAL_PROJECT"
	Shares Kind = "SHARES_IN_PROJECT" // of the caller
)

// ViewInput says what of a project is asked for. It has the defaults of 7.6-production-defaults.
type ViewInput struct {
	Timeframe Timeframe `query:"timeframe_type" enum:"YEAR3_YEARS,YEAR_MONTHS,WEEK4_WEEKS,MONTH_DAYS,DAY_HOURS" default:"DAY_HOURS"`
	Offset    int       `query:"timeframe_offset" maximum:"0" minimum:"-40000" default:"0" doc:"Whole views back from the one that today is in"`
	Kind      Kind      `query:"view_type" enum:"TOTAL_PROJECT,SHARES_IN_PROJECT" default:"TOTAL_PROJECT" doc:"All, or what falls to the caller's shares"`
}

type projectInput struct {
	Project string `path:"project"`
}

type productionInput struct {
	Project string `path:"project"`
	ViewInput
}

type productionAnswer struct {
	Body []Point `nullable:"false"`
}

func (s *service) listProduction(ctx context.Context, in *productionInput) (*productionAnswer, error) {
	return s.production(ctx, in.Project, in.ViewInput)
}

func (s *service) listDefaultProduction(ctx context.Context, in *ViewInput) (*productionAnswer, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	return s.production(ctx, set.DefaultProject, *in)
}

// production answers a point for every period of the view. 404 for a project that nothing is known of, and for shares where the
// label has no marketplace.
func (s *service) production(ctx context.Context, project string, in ViewInput) (*productionAnswer, error) {
	loc, err := zone(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.newest(ctx, project); err != nil {
		return nil, err
	}
	of := periods(in.Timeframe, in.Offset, module.Today(ctx, s.host.Now()), loc)
	from, until := of[0].day, of[len(of)-1].until
	if from.Year < firstYear {
		return nil, problem.Refuse(problem.FieldError{Field: "timeframe_offset", Code: problem.CodeInvalid})
	}
	var part func(value.Day) (float64, bool)
	if in.Kind == Shares {
		owned, err := s.sharesOf(ctx, project)
		if err != nil {
			return nil, err
		}
		part = owned.part
	}
	find := daysOf
	if in.Timeframe == Hours {
		find = hoursBetween
	}
	days, err := find(ctx, s.host.DB, project, from, until)
	if err != nil {
		return nil, err
	}
	return &productionAnswer{points(in.Timeframe, of, days, part)}, nil
}

// newest is the last day of a project. problem.ErrNotFound without any.
func (s *service) newest(ctx context.Context, project string) (*dayRow, error) {
	if !projectPattern.MatchString(project) { // not even a text that PostgreSQL takes, perhaps
		return nil, problem.ErrNotFound
	}
	d, err := newest(ctx, s.host.DB, project)
	if err == nil && d == nil {
		err = problem.ErrNotFound
	}
	return d, err
}

// Updated says how recent the production of a project is.
type Updated struct {
	Until time.Time `json:"until" doc:"The last measurement, or the end of the last hour that was imported"`
}

type updatedAnswer struct{ Body Updated }

func (s *service) productionUpdated(ctx context.Context, in *projectInput) (*updatedAnswer, error) {
	if _, err := s.newest(ctx, in.Project); err != nil {
		return nil, err
	}
	found, loc, err := s.statesOf(ctx, []string{in.Project})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &updatedAnswer{Updated{found[0].now(loc, s.host.Now()).at.In(loc)}}, nil
}

// zone is where the label's days and hours are those of the clock.
func zone(ctx context.Context) (*time.Location, error) {
	return time.LoadLocation(module.ScopeOf(ctx).Zone)
}
