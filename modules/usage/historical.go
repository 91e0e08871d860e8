package usage

import (
	"context"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Handlers for the consent to historical meter data, the data itself and its retrieval.

type consentInput struct {
	ConsentGiven string `query:"consentGiven" enum:"true,false" doc:"true: give consent; false: revoke it; empty: only read"`
	EAN          string `query:"ean" doc:"EAN code of a connection; empty: all connections with a smart meter"`
}

type consentAnswer struct{ Body Consent }

// getConsent returns the consent and, with consentGiven, stores a decision (7.2-historical-consent-semantics). It is a GET that writes,
// because the portal's clients call it so; during impersonation the database refuses the write.
func (s *service) getConsent(ctx context.Context, in *consentInput) (*consentAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	connections, err := s.callerConnections(ctx)
	if err != nil {
		return nil, err
	}
	if in.ConsentGiven == "" {
		latest, err := latestDecisions(ctx, s.host.DB, rows, rows.Relation())
		return &consentAnswer{consentStatus(connections, latest, set.ConsentTextVersion)}, err
	}
	if in.EAN != "" && !slices.ContainsFunc(connections, func(c Connection) bool { return c.EANCode == in.EAN }) {
		return nil, problem.ErrNotFound
	}
	given := in.ConsentGiven == "true"
	if given && !slices.ContainsFunc(connections, func(c Connection) bool { return c.MeterType == Smart && (in.EAN == "" || in.EAN == c.EANCode) }) {
		return nil, withheld(codeNotSupported)
	}
	var out Consent
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		latest, err := latestDecisions(ctx, tx, rows, rows.Relation())
		if err != nil {
			return err
		}
		decisions := newDecisions(connections, latest, given, in.EAN, set.ConsentTextVersion, s.now())
		for _, d := range decisions {
			if err := insertDecision(ctx, tx, rows, d); err != nil {
				return err
			}
			latest[d.EANCode] = d
		}
		out = consentStatus(connections, latest, set.ConsentTextVersion)
		return nil
	})
	return &consentAnswer{out}, err
}

// requireHistory returns the connections whose historical data may be shown. If there are none, it returns 422 usage.not_supported
// without a smart meter, and 403 usage.consent_needed if only consent is missing.
func (s *service) requireHistory(ctx context.Context, connections []Connection) (out []Connection, err error) {
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	reason := codeNotSupported
	for _, c := range connections {
		codes := a.check(c)
		if codes == nil {
			out = append(out, c)
		} else if codes[0] == codeConsentNeeded {
			reason = codeConsentNeeded
		}
	}
	if len(out) == 0 {
		return nil, withheld(reason)
	}
	return out, nil
}

// historySpan limits a span to the days of historical data: until today, from the start of the contract or the label's number of months.
func (s *service) historySpan(ctx context.Context, t span) (span, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return t, err
	}
	today := module.Today(ctx, s.host.Now())
	return t.within(span{from: HistoryStart(t.from, today, set.HistoryMonths), until: today.AddDays(1)}), nil
}

type historyInput struct {
	Agreement string `path:"agreement" doc:"Id of the agreement, with or without sequence"`
}

type historyAnswer struct{ Body History }

func (s *service) getHistory(ctx context.Context, in *historyInput) (*historyAnswer, error) {
	k, err := s.contract(ctx, in.Agreement)
	if err != nil {
		return nil, err
	}
	connections, err := s.requireHistory(ctx, k.connections)
	if err != nil {
		return nil, err
	}
	t, err := s.historySpan(ctx, k.span)
	if err != nil {
		return nil, err
	}
	out := History{AgreementIdentifier: k.id, From: t.from, Retrieval: Retrieval{State: None}, Connections: []ConnectionHistory{}}
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	latest, err := latestJob(ctx, s.host.DB, rows, rows.Relation(), k.id, false)
	if err != nil {
		return nil, err
	}
	if latest != nil {
		out.Retrieval = latest.retrieval()
		done, err := latestJob(ctx, s.host.DB, rows, rows.Relation(), k.id, true) // 4-consent-last-retrieval-source
		if err != nil {
			return nil, err
		}
		if done != nil {
			out.LastRetrieval = &done.Finished
		}
	}
	for _, c := range connections {
		own, err := s.historySpan(ctx, k.spanOf(c))
		if err != nil {
			return nil, err
		}
		days, err := findDayTotals(ctx, s.host.DB, c.EANCode, own)
		if err != nil {
			return nil, err
		}
		one := ConnectionHistory{EANCode: c.EANCode, Commodity: c.Commodity, Unit: UnitOf(c.Commodity), From: own.from, Months: months(days)}
		if len(days) > 0 {
			one.Until = days[len(days)-1].Day
		}
		out.Connections = append(out.Connections, one)
	}
	return &historyAnswer{out}, nil
}

type retrievalInput struct {
	Body struct {
		AgreementIdentifier string `json:"agreement_identifier" minLength:"1" doc:"Id of the agreement, with or without sequence"`
	}
}

type retrievalAnswer struct{ Body Requested }

// startRetrieval starts a retrieval of an agreement's historical data, or returns the one that is running.
func (s *service) startRetrieval(ctx context.Context, in *retrievalInput) (*retrievalAnswer, error) {
	k, err := s.contract(ctx, in.Body.AgreementIdentifier)
	if err != nil {
		return nil, err
	}
	connections, err := s.requireHistory(ctx, k.connections)
	if err != nil {
		return nil, err
	}
	t, err := s.historySpan(ctx, k.span)
	if err != nil {
		return nil, err
	}
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	var requested Requested
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		last, err := latestJob(ctx, tx, rows, rows.Relation(), k.id, false)
		if err != nil {
			return err
		}
		if last != nil && last.active() {
			requested = Requested{last.retrieval(), last.Requested}
			if !last.stale(s.now()) {
				return nil
			}
			done := last.Done
			last.Touched = s.now()
			if ok, err := updateJob(ctx, tx, *last, done); err != nil || !ok {
				return err
			}
			return publishJob(ctx, tx, *last, time.Time{})
		}
		next := newJob(last, rows.Relation(), k.id, connections, t, s.now())
		next.Subject = module.ScopeOf(ctx).Subject
		requested = Requested{next.retrieval(), next.Requested}
		if ok, err := insertJob(ctx, tx, next); err != nil || !ok {
			return err // a concurrent call has started the same retrieval
		}
		return publishJob(ctx, tx, next, time.Time{})
	})
	return &retrievalAnswer{requested}, err
}
