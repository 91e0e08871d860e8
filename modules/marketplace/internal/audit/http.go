package audit

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/operation"
)

// Service audits the ledger.
type Service struct{ host module.Host }

// New returns the service for a host.
func New(h module.Host) *Service { return &Service{h} }

// Routes registers the audit operation.
func (s *Service) Routes(api huma.API) {
	module.Route(api, operation.New(http.MethodGet, "/audit", "auditLedger", "Check the ledger of shares",
		"For staff and API keys. Compares chains, balances, offers, orders, moves and payments, and returns what does not agree."),
		module.APIKey, module.Read, s.auditLedger)
}

type auditAnswer struct{ Body ledger.Report }

func (s *Service) auditLedger(ctx context.Context, _ *struct{}) (*auditAnswer, error) {
	report, err := s.Report(ctx)
	if err != nil {
		return nil, err
	}
	return &auditAnswer{*report}, nil
}
