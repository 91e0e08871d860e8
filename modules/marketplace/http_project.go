package marketplace

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/files"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
)

func (s *service) projectRoutes() {
	const get = http.MethodGet
	module.Route(s.API, op(get, "/projects", "listProjects", "List the member's projects, or those asked for",
		"For customers. Without codes only projects that the member has shares of; with codes also others."), module.Customer, module.Read, s.listProjects) // 7.6-get-projects
	files.Download(s.API, op(get, "/projects/{code}/report", "projectReport", "Download the report of a project",
		"For customers. Returns a PDF. Problem: 404 when the project has no report."), module.Customer, s.projectReport) // 7.6-get-project-report
	module.Route(s.API, op(get, "/market/projects", "listMarketProjects", "List all projects with their number of offers",
		"For customers. Counts the offers of other members that can be bought, and says what a share yielded last year."), module.Customer, module.Read, s.marketProjects)
}

type projectsInput struct {
	Codes string `query:"projectCodes" maxLength:"2000" doc:"Project codes, separated by commas; without any, the projects that the member has shares of"`
}

type projectsAnswer struct {
	Body []Project `nullable:"false"`
}

func (s *service) listProjects(ctx context.Context, in *projectsInput) (*projectsAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	db := s.host.DB
	mine, err := participation.List(ctx, db, rows)
	if err != nil {
		return nil, err
	}
	asked := codesIn(in.Codes)
	if in.Codes == "" {
		for _, p := range mine {
			asked = append(asked, p.ProjectCode)
		}
	}
	out := &projectsAnswer{[]Project{}}
	if len(asked) == 0 {
		return out, nil
	}
	found, err := projectsBy(ctx, db, asked)
	if err != nil {
		return nil, err
	}
	counts, err := offer.CountByProject(ctx, db, rows.Relation())
	if err != nil {
		return nil, err
	}
	made := s.measured(ctx, participation.Distinct(asked))
	for _, code := range participation.Distinct(asked) {
		d, ok := found[code]
		if !ok {
			continue
		}
		p := Project{ProjectRecord: d.ProjectRecord, StartDate: participation.Optional(d.Start), EndDate: participation.Optional(d.End), OfferCount: counts[code], Participations: []participation.Participation{}}
		p.measured(made[code])
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

// codesIn splits codes that are separated by commas.
func codesIn(text string) (codes []string) {
	for code := range strings.SplitSeq(text, ",") {
		if code = strings.TrimSpace(code); code != "" {
			codes = append(codes, code)
		}
	}
	return codes
}

type codeInput struct {
	Code string `path:"code" maxLength:"64" doc:"Code of the project"`
}

func (s *service) projectReport(ctx context.Context, in *codeInput) (*huma.StreamResponse, error) {
	d, err := projectOf(ctx, s.host.DB, in.Code)
	if err != nil {
		return nil, err
	}
	if !d.Report {
		return nil, problem.ErrNotFound
	}
	return files.Serve(ctx, s.host.Client, "reports/"+d.Code+".pdf", d.Code+".pdf") // 7.6-project-report-shape
}

// MarketProject is a project with the number of offers of others that can be bought (7.6-get-market-projects).
type MarketProject struct {
	Code   string      `json:"project_code" doc:"Code of the project"`
	Name   string      `json:"project_name" doc:"Name of the project"`
	Type   string      `json:"project_type" doc:"WIND is a wind project, any other a solar one"`
	Place  string      `json:"place" doc:"Place of the project"`
	Start  *value.Day  `json:"project_start_date" nullable:"true" doc:"First day of the project; null: not known"`
	Offers int         `json:"offer_count" doc:"Number of offers of other members that can be bought"`
	Yield  *ShareYield `json:"share_yield,omitempty" doc:"What one share yielded in the last calendar year; absent when that is unknown or the project did not run all year"`
}

type marketProjectsAnswer struct {
	Body []MarketProject `nullable:"false"`
}

func (s *service) marketProjects(ctx context.Context, _ *struct{}) (*marketProjectsAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	all, err := allProjects(ctx, s.host.DB)
	if err != nil {
		return nil, err
	}
	counts, err := offer.CountByProject(ctx, s.host.DB, rows.Relation())
	if err != nil {
		return nil, err
	}
	codes := make([]string, len(all))
	for i, d := range all {
		codes[i] = d.Code
	}
	now, err := sharesNow(ctx, s.host.DB, rows.Relation(), codes)
	if err != nil {
		return nil, err
	}
	shares := map[string]int64{}
	for _, n := range now {
		shares[n.Code] = n.All
	}
	out := &marketProjectsAnswer{make([]MarketProject, len(all))}
	for i, d := range all {
		out.Body[i] = MarketProject{Code: d.Code, Name: d.Name, Type: d.Type, Place: d.Place, Start: participation.Optional(d.Start), Offers: counts[d.Code],
			Yield: s.sharesYield(ctx, d, shares[d.Code])}
	}
	return out, nil
}
