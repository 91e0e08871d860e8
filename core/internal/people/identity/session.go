package identity

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"golang.org/x/sync/errgroup"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/storage/token"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	// sessionIdleTimeout is the time without a refresh after which a session expires, unless Deps.KeepSessions is set.
	sessionIdleTimeout = 24 * time.Hour
	maxSessionAge      = 30 * 24 * time.Hour // maximum age of a session
	// cookieGracePeriod is how long a request with the previous cookie is treated as another tab that refreshed at the same time. Later it
	// is treated as a browser that did not receive the response.
	cookieGracePeriod = 30 * time.Second
	familyLength      = 22 // characters of the first half of the cookie: 16 bytes
	secretLength      = 43 // characters of the second half: 32 bytes
)

// session is a signed-in browser. Its cookie is "family.secret"; the secret changes with every use, the family never changes. The previous
// cookie stays valid until the new one is used, because the response with the new one may have been lost. Only holders of the cookie know
// the family, so a known family with any other secret is a replay and ends the session (docs/decisions/0017).
type session struct {
	bun.BaseModel `bun:"table:identity_sessions,alias:s"`

	Label    string    `bun:"label_key,pk"`
	ID       string    `bun:"id,pk"`
	Account  string    `bun:"account_id"`
	Family   string    `bun:"family"`
	Secret   string    `bun:"secret"`
	Previous string    `bun:"previous"`
	Rotated  time.Time `bun:"rotated_at"`
	Tokens   string    `bun:"tokens"`
	Created  time.Time `bun:"created_at"`
	Ends     time.Time `bun:"ends_at"`
	Browser  string    `bun:"browser"` // empty: unknown
	Platform string    `bun:"platform"`
	Network  string    `bun:"network"` // network of the last use, shortened
}

// sessionToken records which session the tokens of a provider belong to, because they cannot contain the session's id
// (7.7-token-ends).
type sessionToken struct {
	bun.BaseModel `bun:"table:identity_session_tokens,alias:t"`

	Label   string    `bun:"label_key,pk"`
	Ref     string    `bun:"ref,pk"`
	Session string    `bun:"session_id"`
	Expires time.Time `bun:"expires_at"`
}

// sessions stores and ends the sessions of browsers.
type sessions struct {
	db          store.DB
	sealer      *sealer
	providers   *providers
	revocations *revocations
	now         func() time.Time
	idle        time.Duration // Deps.KeepSessions
	log         *slog.Logger
}

// start creates a session and returns the value of its cookie.
func (s *sessions) start(ctx context.Context, label, account string, g Grant) (*session, string, error) {
	now := s.now()
	family, secret := token.Random(16), token.Random(32)
	x := &session{Label: label, ID: value.NewID(), Account: account, Family: token.Hash(family), Secret: token.Hash(secret),
		Rotated: now, Created: now, Ends: now.Add(cmp.Or(s.idle, sessionIdleTimeout))}
	client := scope.ClientOf(ctx)
	x.Browser, x.Platform = parseUserAgent(client.UserAgent)
	x.Network = shortenIP(client.IP)
	x.Tokens = s.seal(x, g.Tokens)
	err := s.db.Tx(system(ctx, label), func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.NewInsert().Model(x).Exec(ctx); err != nil {
			return err
		}
		return s.bind(ctx, tx, x, g)
	})
	return x, family + "." + secret, err
}

// bind stores the session that the tokens of a grant belong to.
func (s *sessions) bind(ctx context.Context, tx store.Tx, x *session, g Grant) error {
	if g.Ref == "" {
		return nil
	}
	_, err := tx.NewInsert().Model(&sessionToken{Label: x.Label, Ref: token.Hash(g.Ref), Session: x.ID, Expires: g.Expires}).
		On("CONFLICT (label_key, ref) DO UPDATE").Set("session_id = EXCLUDED.session_id").Set("expires_at = EXCLUDED.expires_at").Exec(ctx)
	return err
}

