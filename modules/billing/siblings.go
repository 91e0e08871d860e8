package billing

import (
	"context"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
)

// relation is what module account says of the relation of the call. The bank account is theirs: nowhere else is it kept.
type relation struct {
	Number string `json:"bank_account_number"`
	Name   string `json:"bank_account_name"`
	Email  string `json:"email"`
}

func (s *service) relation(ctx context.Context) (relation, error) {
	return module.Call[relation](ctx, s.host.Client, http.MethodGet, "http://account/relations", nil)
}
