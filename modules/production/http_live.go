package production

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/module"
)

// maxCodes is the maximum number of projects in a call.
const maxCodes = 100

func (s *service) liveRoutes() {
	const get = http.MethodGet
	module.Route(s.API, op(get, "/livedata", "livedata", "Get current power and runtime of projects, for displays",
		// 7.6-livedata
		"For customers. Returns an object by project code, at most 100 projects; unknown codes are left out."), module.Customer, module.Read,
		s.livedata)
	module.Route(s.API, op(get, "/sustainable/measured", "listMeasured", "List current power and production of projects",
		"For customers. At most 100 projects, in the order of their codes; unknown codes are left out."), module.Customer, module.Read,
		s.listMeasured)
}

// Live is the current state of a project for displays (7.6-livedata). Values that were never measured are null.
type Live struct {
	Power         *float64 `json:"power" doc:"Current power in kW"`
	PerShare      *float64 `json:"power_per_share" doc:"Current power per share in W"`
	Percentage    *float64 `json:"power_percentage" doc:"Current power as a percentage of the rated power"`
	WindPower     *int     `json:"wind_power" doc:"Wind force on the Beaufort scale; null: not measured"`
	WindDirection *float64 `json:"wind_direction" doc:"Wind direction in degrees: 0 is north, 90 is east"`
	RPM           *float64 `json:"rpm" doc:"Rotor speed in revolutions per minute"`
	TotalRuntime  *int64   `json:"total_runtime" doc:"Number of hours with production"`
	YearRuntime   *int64   `json:"year_runtime" doc:"Number of hours with production since 1 January"`
	YearProduced  *float64 `json:"year_production" doc:"Production since 1 January in kWh"`
	Timestamp     *int64   `json:"timestamp" doc:"Time of the power measurement in Unix seconds"`
}

// Measured is the current power of a project and its production so far (3-project-production). Its values are null if nothing was ever
// measured.
type Measured struct {
	Code         string     `json:"project_code" doc:"Code of the project"`
	CurrentPower *float64   `json:"current_power" doc:"Last measured power in kW"`
	Percentage   *float64   `json:"power_percentage" doc:"Current power as a percentage of the rated power; null: unknown"`
	Today        *float64   `json:"todays_production" doc:"Production today in kWh"`
	Year         *float64   `json:"year_production" doc:"Production since 1 January in kWh"`
	Total        *float64   `json:"total_production" doc:"Production since the first measurement in kWh"`
	At           *time.Time `json:"measured_at" doc:"Time of the last measurement"`
	Quality      *Quality   `json:"quality" enum:"measured,estimated,corrected" doc:"Quality of the last measurement; null for imported hours"`
}

type codesInput struct {
	Projects string `query:"projects" maxLength:"2000" doc:"Project codes separated by commas; default: the projects in which the caller has shares"`
}

// codes returns the valid codes in the query, sorted and at most maxCodes.
func (in codesInput) codes() (out []string) {
	for code := range strings.SplitSeq(in.Projects, ",") {
		if code = strings.TrimSpace(code); projectPattern.MatchString(code) && len(out) < maxCodes {
			out = append(out, code)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

type measuredAnswer struct {
	Body []Measured `nullable:"false"`
}

func (s *service) listMeasured(ctx context.Context, in *codesInput) (*measuredAnswer, error) {
	codes := in.codes()
	if in.Projects == "" {
		shares, err := s.sharesNow(ctx, nil)
		if err != nil {
			return nil, err
		}
		codes = own(shares)
	}
	found, loc, err := s.statesOf(ctx, codes)
	if err != nil {
		return nil, err
	}
	out := &measuredAnswer{[]Measured{}}
	for _, x := range found {
		p := x.now(loc, s.host.Now())
		out.Body = append(out.Body, Measured{Code: x.code, CurrentPower: p.power, Percentage: x.percentage(p.power), Today: x.kWh(x.sums.Today),
			Year:  x.kWh(x.sums.Year),
			Total: x.kWh(x.sums.Total), At: p.at, Quality: p.quality})
	}
	return out, nil
}

type liveAnswer struct {
	Body map[string]Live `nullable:"false"`
}

func (s *service) livedata(ctx context.Context, in *codesInput) (*liveAnswer, error) {
	codes := in.codes()
	shares, err := s.sharesNow(ctx, codes)
	if err != nil && in.Projects == "" {
		return nil, err
	}
	if err != nil { // displays also work without the power per share
		s.host.Log.WarnContext(ctx, "no shares of projects", "error", err)
	}
	if in.Projects == "" {
		codes = own(shares)
	}
	found, loc, err := s.statesOf(ctx, codes)
	if err != nil {
		return nil, err
	}
	out := &liveAnswer{map[string]Live{}}
	for _, x := range found {
		p := x.now(loc, s.host.Now())
		l := Live{Power: p.power, Percentage: x.percentage(p.power), YearProduced: x.kWh(x.sums.Year)}
		if all := shares[x.code].All; p.power != nil && all > 0 {
			l.PerShare = new(round(*p.power*1000/float64(all), 3))
		}
		if p.at != nil {
			l.Timestamp = new(p.at.Unix())
		}
		if x.sums != (sums{}) {
			l.TotalRuntime, l.YearRuntime = &x.sums.Running, &x.sums.YearRunning
		}
		for _, m := range slices.Backward(x.active()) { // newest last, so that its values take precedence
			if m.WindSpeed != nil {
				l.WindPower = new(beaufort(*m.WindSpeed))
			}
			if m.WindDirection != nil {
				l.WindDirection = m.WindDirection
			}
			if m.RPM != nil {
				l.RPM = m.RPM
			}
		}
		out.Body[x.code] = l
	}
	return out, nil
}
