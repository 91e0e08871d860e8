package usage

import (
	"context"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/usage/internal/history"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Handlers for the consent to historical meter data, the data itself and its retrieval.

type consentInput struct {
	ConsentGiven string `query:"consentGiven" enum:"true,false," doc:"true: give consent; false: revoke it; empty: only read"`
	EAN          string `query:"ean" doc:"EAN code of a connection; empty: all connections with a smart meter"`
}

type consentAnswer struct{ Body history.Consent }

// getConsent returns the consent and, with consentGiven, stores a decision (7.2-historical-consent-semantics). It is a GET that writes,
// because that is how the portal's clients call it. During impersonation the database refuses the write.
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
		latest, err := history.LatestDecisions(ctx, s.host.DB, rows, rows.Relation())
		return &consentAnswer{history.ConsentStatus(connections, latest, set.ConsentTextVersion)}, err
	}
	if in.EAN != "" && !slices.ContainsFunc(connections, func(c meter.Connection) bool { return c.EANCode == in.EAN }) {
		return nil, problem.ErrNotFound
	}
	consents := in.ConsentGiven == "true"
	if consents && !slices.ContainsFunc(connections, func(c meter.Connection) bool {
		return c.MeterType == meter.Smart && (in.EAN == "" || in.EAN == c.EANCode)
	}) {
		return nil, withheld(history.CodeNotSupported)
	}
	var out history.Consent
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		latest, err := history.LatestDecisions(ctx, tx, rows, rows.Relation())
		if err != nil {
			return err
		}
		decisions := history.NewDecisions(connections, latest, consents, in.EAN, set.ConsentTextVersion, s.now())
		for _, d := range decisions {
			if err := history.InsertDecision(ctx, tx, rows, d); err != nil {
				return err
			}
			latest[d.EANCode] = d
		}
		out = history.ConsentStatus(connections, latest, set.ConsentTextVersion)
		return nil
	})
	return &consentAnswer{out}, err
}

type historyInput struct {
	Agreement string `path:"agreement" doc:"Id of the agreement, with or without sequence"`
}

type historyAnswer struct{ Body history.History }

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
	out := history.History{AgreementIdentifier: k.id, From: t.From, Retrieval: history.Retrieval{State: history.None},
		Connections: []history.ConnectionHistory{}}
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	latest, err := history.LatestJob(ctx, s.host.DB, rows, rows.Relation(), k.id, false)
	if err != nil {
		return nil, err
	}
	if latest != nil {
		out.Retrieval = latest.Retrieval()
		done, err := history.LatestJob(ctx, s.host.DB, rows, rows.Relation(), k.id, true) // 4-consent-last-retrieval-source
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
		days, err := interval.FindTotals(ctx, s.host.DB, c.EANCode, own)
		if err != nil {
			return nil, err
		}
		one := history.ConnectionHistory{EANCode: c.EANCode, Commodity: c.Commodity, Unit: meter.UnitOf(c.Commodity), From: own.From,
			Months: history.Months(days)}
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

type retrievalAnswer struct{ Body history.Requested }

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
	var requested history.Requested
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		last, err := history.LatestJob(ctx, tx, rows, rows.Relation(), k.id, false)
		if err != nil {
			return err
		}
		if last != nil && last.Active() {
			requested = history.Requested{Retrieval: last.Retrieval(), Requested: last.Requested}
			if !last.Stale(s.now()) {
				return nil
			}
			done := last.Done
			last.Touched = s.now()
			if ok, err := history.UpdateJob(ctx, tx, *last, done); err != nil || !ok {
				return err
			}
			return publishJob(ctx, tx, *last, time.Time{})
		}
		next := history.NewJob(last, rows.Relation(), k.id, connections, t, s.now())
		next.Subject = module.ScopeOf(ctx).Subject
		requested = history.Requested{Retrieval: next.Retrieval(), Requested: next.Requested}
		if ok, err := history.InsertJob(ctx, tx, next); err != nil || !ok {
			return err // a concurrent call has started the same retrieval
		}
		return publishJob(ctx, tx, next, time.Time{})
	})
	return &retrievalAnswer{requested}, err
}
