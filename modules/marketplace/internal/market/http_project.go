package market

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/offer"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/project"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/share"
)

// MarketProject is a project with the number of offers of others that can be bought (7.6-get-market-projects).
type MarketProject struct {
	Code   string      `json:"project_code" doc:"Code of the project"`
	Name   string      `json:"project_name" doc:"Name of the project"`
	Type   string      `json:"project_type" doc:"WIND is a wind project, any other a solar one"`
	Place  string      `json:"place" doc:"Place of the project"`
	Start  *value.Day  `json:"project_start_date" nullable:"true" doc:"First day of the project; null: unknown"`
	Offers int         `json:"offer_count" doc:"Number of offers of other members that can be bought"`
	Yield  *ShareYield `json:"share_yield,omitempty" doc:"Yield of one share in the last calendar year; absent when it is unknown or the project did not run all year"`
}

type marketProjectsAnswer struct {
	Body []MarketProject `nullable:"false"`
}

func (s *Service) marketProjects(ctx context.Context, _ *struct{}) (*marketProjectsAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	all, err := project.All(ctx, s.host.DB)
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
	now, err := share.Now(ctx, s.host.DB, rows.Relation(), codes)
	if err != nil {
		return nil, err
	}
	shares := map[string]int64{}
	for _, n := range now {
		shares[n.Code] = n.All
	}
	lastYear := module.Today(ctx, s.host.Now()).Year - 1
	out := &marketProjectsAnswer{make([]MarketProject, len(all))}
	for i, d := range all {
		out.Body[i] = MarketProject{Code: d.Code, Name: d.Name, Type: d.Type, Place: d.Place, Start: participation.Optional(d.Start),
			Offers: counts[d.Code], Yield: s.yieldIn(ctx, d, shares[d.Code], lastYear)}
	}
	return out, nil
}