// byToken returns the session of a token by the id in the token or by the ref of a provider's token. It returns nil for a token that does
// not belong to a portal session, and ErrUnauthorized when the session has ended.
func (s *sessions) byToken(ctx context.Context, label string, id *Identity) (*session, error) {
	if id.Session != "" {
		return s.byID(ctx, label, id.Session)
	}
	if id.Ref == "" {
		return nil, nil
	}
	var t sessionToken
	err := s.db.Read().NewSelect().Model(&t).Where("label_key = ? AND ref = ?", label, token.Hash(id.Ref)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.byID(ctx, label, t.Session)
}

// byID returns a live session, or ErrUnauthorized if there is none with this id.
func (s *sessions) byID(ctx context.Context, label, id string) (*session, error) {
	x := &session{}
	err := s.db.Read().NewSelect().Model(x).Where("label_key = ? AND id = ? AND ends_at > ?", label, id, s.now()).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrUnauthorized
	}
	return x, err
}

// runsUntil returns when the session in earlier claims ends. It returns ErrSessionExpired when that session has ended.
func (s *sessions) runsUntil(ctx context.Context, label string, before Claims) (time.Time, error) {
	var x session
	q := s.db.Read().NewSelect().Model(&x).Where("label_key = ? AND account_id = ? AND ends_at > ?", label, before.Subject, s.now())
	if before.Session != before.Subject { // a provider's own token does not contain the portal's session
		q = q.Where("id = ?", before.Session)
	}
	err := q.OrderExpr("ends_at DESC").Limit(1).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, ErrSessionExpired
	}
	return x.Ends, err
}

func (s *sessions) seal(x *session, tokens []byte) string {
	if len(tokens) == 0 {
		return ""
	}
	return s.sealer.seal("tokens", tokens, x.Label, x.ID)
}

// tokens returns the provider's tokens of a session.
func (s *sessions) tokens(x *session) ([]byte, error) {
	if x.Tokens == "" {
		return nil, nil
	}
	return s.sealer.open("tokens", x.Tokens, x.Label, x.ID)
}

// parseCookie splits the value of a cookie; ok is false for a value that start cannot have created.
func parseCookie(value string) (family, secret string, ok bool) {
	family, secret, _ = strings.Cut(value, ".")
	if len(family) != familyLength || len(secret) != secretLength {
		return "", "", false
	}
	_, err1 := b64.DecodeString(family)
	_, err2 := b64.DecodeString(secret)
	return family, secret, err1 == nil && err2 == nil
}

// find returns the session of a cookie. late means that another tab has just received the newer cookie. replayed means that the cookie was
// used after the newer one; the caller must then end the session. The error is ErrSessionExpired for any session that is not valid.
func (s *sessions) find(ctx context.Context, label, cookie string) (x *session, late, replayed bool, err error) {
	family, secret, ok := parseCookie(cookie)
	if !ok {
		return nil, false, false, ErrSessionExpired
	}
	x = &session{}
	err = s.db.Read().NewSelect().Model(x).Where("label_key = ? AND family = ?", label, token.Hash(family)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, false, ErrSessionExpired
	}
	if err != nil {
		return nil, false, false, err
	}
	now := s.now()
	switch {
	case !now.Before(x.Ends):
		return nil, false, false, ErrSessionExpired
	case constantTimeEqual(x.Secret, token.Hash(secret)):
		return x, false, false, nil
	case constantTimeEqual(x.Previous, token.Hash(secret)): // if the newer cookie had been used, Previous would contain its secret
		return x, now.Sub(x.Rotated) <= cookieGracePeriod, false, nil
	}
	return x, false, true, ErrSessionExpired
}

// rotate gives the session of a cookie a new secret and returns the new value of the cookie, or an empty string if another tab was first. A
// secret that was issued but never used becomes invalid.
func (s *sessions) rotate(ctx context.Context, x *session, old string) (string, error) {
	now := s.now()
	family, used, _ := parseCookie(old)
	secret := token.Random(32)
	ends := now.Add(cmp.Or(s.idle, sessionIdleTimeout))
	if last := x.Created.Add(maxSessionAge); last.Before(ends) {
		ends = last
	}
	client := scope.ClientOf(ctx)
	browser, platform := parseUserAgent(client.UserAgent)
	won := false
	err := s.db.Tx(system(ctx, x.Label), func(ctx context.Context, tx store.Tx) error {
		res, err := tx.NewUpdate().Model((*session)(nil)).Set("secret = ?", token.Hash(secret)).Set("previous = ?", token.Hash(used)).
			Set("rotated_at = ?", now).
			Set("ends_at = ?", ends).Set("browser = ?", browser).Set("platform = ?", platform).Set("network = ?", shortenIP(client.IP)).
			Where("label_key = ? AND id = ? AND secret = ?", x.Label, x.ID, x.Secret).Exec(ctx)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		won = n > 0
		return err
	})
	if err != nil || !won {
		return "", err
	}
	return family + "." + secret, nil
}

