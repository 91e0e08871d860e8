package marketplace

import (
	"context"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
)

// What the audit log hears of staff who look at or act on what is one member's.
const (
	actionOrdersViewed    = "marketplace.orders_viewed"
	actionPaymentRefunded = "marketplace.payment_refunded"
	actionPaymentSeen     = "marketplace.payment_seen"
	actionSaleCancelled   = "marketplace.sale_cancelled"
)

// person is who a relation is.
type person struct {
	Relation     string `json:"relation"`
	DebtorNumber string `json:"debtor_number"`
	Name         string `json:"name"`
}

// people are who relations are, in one call; those whom account does not have are left out.
func (s *service) people(ctx context.Context, relations []string) (map[string]person, error) {
	out := map[string]person{}
	if relations = distinct(relations); len(relations) == 0 {
		return out, nil
	}
	all, err := module.Call[[]person](ctx, s.host.Client, http.MethodPost, "http://account/relations/lookup", map[string]any{"relations": relations})
	for _, p := range all {
		out[p.Relation] = p
	}
	return out, err
}

// looked tells core's audit log, and so the member, what somebody of the staff or a back office saw or did. What cannot be told is
// neither shown nor done.
func (s *service) looked(ctx context.Context, action, relation, target string) error {
	_, err := module.Call[struct{}](ctx, s.host.Client, http.MethodPost, "http://core/audit",
		map[string]string{"action": action, "relation": relation, "target": target})
	return err
}
