package identity

import (
	"context"
	"errors"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwt"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
)

// Claims are the claims of a valid token.
type Claims struct {
	Subject   string // account id; during an impersonation that of the customer
	Label     string
	Relation  string
	Role      string // scope.RoleCustomer or scope.RoleStaff
	Username  string // during an impersonation that of the impersonator, prefixed with impersonator_
	Name      string
	Preferred string // first name that the person uses; empty: not known
	Session   string // id of the session, unchanged by refreshes
	Actor     string // the acting account: the impersonator's, or otherwise Subject
	ActorName string // only during an impersonation
	ReadOnly  bool   // true during an impersonation
	Expires   time.Time
}

// authenticator identifies the caller of a request with a token. This file contains all steps for a token, in order: the cache, the
// signature, the account, the session or impersonation, the claims. API keys are in apikey.go.
type authenticator struct {
	providers      *providers
	signer         *signer
	accounts       *accounts
	sessions       *sessions
	impersonations *impersonations
	cache          *tokenCache
	now            func() time.Time
}

// Authenticate verifies an id token of the label (7.7-token-ends, 7-bearer-invalid): it checks signature, issuer, client and expiry, that
// the account exists in this label and may sign in, and that the session has not ended. It returns ErrUnauthorized for an invalid token;
// any other error means that the token could not be verified. A valid token is cached for a minute, until its session or account is
// revoked.
func (a *authenticator) Authenticate(ctx context.Context, l *label.Label, bearer string) (Claims, error) {
	if len(bearer) == 0 || len(bearer) > maxTokenSize {
		return Claims{}, ErrUnauthorized
	}
	now := a.now()
	c, hash, since, ok := a.cache.get(l, bearer, now)
	if ok {
		return c, nil
	}
	c, err := a.verifyBearer(ctx, l, bearer)
	if errors.Is(err, errNotFound) { // the account was deleted
		err = ErrUnauthorized
	}
	if err != nil {
		return Claims{}, err
	}
	a.cache.put(hash, since, c, now)
	return c, nil
}

// verifyBearer verifies a token that is not in the cache.
func (a *authenticator) verifyBearer(ctx context.Context, l *label.Label, bearer string) (Claims, error) {
	unverified, err := jwt.ParseInsecure([]byte(bearer))
	if err != nil {
		return Claims{}, ErrUnauthorized
	}
	id, err := a.verifyToken(ctx, l, bearer, unverified, a.now())
	if err != nil {
		return Claims{}, err
	}
	r, err := a.accountOf(ctx, l, id)
	if err != nil {
		return Claims{}, err
	}
	if err := a.checkSession(ctx, l, r, &id); err != nil {
		return Claims{}, err
	}
	return a.claims(ctx, l, r, id)
}

// verifyToken verifies a token that the portal or the label's provider issued, as of a given time.
func (a *authenticator) verifyToken(ctx context.Context, l *label.Label, token string, unverified jwt.Token,
	at time.Time) (Identity, error) {
	p, err := a.providers.of(l)
	if err != nil {
		return Identity{}, err
	}
	var id Identity
	own := false
	if iss, _ := unverified.Issuer(); iss == issuer(l) {
		own = true
		id, err = a.signer.verify(ctx, l, token, at)
	} else {
		id, err = p.Verify(ctx, l, token, at)
	}
	if err != nil {
		return Identity{}, err
	}
	// If the users of a label are at another provider, the portal signs tokens only for impersonations.
	if own && id.Actor == "" && p != Provider(a.providers.local) {
		return Identity{}, ErrUnauthorized
	}
	if id.Impersonator != (id.Actor != "") {
		return Identity{}, ErrUnauthorized
	}
	return id, nil
}

// accountOf returns the account of a verified token.
func (a *authenticator) accountOf(ctx context.Context, l *label.Label, id Identity) (*login, error) {
	if id.Account != "" {
		return a.accounts.byID(ctx, a.accounts.db.Read(), l.Key, id.Account)
	}
	return a.accounts.resolve(ctx, l, id.Subject, id.Username)
}

