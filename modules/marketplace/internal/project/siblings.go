package project

import (
	"context"
	"errors"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
	"github.com/wattle-portal/wattle/modules/production/productionapi"
)

// measured returns the measured production of projects, by code; empty when the label has no module production or it is unavailable.
func (s *Service) measured(ctx context.Context, codes []string) map[string]productionapi.Measured {
	all, err := productionapi.New(s.host.Client).ListMeasured(ctx, productionapi.ListMeasuredParams{Projects: strings.Join(codes, ",")})
	if err != nil && !errors.Is(sibling.MapNotFound(err), problem.ErrNotFound) {
		s.host.Log.WarnContext(ctx, "it is not known what projects make", "error", err)
	}
	out := make(map[string]productionapi.Measured, len(all))
	for _, m := range all {
		out[m.ProjectCode] = m
	}
	return out
}
