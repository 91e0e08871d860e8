// Package share serves the numbers of shares of members over time to sibling modules. Module production divides the production of a
// project by them, and module notifications writes to the members who have shares.
package share

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
)

// Service serves the numbers of shares to sibling modules.
type Service struct{ host module.Host }

// New returns the service for a host.
func New(h module.Host) *Service { return &Service{h} }

// Routes registers the operations for sibling modules.
func (s *Service) Routes(api huma.API) {
	module.Route(api, operation.New(http.MethodGet, "/projects/{code}/shares", "sharesOfProject", "List the shares of a project by day",
		"For sibling modules, for the member of the call. Returns the member's shares and those of all members from each day on. Problem: 404 for an unknown project."),
		module.Sibling, module.Read, s.sharesOfProject)
	module.Route(api, operation.New(http.MethodGet, "/shares", "listShares", "List the number of shares of each project",
		"For sibling modules, for the member of the call. Returns the member's shares and those of all members, by project."),
		module.Sibling, module.Read, s.listShares)
	module.Route(api, operation.New(http.MethodGet, "/participations/periods", "participationPeriods",
		"List the periods in which the member had shares",
		"For sibling modules, for the member of the call. Returns one period for each time in which the member had shares of a project."),
		module.Sibling, module.Read, s.participationPeriods)
	module.Route(api, operation.New(http.MethodGet, "/projects/{code}/participants", "participantsOfProject",
		"List who had shares of a project at a point in time",
		"For sibling modules. Returns relations in order, a page at a time, and how many there are in all. Problem: 404 for an unknown project."),
		module.Sibling, module.Read, s.participantsOfProject)
}

// SharesNow is the number of shares of a project, for module production.
type SharesNow struct {
	Code string `json:"project_code" doc:"Code of the project"`
	Own  int64  `json:"own" doc:"Shares of the caller"`
	All  int64  `json:"all" doc:"Shares of all members"`
}

type sharesInput struct {
	Projects string `query:"projects" maxLength:"2000" doc:"Project codes, separated by commas; absent: the projects in which the caller has shares"`
}

type sharesAnswer struct {
	Body []SharesNow `nullable:"false"`
}

func (s *Service) listShares(ctx context.Context, in *sharesInput) (*sharesAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	codes := operation.Codes(in.Projects)
	if len(codes) == 0 {
		mine, err := participation.List(ctx, s.host.DB, rows)
		if err != nil {
			return nil, err
		}
		for _, p := range mine {
			codes = append(codes, p.ProjectCode)
		}
	}
	found, err := Now(ctx, s.host.DB, rows.Relation(), participation.Distinct(codes))
	return &sharesAnswer{found}, err
}

// ProjectShares lists the shares of a project by day, from which module production calculates the member's part of the production.
type ProjectShares struct {
	Code   string       `json:"project_code" doc:"Code of the project"`
	Shares []SharesFrom `json:"shares" nullable:"false" doc:"Oldest first; each number holds until the next"`
}

type projectSharesAnswer struct{ Body ProjectShares }

type codeInput struct {
	Code string `path:"code" maxLength:"64" doc:"Code of the project"`
}

func (s *Service) sharesOfProject(ctx context.Context, in *codeInput) (*projectSharesAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := project.Find(ctx, s.host.DB, in.Code); err != nil {
		return nil, err
	}
	changes, err := byDay(ctx, s.host.DB, rows.Relation(), in.Code)
	return &projectSharesAnswer{ProjectShares{in.Code, runningTotals(changes)}}, err
}
