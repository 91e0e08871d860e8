package marketplace

import (
	"context"

	"github.com/wattle-portal/wattle/core/coreapi"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/participation"
)

// What the audit log hears of staff who look at or act on what is one member's.
const (
	actionOrdersViewed    = "marketplace.orders_viewed"
	actionPaymentRefunded = "marketplace.payment_refunded"
	actionPaymentSeen     = "marketplace.payment_seen"
	actionSaleCancelled   = "marketplace.sale_cancelled"
)

// people are who relations are, in one call; those whom account does not have are left out.
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

// looked tells core's audit log, and so the member, what somebody of the staff or a back office saw or did. What cannot be told is
// neither shown nor done.
func (s *service) looked(ctx context.Context, action, relation, target string) error {
	return s.core().WriteAudit(ctx, coreapi.NoteInputBody{Action: action, Relation: relation, Target: target})
}
