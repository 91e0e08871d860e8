package usage

import (
	"context"
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// Handlers of the consent for historical meter data, of what it opens and of its retrieval.

type consentInput struct {
	ConsentGiven string `query:"consentGiven" enum:"true,false" doc:"true gives, false revokes, empty only reads"`
	EAN          string `query:"ean" doc:"One connection; empty: all with a smart meter"`
}

type consentAnswer struct{ Body Consent }

// getConsent tells of the consent and, asked so, records another decision (7.2-historical-consent-semantics). It is a GET that
// writes, as the portal's clients have it; for somebody who only looks along the database refuses it.
func (s *service) getConsent(ctx context.Context, in *consentInput) (*consentAnswer, error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return nil, err
	}
	connections, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	if in.ConsentGiven == "" {
		latest, err := latestConsents(ctx, s.host.DB, rows, rows.Relation())
		return &consentAnswer{consentOf(connections, latest, set.ConsentTextVersion)}, err
	}
	if in.EAN != "" && !slices.ContainsFunc(connections, func(c Connection) bool { return c.EANCode == in.EAN }) {
		return nil, problem.ErrNotFound
	}
	given := in.ConsentGiven == "true"
	if given && !slices.ContainsFunc(connections, func(c Connection) bool { return c.MeterType == Smart && (in.EAN == "" || in.EAN == c.EANCode) }) {
		return nil, refused(codeNotSupported)
	}
	var out Consent
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		latest, err := latestConsents(ctx, tx, rows, rows.Relation())
		if err != nil {
			return err
		}
		decisions := decide(connections, latest, given, in.EAN, set.ConsentTextVersion, s.now())
		for _, d := range decisions {
			if err := addConsent(ctx, tx, rows, d); err != nil {
				return err
			}
			latest[d.EANCode] = d
		}
		out = consentOf(connections, latest, set.ConsentTextVersion)
		return nil
	})
	return &consentAnswer{out}, err
}

// historic are the connections of the call's relation whose historical data may be shown, of those given; a problem when there are
// none: 422 without a smart meter, 403 without consent where the label needs it.
func (s *service) historic(ctx context.Context, connections []Connection) (out []Connection, err error) {
	a, err := s.access(ctx)
	if err != nil {
		return nil, err
	}
	why := codeNotSupported
	for _, c := range connections {
		codes := a.check(c)
		if codes == nil {
			out = append(out, c)
		} else if codes[0] == codeConsentNeeded {
			why = codeConsentNeeded
		}
	}
	if len(out) == 0 {
		return nil, refused(why)
	}
	return out, nil
}

// past is how much of a span historical data shows: until today, and back to the start of the contract or the label's months.
func (s *service) past(ctx context.Context, t span) (span, error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return t, err
	}
	today := module.Today(ctx, s.host.Now())
	return t.within(span{from: HistoryStart(t.from, today, set.HistoryMonths), until: today.AddDays(1)}), nil
}

type historyInput struct {
	Agreement string `path:"agreement" doc:"agreement_identifier, with or without sequence"`
}

type historyAnswer struct{ Body History }

func (s *service) getHistory(ctx context.Context, in *historyInput) (*historyAnswer, error) {
	k, err := s.contract(ctx, in.Agreement)
	if err != nil {
		return nil, err
	}
	connections, err := s.historic(ctx, k.connections)
	if err != nil {
		return nil, err
	}
	t, err := s.past(ctx, k.span)
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
		out.Retrieval = latest.shown()
		done, err := latestJob(ctx, s.host.DB, rows, rows.Relation(), k.id, true) // 4-consent-last-retrieval-source
		if err != nil {
			return nil, err
		}
		if done != nil {
			out.LastRetrieval = &done.Finished
		}
	}
	for _, c := range connections {
		own, err := s.past(ctx, k.of(c))
		if err != nil {
			return nil, err
		}
		days, err := totalsOf(ctx, s.host.DB, c.EANCode, own)
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
		AgreementIdentifier string `json:"agreement_identifier" minLength:"1" doc:"With or without sequence"`
	}
}

type retrievalAnswer struct{ Body Requested }

// startRetrieval begins to fetch an agreement's historical data. While one is under way, asking again answers that one.
func (s *service) startRetrieval(ctx context.Context, in *retrievalInput) (*retrievalAnswer, error) {
	k, err := s.contract(ctx, in.Body.AgreementIdentifier)
	if err != nil {
		return nil, err
	}
	connections, err := s.historic(ctx, k.connections)
	if err != nil {
		return nil, err
	}
	t, err := s.past(ctx, k.span)
	if err != nil {
		return nil, err
	}
	rows, err := module.Mine(ctx)
	if err != nil {
		return nil, err
	}
	var shown Requested
	err = s.host.DB.Tx(ctx, func(ctx context.Context, tx module.Tx) error {
		last, err := latestJob(ctx, tx, rows, rows.Relation(), k.id, false)
		if err != nil {
			return err
		}
		if last != nil && last.active() {
			shown = Requested{last.shown(), last.Requested}
			if !last.stale(s.now()) {
				return nil
			}
			was := last.Done
			last.Touched = s.now()
			if ok, err := saveJob(ctx, tx, *last, was); err != nil || !ok {
				return err
			}
			return publishJob(ctx, tx, *last, time.Time{})
		}
		next := newJob(last, rows.Relation(), k.id, connections, t, s.now())
		next.Subject = module.ScopeOf(ctx).Subject
		shown = Requested{next.shown(), next.Requested}
		if ok, err := addJob(ctx, tx, next); err != nil || !ok {
			return err // another call was first and has begun the same
		}
		return publishJob(ctx, tx, next, time.Time{})
	})
	return &retrievalAnswer{shown}, err
}