// saveTokens stores new provider tokens.
func (s *sessions) saveTokens(ctx context.Context, x *session, g Grant) error {
	return s.db.Tx(system(ctx, x.Label), func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.NewUpdate().Model((*session)(nil)).Set("tokens = ?", s.seal(x, g.Tokens)).
			Where("label_key = ? AND id = ?", x.Label, x.ID).Exec(ctx); err != nil {
			return err
		}
		return s.bind(ctx, tx, x, g)
	})
}

// end ends a session and its tokens (7.7-token-ends).
func (s *sessions) end(ctx context.Context, x *session) error {
	err := s.db.Tx(system(ctx, x.Label), func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.NewDelete().Model(x).WherePK().Exec(ctx); err != nil {
			return err
		}
		return recordRevocation(ctx, tx, x.Label, x.ID, s.now())
	})
	s.revocations.add(x.ID)
	return err
}

// signOut ends a session here and at the provider. An error of the provider is only logged.
func (s *sessions) signOut(ctx context.Context, l *label.Label, p Provider, x *session) error {
	tokens, err := s.tokens(x)
	if err == nil && tokens != nil {
		err = p.SignOut(ctx, l, tokens)
	}
	warn(ctx, s.log, err, "a session could not be ended at the identity provider")
	return s.end(ctx, x)
}

// endAll ends the sessions of an account except one, here and at the provider, the impersonations by that account, and all their
// tokens (7.7-token-ends).
func (s *sessions) endAll(ctx context.Context, l *label.Label, account, except string) error {
	var ended []session
	err := s.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) (err error) {
		ended, err = s.endAllOf(ctx, tx, l.Key, account, except)
		return err
	})
	if err == nil {
		s.afterEnd(ctx, l, ended, account)
	}
	return err
}

// endAllOf is endAll within a transaction, without the provider. It returns the ended sessions. The caller must call afterEnd after the
// transaction.
func (s *sessions) endAllOf(ctx context.Context, tx store.Tx, label, account, except string) (ended []session, err error) {
	now := s.now()
	err = tx.NewDelete().Model(&ended).Where("label_key = ? AND account_id = ? AND id <> ?", label, account, except).
		Returning("label_key, id, tokens").Scan(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := endImpersonations(ctx, tx, label, now, "actor_id = ?", account); err != nil {
		return nil, err
	}
	if _, err := tx.NewInsert().Model(&accountState{Label: label, Account: account, SignedOut: now}).
		On("CONFLICT (label_key, account_id) DO UPDATE").Set("signed_out_at = EXCLUDED.signed_out_at").Exec(ctx); err != nil {
		return nil, err
	}
	return ended, recordRevocation(ctx, tx, label, account, now)
}

// afterEnd must be called after a transaction that called endAllOf. It revokes the accounts' cached tokens in this process, and ends the
// sessions at the provider.
func (s *sessions) afterEnd(ctx context.Context, l *label.Label, ended []session, accounts ...string) {
	s.revocations.add(accounts...)
	s.signOutAtProvider(ctx, l, ended)
}

// signOutAtProvider ends sessions at the provider. Errors are only logged, because the sessions have already ended in the portal.
func (s *sessions) signOutAtProvider(ctx context.Context, l *label.Label, ended []session) {
	p, err := s.providers.of(l)
	if err != nil {
		warn(ctx, s.log, err, "sessions could not be ended at the identity provider")
		return
	}
	var work errgroup.Group
	work.SetLimit(8)
	for _, x := range ended {
		tokens, err := s.tokens(&x)
		if err != nil {
			warn(ctx, s.log, err, "a session could not be ended at the identity provider")
			continue
		}
		if tokens == nil {
			continue
		}
		work.Go(func() error {
			warn(ctx, s.log, p.SignOut(ctx, l, tokens), "a session could not be ended at the identity provider")
			return nil
		})
	}
	_ = work.Wait() // none of the functions returns an error
}
