package marketplace

import (
	"context"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
)

// Actions of staff in the audit log: what they read or change of one member.
const (
	actionOrdersViewed    = "marketplace.orders_viewed"
	actionPaymentRefunded = "marketplace.payment_refunded"
	actionPaymentSeen     = "marketplace.payment_seen"
	actionSaleCancelled   = "marketplace.sale_cancelled"
)

// people reads relations in one call; those that account does not have are absent.
func (s *service) people(ctx context.Context, relations []string) (map[string]accountapi.Found, error) {
	out := map[string]accountapi.Found{}
	if relations = participation.Distinct(relations); len(relations) == 0 {
		return out, nil
	}
	all, err := accountapi.New(s.host.Client).LookUpRelations(ctx, accountapi.LookupInputBody{Relations: relations})
	for _, p := range all {
		out[p.Relation] = p
	}
	return out, err
}

// logAccess writes to core's audit log, which the member can read, what staff or a back office read or changed. When that fails, nothing is
// shown or changed.
func (s *service) logAccess(ctx context.Context, action, relation, target string) error {
	return s.core().WriteAudit(ctx, coreapi.NoteInputBody{Action: action, Relation: relation, Target: target})
}
