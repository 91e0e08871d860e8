package marketplace

import (
	"context"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
)

func (s *service) shareRoutes() {
	module.Route(s.API, op(http.MethodGet, "/projects/{code}/shares", "sharesOfProject", "List the shares of a project by day",
		"For sibling modules, for the member of the call. Returns the member's shares and those of all members from each day on. Problem: 404 for an unknown project."),
		module.Sibling, module.Read, s.sharesOfProject)
	module.Route(s.API, op(http.MethodGet, "/shares", "listShares", "List how many shares of projects there are",
		"For sibling modules, for the member of the call. Returns the member's shares and those of all members, by project."),
		module.Sibling, module.Read, s.listShares)
}

// SharesNow is the number of shares of a project, for module production.
type SharesNow struct {
	Code string `json:"project_code" doc:"Code of the project"`
	Own  int64  `json:"own" doc:"Shares of the caller"`
	All  int64  `json:"all" doc:"Shares of all members"`
}

type sharesInput struct {
	Projects string `query:"projects" maxLength:"2000" doc:"Project codes, separated by commas; without any, the projects that the caller has shares of"`
}

type sharesAnswer struct {
	Body []SharesNow `nullable:"false"`
}

func (s *service) listShares(ctx context.Context, in *sharesInput) (*sharesAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	codes := codesIn(in.Projects)
	if len(codes) == 0 {
		mine, err := participation.List(ctx, s.host.DB, rows)
		if err != nil {
			return nil, err
		}
		for _, p := range mine {
			codes = append(codes, p.ProjectCode)
		}
	}
	found, err := sharesNow(ctx, s.host.DB, rows.Relation(), participation.Distinct(codes))
	return &sharesAnswer{found}, err
}

// ProjectShares is the shares of a project by day, for module production: they give the member's part of what the project produces.
type ProjectShares struct {
	Code   string       `json:"project_code" doc:"Code of the project"`
	Shares []SharesFrom `json:"shares" nullable:"false" doc:"Oldest first; each number holds until the next"`
}

// SharesFrom is the number of shares from a day on.
type SharesFrom struct {
	From value.Day `json:"from_date" doc:"First day on which the numbers hold"`
	Own  int64     `json:"own" doc:"Shares of the caller"`
	All  int64     `json:"all" doc:"Shares of all members"`
}

type projectSharesAnswer struct{ Body ProjectShares }

func (s *service) sharesOfProject(ctx context.Context, in *codeInput) (*projectSharesAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := projectOf(ctx, s.host.DB, in.Code); err != nil {
		return nil, err
	}
	changes, err := sharesOf(ctx, s.host.DB, rows.Relation(), in.Code)
	return &projectSharesAnswer{ProjectShares{in.Code, added(changes)}}, err
}

// always is the first day of shares whose start is unknown.
var always = value.Day{Year: 1900, Month: 1, Day: 1}

// added returns the running sums of changes by day. A correction counts from its own day on.
func added(changes []SharesFrom) []SharesFrom {
	out := []SharesFrom{}
	for _, c := range changes {
		n := len(out) - 1
		if n >= 0 {
			c.Own, c.All = c.Own+out[n].Own, c.All+out[n].All
		}
		if n >= 0 && out[n].From == c.From {
			out[n] = c
			continue
		}
		out = append(out, c)
	}
	return out
}
