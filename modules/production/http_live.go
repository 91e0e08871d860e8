package production

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/module"
)

// maxCodes is how many projects are told of at once.
const maxCodes = 100

func (s *service) liveRoutes() {
	const get = http.MethodGet
	module.Route(s.API, op(get, "/livedata", "livedata", "What projects make now, for displays"), module.Customer, module.Read, s.livedata) // 7.6-livedata
	module.Route(s.API, op(get, "/sustainable/measured", "listMeasured", "What projects make now and made so far"), module.Customer, module.Read, s.listMeasured)
}

// Live is what a display shows of a project (7.6-livedata). A number that was never measured is null.
type Live struct {
	Power         *float64 `json:"power" doc:"kW"`
	PerShare      *float64 `json:"power_per_share" doc:"W"`
	Percentage    *float64 `json:"power_percentage" doc:"Of what the project can make"`
	WindPower     *int     `json:"wind_power" doc:"Beaufort, where the project measures it"`
	WindDirection *float64 `json:"wind_direction" doc:"Degrees from which the wind blows: 0 is north, 90 east"`
	RPM           *float64 `json:"rpm" doc:"Turns of the rotor a minute"`
	TotalRuntime  *int64   `json:"total_runtime" doc:"Hours in which something was made"`
	YearRuntime   *int64   `json:"year_runtime" doc:"The same since 1 January"`
	YearProduced  *float64 `json:"year_production" doc:"kWh since 1 January"`
	Timestamp     *int64   `json:"timestamp" doc:"When power was measured, in Unix seconds"`
}

// Measured is what a project makes now and made so far (3-project-production). Its numbers are null where nothing was ever measured.
type Measured struct {
	Code         string     `json:"project_code"`
	CurrentPower *float64   `json:"current_power" doc:"kW, as it was measured last"`
	Percentage   *float64   `json:"power_percentage" doc:"Of what the project can make; null when that is not known"`
	Today        *float64   `json:"todays_production" doc:"kWh that were measured today"`
	Year         *float64   `json:"year_production" doc:"kWh since 1 January"`
	Total        *float64   `json:"total_production" doc:"kWh of all that was measured"`
	At           *time.Time `json:"measured_at" doc:"When the last of it was measured"`
	Quality      *Quality   `json:"quality" enum:"measured,estimated,corrected" doc:"Of the last measurement of a meter; null for hours that were imported"`
}

type codesInput struct {
	Projects string `query:"projects" maxLength:"2000" doc:"Several with commas between them; without any: those that the member has shares of"`
}

// codes are those that were asked for, as far as they can be codes.
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
		out.Body = append(out.Body, Measured{Code: x.code, CurrentPower: p.power, Percentage: x.percentage(p.power), Today: x.kWh(x.sums.Today), Year: x.kWh(x.sums.Year),
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
	if err != nil { // a display goes on without the part of a share
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
		for _, m := range slices.Backward(x.heard()) { // the newest at last
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
