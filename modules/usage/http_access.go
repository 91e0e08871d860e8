package usage

import (
	"context"
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/usage/internal/history"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// access returns the access of the caller's relation.
func (s *service) access(ctx context.Context) (a history.Access, err error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return a, err
	}
	return s.accessOf(ctx, rows, rows.Relation())
}

// accessOf returns the access of a relation.
func (s *service) accessOf(ctx context.Context, rows module.Rows, relation string) (a history.Access, err error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return a, err
	}
	a.Basis = set.Intervals
	a.Consents, err = history.LatestDecisions(ctx, s.host.DB, rows, relation)
	return a, err
}

// requireHistory returns the connections whose historical data may be shown. If there are none, it returns 422 usage.not_supported
// without a smart meter, and 403 usage.consent_needed if only consent is missing.
func (s *service) requireHistory(ctx context.Context, connections []meter.Connection) (out []meter.Connection, err error) {
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	reason := history.CodeNotSupported
	for _, c := range connections {
		codes := a.Check(c)
		if codes == nil {
			out = append(out, c)
		} else if codes[0] == history.CodeConsentNeeded {
			reason = history.CodeConsentNeeded
		}
	}
	if len(out) == 0 {
		return nil, withheld(reason)
	}
	return out, nil
}

// historySpan limits a span to the days of historical data: from the start of the contract or the label's number of months ago, until
// today.
func (s *service) historySpan(ctx context.Context, t meter.Span) (meter.Span, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return t, err
	}
	today := module.Today(ctx, s.host.Now())
	return t.Within(meter.Span{From: history.Start(t.From, today, set.HistoryMonths), Until: today.AddDays(1)}), nil
}

// withheld returns the problem for historical data that may not be shown (7.2-historical-refused).
func withheld(code string) error {
	if code == history.CodeNotSupported {
		return problem.Fail(http.StatusUnprocessableEntity, code)
	}
	return problem.Fail(http.StatusForbidden, code)
}
