package identity

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/storage/token"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	sessionIdleTimeout = 24 * time.Hour      // a session that is not refreshed for this long expires, unless Deps.KeepSessions says otherwise
	maxSessionAge      = 30 * 24 * time.Hour // maximum age of a session
	cookieGracePeriod  = 30 * time.Second    // how long the previous cookie counts as another tab that refreshed at the same time; after that, as a browser that got no response
	familyLength       = 22                  // characters of the first half of the cookie: 16 bytes
	secretLength       = 43                  // characters of the second half: 32 bytes
)

// session is a signed-in browser. Its cookie is "family.secret"; the secret changes at every use, the family never. The previous
// cookie stays valid until the new one is used, because the response with the new one may have been lost. Only holders of the
// cookie know the family, so a known family with any other secret is a replay and ends the session (docs/decisions/0017).
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
	Network  string    `bun:"network"` // of the last use, shortened
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

type sessions struct {
	db          store.DB
	sealer      *sealer
	now         func() time.Time
	revocations *revocations
	idle        time.Duration // Deps.KeepSessions
}

// start makes a session and returns the value of its cookie.
func (s *sessions) start(ctx context.Context, label, account string, g Grant) (*session, string, error) {
	now := s.now()
	family, secret := token.Random(16), token.Random(32)
	x := &session{Label: label, ID: value.NewID(), Account: account, Family: token.Hash(family), Secret: token.Hash(secret), Rotated: now, Created: now,
		Ends: now.Add(cmp.Or(s.idle, sessionIdleTimeout))}
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

// bind stores which session the tokens of a grant belong to.
func (s *sessions) bind(ctx context.Context, tx store.Tx, x *session, g Grant) error {
	if g.Ref == "" {
		return nil
	}
	_, err := tx.NewInsert().Model(&sessionToken{Label: x.Label, Ref: token.Hash(g.Ref), Session: x.ID, Expires: g.Expires}).
		On("CONFLICT (label_key, ref) DO UPDATE").Set("session_id = EXCLUDED.session_id").Set("expires_at = EXCLUDED.expires_at").Exec(ctx)
	return err
}

// byToken returns the session to which a provider's token belongs, by the token's ref; nil for a token that belongs to no session
// of the portal. It returns ErrUnauthorized when that session has ended.
func (s *sessions) byToken(ctx context.Context, label, ref string) (*session, error) {
	if ref == "" {
		return nil, nil
	}
	var t sessionToken
	err := s.db.Read().NewSelect().Model(&t).Where("label_key = ? AND ref = ?", label, token.Hash(ref)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.byID(ctx, label, t.Session)
}

// byID returns a live session. It returns ErrUnauthorized for any other.
func (s *sessions) byID(ctx context.Context, label, id string) (*session, error) {
	x := &session{}
	err := s.db.Read().NewSelect().Model(x).Where("label_key = ? AND id = ? AND ends_at > ?", label, id, s.now()).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrUnauthorized
	}
	return x, err
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

// parseCookie splits the value of a cookie; ok is false for a value that start cannot have made.
func parseCookie(value string) (family, secret string, ok bool) {
	family, secret, _ = strings.Cut(value, ".")
	if len(family) != familyLength || len(secret) != secretLength {
		return "", "", false
	}
	_, err1 := b64.DecodeString(family)
	_, err2 := b64.DecodeString(secret)
	return family, secret, err1 == nil && err2 == nil
}

// find returns the session of a cookie. late reports that another tab has just received the newer cookie. replayed reports that
// the cookie was used again after the newer one; the caller ends that session. The error is ErrSessionExpired for every session
// that is not valid.
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
	case constantTimeEqual(x.Previous, token.Hash(secret)): // if the newer cookie had been used, Previous would contain that one
		return x, now.Sub(x.Rotated) <= cookieGracePeriod, false, nil
	}
	return x, false, true, ErrSessionExpired
}

// rotate gives the session of a cookie a new secret and returns the new value of the cookie; empty when another tab was first. A
// secret that was issued and never used becomes invalid.
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
		res, err := tx.NewUpdate().Model((*session)(nil)).Set("secret = ?", token.Hash(secret)).Set("previous = ?", token.Hash(used)).Set("rotated_at = ?", now).
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

// saveTokens stores new tokens of the provider.
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

// endAll ends the sessions of an account except one, the impersonations by that account, and all their tokens. It returns the
// ended sessions. The caller calls revocations.add with the account after the transaction.
func (s *sessions) endAll(ctx context.Context, tx store.Tx, label, account, except string) (ended []session, err error) {
	now := s.now()
	if err := tx.NewDelete().Model(&ended).Where("label_key = ? AND account_id = ? AND id <> ?", label, account, except).Returning("label_key, id, tokens").Scan(ctx); err != nil {
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
