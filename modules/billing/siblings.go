package billing

import (
	"context"

	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// relation is what module account says of the relation of the call. The bank account is theirs: nowhere else is it kept.
func (s *service) relation(ctx context.Context) (accountapi.Relation, error) {
	return accountapi.New(s.host.Client).GetRelation(ctx)
}
