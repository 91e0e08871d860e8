package history

import (
	"context"
	"errors"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
)

// holder returns the name of the relation of the call; empty when the back office has not sent it yet.
func (s *Service) holder(ctx context.Context) (string, error) {
	r, err := accountapi.New(s.host.Client).GetRelation(ctx)
	if errors.Is(sibling.MapNotFound(err), problem.ErrNotFound) {
		return "", nil
	}
	if r.Company.Name != "" {
		return r.Company.Name, err
	}
	return strings.Join(strings.Fields(r.Initials+" "+r.Prefix+" "+r.LastName), " "), err
}