// checkSession returns ErrUnauthorized for an identity whose session or impersonation has ended (7.7-token-ends). For a provider's token it
// sets id.Session. A token without a session of the portal, such as one that the pool issued to an app, is valid unless it was issued
// before all sessions of the account were ended.
func (a *authenticator) checkSession(ctx context.Context, l *label.Label, r *login, id *Identity) error {
	if id.Actor != "" {
		return a.impersonations.check(ctx, l, r, id)
	}
	x, err := a.sessions.byToken(ctx, l.Key, id)
	switch {
	case err != nil:
		return err
	case x == nil:
		if id.Issued.Before(r.SignedOut) {
			return ErrUnauthorized
		}
		return nil
	case x.Account != r.ID:
		return ErrUnauthorized
	}
	id.Session = x.ID
	return nil
}

// claims returns the claims of an account. It returns ErrUnauthorized for an account that may not sign in, and for an impersonation that is
// no longer allowed.
func (a *authenticator) claims(ctx context.Context, l *label.Label, r *login, id Identity) (Claims, error) {
	c := Claims{Subject: r.ID, Label: l.Key, Relation: r.Relation, Role: scope.RoleCustomer, Username: r.Username, Name: r.Name,
		Preferred: r.Preferred, Session: id.Session, Actor: r.ID, Expires: id.Expires}
	if r.Disabled {
		return Claims{}, ErrUnauthorized
	}
	switch r.Role {
	case Customer:
	case Staff:
		c.Role = scope.RoleStaff
	default:
		return Claims{}, ErrUnauthorized
	}
	if c.Session == "" {
		c.Session = r.ID
	}
	if id.Actor == "" {
		return c, nil
	}
	actor, err := a.accounts.byID(ctx, a.accounts.db.Read(), l.Key, id.Actor)
	if err != nil {
		return Claims{}, err
	}
	if !mayImpersonate(actor, r) {
		return Claims{}, ErrUnauthorized
	}
	c.Actor, c.ActorName, c.Username, c.ReadOnly = actor.ID, actor.Name, ImpersonatorName(actor.Username), true
	return c, nil
}

// Resume returns the current claims of a session, for work that core does for a session without its token. It uses Session, Subject, Actor
// and ReadOnly of the earlier claims. It returns ErrSessionExpired when the session has ended, when its account was deleted, or when the
// impersonator may no longer impersonate.
func (a *authenticator) Resume(ctx context.Context, l *label.Label, before Claims) (Claims, error) {
	id := Identity{Session: before.Session}
	var err error
	if before.ReadOnly {
		id.Actor = before.Actor
		id.Expires, err = a.impersonations.runsUntil(ctx, l.Key, before)
	} else {
		id.Expires, err = a.sessions.runsUntil(ctx, l.Key, before)
	}
	if err != nil {
		return Claims{}, err
	}
	r, err := a.accounts.byID(ctx, a.accounts.db.Read(), l.Key, before.Subject)
	if err == nil {
		var c Claims
		if c, err = a.claims(ctx, l, r, id); err == nil {
			c.Session = before.Session
			return c, nil
		}
	}
	if errors.Is(err, errNotFound) || errors.Is(err, ErrUnauthorized) {
		err = ErrSessionExpired
	}
	return Claims{}, err
}

type claimsKey struct{}

// WithClaims returns a context with the claims of the caller's token, for operations of core.
func WithClaims(ctx context.Context, c Claims) context.Context {
	return context.WithValue(ctx, claimsKey{}, c)
}

// ClaimsOf returns the claims of the caller's token to operations of core; false for public requests and API keys.
func ClaimsOf(ctx context.Context) (Claims, bool) {
	c, ok := ctx.Value(claimsKey{}).(Claims)
	return c, ok
}
