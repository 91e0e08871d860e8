package marketplace

import (
	"context"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
)

func (s *service) auditRoutes() {
	module.Route(s.API, op(http.MethodGet, "/audit", "auditLedger", "Whether the ledger of shares is whole"), module.APIKey, module.Read, s.auditLedger)
}

type auditAnswer struct{ Body ledger.Report }

func (s *service) auditLedger(ctx context.Context, _ *struct{}) (*auditAnswer, error) {
	report, err := s.audit(ctx)
	if err != nil {
		return nil, err
	}
	return &auditAnswer{*report}, nil
}
