package notice

import (
	"context"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/sibling"
)

// accountOf reads the oldest login of a relation. It returns problem.ErrNotFound when the relation has no login.
func (s *Service) accountOf(ctx context.Context, relation string) (coreapi.AccountOutputBody, error) {
	a, err := coreapi.New(s.host.Client).AccountOfRelation(ctx, relation)
	return a, sibling.MapNotFound(err)
}
