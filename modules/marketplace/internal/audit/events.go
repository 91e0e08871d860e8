package audit

import (
	"context"
	"errors"
	"strings"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/marketplace/internal/ledger"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

// HandleDue runs the nightly audit. It logs the findings for the operator and publishes them for the back office.
func (s *Service) HandleDue(ctx context.Context, _ module.Event) error {
	report, err := s.Report(ctx)
	if err != nil {
		return errors.Join(problem.ErrRetry, err)
	}
	if len(report.Findings) == 0 {
		s.host.Log.InfoContext(ctx, "marketplace: the ledger is whole", "label", module.ScopeOf(ctx).Label, "participations",
			report.Participations, "entries", report.Entries)
		return nil
	}
	lines := make([]string, len(report.Findings))
	for i, f := range report.Findings {
		lines[i] = f.String()
	}
	s.host.Log.ErrorContext(ctx, "marketplace: the ledger is not whole", "label", module.ScopeOf(ctx).Label, "findings",
		len(lines)+report.More, "first", strings.Join(lines[:min(len(lines), 10)], "; "))
	return s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		return module.Publish(ctx, tx, marketplaceapi.EventAuditFailed, module.ScopeOf(ctx).Label, auditReport(report))
	})
}

// auditReport converts a report to its published form.
func auditReport(r *ledger.Report) marketplaceapi.AuditReport {
	out := marketplaceapi.AuditReport{Participations: r.Participations, Entries: r.Entries, Offers: r.Offers, Shares: r.Shares, More: r.More,
		Findings: make([]marketplaceapi.AuditFinding, len(r.Findings))}
	for i, f := range r.Findings {
		out.Findings[i] = marketplaceapi.AuditFinding(f)
	}
	return out
}
