package production

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// sharesOf returns the shares of a project from module marketplace.
func (s *service) sharesOf(ctx context.Context, project string) (shares, error) {
	out, err := marketplaceapi.New(s.host.Client).SharesOfProject(ctx, project)
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Status == http.StatusNotFound {
		err = problem.ErrNotFound
	}
	return out.Shares, err
}

// own returns the codes of the projects in which the caller has shares.
func own(shares map[string]marketplaceapi.SharesNow) (out []string) {
	for _, code := range slices.Sorted(maps.Keys(shares)) {
		if shares[code].Own > 0 {
			out = append(out, code)
		}
	}
	return out
}

// sharesNow returns the shares of the given projects, or of the caller's projects if codes is empty, by project code. It returns none if
// the label has no marketplace.
func (s *service) sharesNow(ctx context.Context, codes []string) (map[string]marketplaceapi.SharesNow, error) {
	all, err := marketplaceapi.New(s.host.Client).ListShares(ctx, marketplaceapi.ListSharesParams{Projects: strings.Join(codes, ",")})
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Status == http.StatusNotFound {
		return nil, nil
	}
	out := make(map[string]marketplaceapi.SharesNow, len(all))
	for _, x := range all {
		out[x.ProjectCode] = x
	}
	return out, err
}
