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

// codeWeatherDown is the problem code of a weather feed that does not respond. The browser shows the text of any failure of the weather.
const codeWeatherDown = "production.weather_down"

// firstYear is the earliest year with production.
const firstYear = 1900

func (s *service) routes() {
	const get, base = http.MethodGet, "/sustainable/production"
	module.Route(s.API, op(get, "/weather", "getWeather", "Get the weather at the stations",
		// 7.2-get-weather
		"For customers. Returns the stations of the feed, and the one to show. Problem: 503 production.weather_down."), module.Customer,
		module.Read, s.getWeather)
	module.Route(s.API, op(get, base+"/{project}", "listProduction", "List a project's production by period",
		"For customers. Returns one point per period of the view, oldest first. Problems: 400 for an offset before 1900; 404 for an unknown project, and for shares "+
			"when the label has no marketplace."), module.Customer, module.Read, s.listProduction) // 7.6-get-production
	module.Route(s.API, op(get, base, "listDefaultProduction", "List the production of the default project",
		// 7.6-production-defaults
		"For customers. Same as listProduction, for the default_project of the label."), module.Customer, module.Read, s.listDefaultProduction)
	module.Route(s.API, op(get, base+"/{project}/updated", "productionUpdated", "Get the time of a project's last measurement",
		"For customers. Problem: 404 for an unknown project."), module.Customer, module.Read, s.productionUpdated)
	module.Route(s.API, op(get, base+"/{project}/running", "getRunning", "Get the hours in which a project produced in a week",
		// 9-production-running
		"For customers. Counts the measured hours of the last seven whole days. Problem: 404 for an unknown project."), module.Customer,
		module.Read, s.getRunning)
	s.liveRoutes()
	s.yieldRoutes()
	s.measurementRoutes()
}

func op(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, Description: description}
}

// Handle returns an error: the module subscribes to no event.
func (s *service) Handle(_ context.Context, e module.Event) error {
	return errors.New("production: does not handle " + e.Type)
}

type weatherInput struct {
	Project string `query:"project" maxLength:"64" doc:"Project code; station is then the weather station of this project"`
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

// Kind selects all production of a project or the caller's part of it (7.6-production-kind).
type Kind string

// View kinds.
const (
	Total  Kind = "TOTAL_PROJECT"
	Shares Kind = "SHARES_IN_PROJECT" // the caller's shares
)

// ViewInput selects the period and the part of the production. Its defaults are those of 7.6-production-defaults.
type ViewInput struct {
	Timeframe Timeframe `query:"timeframe_type" enum:"YEAR3_YEARS,YEAR_MONTHS,WEEK4_WEEKS,MONTH_DAYS,DAY_HOURS" default:"DAY_HOURS" doc:"Length of the view and of its periods"`
	Offset    int       `query:"timeframe_offset" maximum:"0" minimum:"-40000" default:"0" doc:"Number of whole views back: 0 contains today, -1 is the view before it"`
	Daily     bool      `query:"daily" doc:"In WEEK4_WEEKS a point for each day instead of each week; without effect in other views"`
	Kind      Kind      `query:"view_type" enum:"TOTAL_PROJECT,SHARES_IN_PROJECT" default:"TOTAL_PROJECT" doc:"The whole project, or the caller's part of it by shares"`
}

type projectInput struct {
	Project string `path:"project" doc:"Code of the project"`
}

type productionInput struct {
	Project string `path:"project" doc:"Code of the project"`
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

// production returns a point for every period of the view. It returns problem.ErrNotFound for a project without production data, and for
// shares if the label has no marketplace.
func (s *service) production(ctx context.Context, project string, in ViewInput) (*productionAnswer, error) {
	loc, err := zone(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.newest(ctx, project); err != nil {
		return nil, err
	}
	view := periods(in.Timeframe, in.Offset, module.Today(ctx, s.host.Now()), loc)
	if in.Daily && in.Timeframe == Weeks {
		view = byDay(view)
	}
	from, until := view[0].day, view[len(view)-1].until
	if from.Year < firstYear {
		return nil, problem.Refuse(problem.FieldError{Field: "timeframe_offset", Code: problem.CodeInvalid})
	}
	var part func(value.Day) (float64, bool)
	var prices yieldPrices
	if in.Kind == Shares {
		owned, err := s.sharesOf(ctx, project)
		if err != nil {
			return nil, err
		}
		set, err := module.Settings[Settings](ctx)
		if err != nil {
			return nil, err
		}
		part, prices = owned.part, sorted(set.YieldPrices)
	}
	find := daysOf
	if in.Timeframe == Hours {
		find = hoursBetween
	}
	days, err := find(ctx, s.host.DB, project, from, until)
	if err != nil {
		return nil, err
	}
	return &productionAnswer{points(in.Timeframe, view, days, part, prices)}, nil
}

// newest returns the last day with production data of a project, or problem.ErrNotFound.
func (s *service) newest(ctx context.Context, project string) (*dayRow, error) {
	if !projectPattern.MatchString(project) { // PostgreSQL refuses some strings
		return nil, problem.ErrNotFound
	}
	d, err := newest(ctx, s.host.DB, project)
	if err == nil && d == nil {
		err = problem.ErrNotFound
	}
	return d, err
}

// Updated is the time until which the production of a project is known.
type Updated struct {
	Until time.Time `json:"until" doc:"Time of the last measurement, or end of the last imported hour"`
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

type runningAnswer struct{ Body Running }

func (s *service) getRunning(ctx context.Context, in *projectInput) (*runningAnswer, error) {
	if _, err := s.newest(ctx, in.Project); err != nil {
		return nil, err
	}
	until := module.Today(ctx, s.host.Now())
	from := until.AddDays(-7)
	days, err := hoursBetween(ctx, s.host.DB, in.Project, from, until)
	if err != nil {
		return nil, err
	}
	return &runningAnswer{running(from, until, days)}, nil
}

// zone returns the time zone of the label.
func zone(ctx context.Context) (*time.Location, error) {
	return time.LoadLocation(module.ScopeOf(ctx).Zone)
}
