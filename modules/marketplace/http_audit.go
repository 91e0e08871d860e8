package marketplace

import (
	"context"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

func (s *service) auditRoutes() {
	module.Route(s.API, op(http.MethodGet, "/audit", "auditLedger", "Check the ledger of shares",
		"For staff and API keys. Compares chains, balances, offers, orders, moves and payments, and returns what does not agree."), module.APIKey, module.Read, s.auditLedger)
}

type auditAnswer struct{ Body ledger.Report }

func (s *service) auditLedger(ctx context.Context, _ *struct{}) (*auditAnswer, error) {
	report, err := s.audit(ctx)
	if err != nil {
		return nil, err
	}
	return &auditAnswer{*report}, nil
}
