package identity

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"
	"golang.org/x/sync/errgroup"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/problem"
)

// accountState is the state of an account outside identity_accounts. An account that was never disabled or signed out has none.
type accountState struct {
	bun.BaseModel `bun:"table:identity_account_states,alias:st"`

	Label     string    `bun:"label_key,pk"`
	Account   string    `bun:"account_id,pk"`
	Disabled  bool      `bun:"disabled"`
	SignedOut time.Time `bun:"signed_out_at,nullzero"`
}

// endAll ends the sessions of an account except one, here and at the provider, the impersonations by that account, and all their
// tokens (7.7-token-ends). before, if not nil, runs first in the same transaction.
func (s *Service) endAll(ctx context.Context, l *label.Label, account, except string, before func(context.Context, store.Tx) error) error {
	var ended []session
	err := s.d.DB.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) (err error) {
		if before != nil {
			if err := before(ctx, tx); err != nil {
				return err
			}
		}
		ended, err = s.sessions.endAll(ctx, tx, l.Key, account, except)
		return err
	})
	if err != nil {
		return err
	}
	s.revocations.add(account)
	s.signOutAtProvider(ctx, l, ended)
	return nil
}

// signOutAtProvider ends sessions at the provider. A failure is only logged, because the sessions have already ended in the
// portal.
func (s *Service) signOutAtProvider(ctx context.Context, l *label.Label, ended []session) {
	p, err := s.provider(l)
	if err != nil {
		s.warn(ctx, err, "sessions could not be ended at the identity provider")
		return
	}
	var work errgroup.Group
	work.SetLimit(8)
	for _, x := range ended {
		tokens, err := s.sessions.tokens(&x)
		if err != nil {
			s.warn(ctx, err, "a session could not be ended at the identity provider")
			continue
		}
		if tokens == nil {
			continue
		}
		work.Go(func() error {
			s.warn(ctx, p.SignOut(ctx, l, tokens), "a session could not be ended at the identity provider")
			return nil
		})
	}
	_ = work.Wait() // no function returns an error
}

// endImpersonations ends the matching impersonations that run or have not begun, and their tokens. It returns their ids. After
// the transaction the caller calls revocations.add with those ids, or with the actor.
func endImpersonations(ctx context.Context, tx store.Tx, label string, now time.Time, where string, args ...any) (ids []string, err error) {
	var ended []impersonation
	err = tx.NewUpdate().Model(&ended).Set("ended_at = ?", now).Where("label_key = ? AND ended_at IS NULL AND created_at > ?", label, now.Add(-impersonationCodeLifetime-impersonationLifetime)).
		Where(where, args...).Returning("id").Scan(ctx)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	for _, x := range ended {
		if err := recordRevocation(ctx, tx, label, x.ID, now); err != nil {
			return nil, err
		}
		ids = append(ids, x.ID)
	}
	return ids, nil
}

// endImpersonation ends the impersonation that the calling browser runs.
func (s *Service) endImpersonation(ctx context.Context, label, id string) error {
	err := s.d.DB.Tx(system(ctx, label), func(ctx context.Context, tx store.Tx) error {
		_, err := endImpersonations(ctx, tx, label, s.now(), "id = ?", id)
		return err
	})
	s.revocations.add(id)
	return err
}

// checkImpersonation returns ErrUnauthorized for the token of an impersonation that was ended early.
func (s *Service) checkImpersonation(ctx context.Context, l *label.Label, r *login, id *Identity) error {
	n, err := s.d.DB.Read().NewSelect().Model((*impersonation)(nil)).Where("label_key = ? AND id = ? AND account_id = ? AND actor_id = ?", l.Key, id.Session, r.ID, id.Actor).
		Where("used_at IS NOT NULL AND ended_at IS NULL").Count(ctx)
	if err == nil && n == 0 {
		return ErrUnauthorized
	}
	return err
}

// signOut ends the session of the cookie, at the provider too, and its tokens (7.7-sign-out-effect, 7.7-token-ends), and the session
// of the caller's token. It succeeds without either. During an impersonation, also after its end, it ends only the impersonation: the
// session of the impersonator, whose cookie the browser also sends, continues. The browser loses the cookie even when the session could
// not be ended: the next person at that browser must not continue it.
func (s *Service) signOut(ctx context.Context, in *bearerInput) (*cookieOutput, error) {
	l, p, err := s.labelAndProvider(ctx)
	if err == nil {
		if id, err := s.holder(ctx, l, in); err == nil && id.Actor != "" {
			return &cookieOutput{}, s.endImpersonation(ctx, l.Key, id.Session)
		}
		err = s.endSessions(ctx, l, p, s.cookieOf(ctx, in.SessionCookies))
	}
	deleted := s.setCookie(ctx, "")
	if err == nil {
		return &cookieOutput{deleted}, nil
	}
	failed := problem.Of(err)
	if failed.Code == problem.CodeInternal {
		problem.Observe(ctx, err)
	}
	for _, c := range deleted {
		failed = failed.WithHeader("Set-Cookie", c.String())
	}
	return nil, failed
}

// endSessions ends the session of a browser's cookie and that of the caller's token.
func (s *Service) endSessions(ctx context.Context, l *label.Label, p Provider, cookie string) error {
	ending := map[string]*session{}
	if claims, known := ClaimsOf(ctx); known {
		x, err := s.sessions.byID(ctx, l.Key, claims.Session)
		if err == nil {
			ending[x.ID] = x
		} else if !errors.Is(err, ErrUnauthorized) { // a provider's token may belong to no session of the portal
			return err
		}
	}
	x, _, _, err := s.sessions.find(ctx, l.Key, cookie)
	if err != nil && !errors.Is(err, ErrSessionExpired) {
		return err
	}
	if x != nil {
		ending[x.ID] = x
	}
	err = nil
	for _, x := range ending {
		scope.Identify(ctx, x.Account)
		err = errors.Join(err, s.endSession(ctx, l, p, x))
	}
	return err
}

type claimsKey struct{}

// WithClaims returns a context with the claims of the caller's token, for operations of core.
func WithClaims(ctx context.Context, c Claims) context.Context {
	return context.WithValue(ctx, claimsKey{}, c)
}

// ClaimsOf returns the claims of the caller's token to operations of core; false for a public call and an API key.
func ClaimsOf(ctx context.Context) (Claims, bool) {
	c, ok := ctx.Value(claimsKey{}).(Claims)
	return c, ok
}
