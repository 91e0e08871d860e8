package production

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// sharesOf are the shares of a project as module marketplace has them.
func (s *service) sharesOf(ctx context.Context, project string) (shares, error) {
	out, err := module.Call[struct {
		Shares shares `json:"shares"`
	}](ctx, s.host.Client, http.MethodGet, "http://marketplace/sustainable/projects/"+url.PathEscape(project)+"/shares", nil)
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Status == http.StatusNotFound {
		err = problem.ErrNotFound
	}
	return out.Shares, err
}

// sharesOfAll are the shares of a project today.
type sharesOfAll struct {
	Code string `json:"project_code"`
	Own  int64  `json:"own"`
	All  int64  `json:"all"`
}

// own are the projects of which the caller has shares.
func own(shares map[string]sharesOfAll) (out []string) {
	for _, code := range slices.Sorted(maps.Keys(shares)) {
		if shares[code].Own > 0 {
			out = append(out, code)
		}
	}
	return out
}

// sharesNow are the shares of projects, of the caller's own without any; none where the label has no marketplace.
func (s *service) sharesNow(ctx context.Context, codes []string) (map[string]sharesOfAll, error) {
	all, err := module.Call[[]sharesOfAll](ctx, s.host.Client, http.MethodGet, "http://marketplace/sustainable/shares?projects="+url.QueryEscape(strings.Join(codes, ",")), nil)
	if p, ok := errors.AsType[*problem.Problem](err); ok && p.Status == http.StatusNotFound {
		return nil, nil
	}
	out := make(map[string]sharesOfAll, len(all))
	for _, x := range all {
		out[x.Code] = x
	}
	return out, err
}
