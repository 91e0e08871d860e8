package billing

import (
	"context"

	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// callerRelation returns the relation of the call from module account, which also stores the bank account.
func (s *service) callerRelation(ctx context.Context) (accountapi.Relation, error) {
	return accountapi.New(s.host.Client).GetRelation(ctx)
}
