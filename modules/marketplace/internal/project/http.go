package project

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
)

// Service serves and imports projects.
type Service struct {
	host        module.Host
	countOffers CountOffers
}

// CountOffers counts, by project, the offers of other members that a relation can buy.
type CountOffers func(ctx context.Context, db module.Querier, relation string) (map[string]int, error)

// New returns the service for a host; count returns the number of offers by project.
func New(h module.Host, count CountOffers) *Service { return &Service{h, count} }

// Routes registers the project operations.
func (s *Service) Routes(api huma.API) {
	const get = http.MethodGet
	module.Route(api, operation.New(get, "/projects", "listProjects", "List the member's projects, or the requested ones",
		// 7.6-get-projects
		"For customers. Without codes only projects that the member has shares of; with codes also others."), module.Customer, module.Read,
		s.listProjects)
	files.Download(api, operation.New(get, "/projects/{code}/report", "projectReport", "Download the report of a project",
		"For customers. Returns a PDF. Problem: 404 when the project has no report."), module.Customer, s.projectReport) // 7.6-get-project-report
}

type projectsInput struct {
	Codes string `query:"projectCodes" maxLength:"2000" doc:"Project codes, separated by commas; absent: the projects in which the member has shares"`
}

type projectsAnswer struct {
	Body []Project `nullable:"false"`
}

func (s *Service) listProjects(ctx context.Context, in *projectsInput) (*projectsAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	db := s.host.DB
	mine, err := participation.List(ctx, db, rows)
	if err != nil {
		return nil, err
	}
	requested := operation.Codes(in.Codes)
	if in.Codes == "" {
		for _, p := range mine {
			requested = append(requested, p.ProjectCode)
		}
	}
	out := &projectsAnswer{[]Project{}}
	if len(requested) == 0 {
		return out, nil
	}
	found, err := ByCode(ctx, db, requested)
	if err != nil {
		return nil, err
	}
	counts, err := s.countOffers(ctx, db, rows.Relation())
	if err != nil {
		return nil, err
	}
	made := s.measured(ctx, participation.Distinct(requested))
	for _, code := range participation.Distinct(requested) {
		d, ok := found[code]
		if !ok {
			continue
		}
		p := Project{Record: d.Record, StartDate: participation.Optional(d.Start), EndDate: participation.Optional(d.End),
			OfferCount: counts[code], Participations: []participation.Participation{}}
		p.setMeasured(made[code])
		for _, x := range mine {
			if x.ProjectCode == code {
				x.ProjectEnd = p.EndDate
				p.Participations = append(p.Participations, x)
			}
		}
		out.Body = append(out.Body, p)
	}
	return out, nil
}

// KnownCodes reports which of some codes belong to projects of the label.
func (s *Service) KnownCodes(ctx context.Context, db module.Querier, codes []string) (map[string]bool, error) {
	found, err := ByCode(ctx, db, codes)
	out := make(map[string]bool, len(found))
	for code := range found {
		out[code] = true
	}
	return out, err
}

type codeInput struct {
	Code string `path:"code" maxLength:"64" doc:"Code of the project"`
}

func (s *Service) projectReport(ctx context.Context, in *codeInput) (*huma.StreamResponse, error) {
	d, err := Find(ctx, s.host.DB, in.Code)
	if err != nil {
		return nil, err
	}
	if !d.Report {
		return nil, problem.ErrNotFound
	}
	return files.Serve(ctx, s.host.Client, "reports/"+d.Code+".pdf", d.Code+".pdf") // 7.6-project-report-shape
}
