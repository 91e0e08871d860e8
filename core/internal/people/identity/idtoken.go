package identity

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jwk"
	"github.com/lestrrat-go/jwx/v3/jws"
	"github.com/lestrrat-go/jwx/v3/jwt"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
)

const (
	tokenLifetime  = 10 * time.Minute // lifetime of an id token that the portal signs
	tokenCacheTime = time.Minute      // how long a verified token is not verified again
	maxTokenSize   = 8 << 10          // bytes; longer tokens are refused
	cacheSize      = 8192             // tokens
)

// Claims are the claims of a valid token.
type Claims struct {
	Subject   string // account; during an impersonation the customer's
	Label     string
	Relation  string
	Role      string // scope.RoleCustomer or scope.RoleStaff
	Username  string // during an impersonation the impersonator's, prefixed with impersonator_
	Name      string
	Session   string // id of the session, the same over its refreshes
	Actor     string // the account that acts: the impersonator's, or else Subject
	ActorName string // only during an impersonation
	ReadOnly  bool   // true during an impersonation
	Expires   time.Time
}

// Session is what the browser learns about its session.
type Session struct {
	ID           string        `json:"id" doc:"Id of the session; refreshing keeps it"`
	Account      string        `json:"account" doc:"Id of the account; a person who signs in again keeps it. During an impersonation the customer's"`
	Label        string        `json:"label" doc:"Key of the label"`
	Role         string        `json:"role" enum:"customer,staff" doc:"customer, or staff"`
	Name         string        `json:"name" doc:"Name of the person"`
	Username     string        `json:"username" doc:"Name for signing in"`
	Relation     string        `json:"relation,omitempty" doc:"Id of the customer's relation; absent for staff"`
	Impersonator *Impersonator `json:"impersonator,omitempty" doc:"Only during an impersonation"`
}

// Impersonator is the person who impersonates the customer, and the end of the impersonation.
type Impersonator struct {
	Name  string    `json:"name" doc:"Name of the person"`
	Until time.Time `json:"until" doc:"End of the impersonation"`
}

// Info returns the session that the claims describe.
func (c Claims) Info() Session {
	s := Session{ID: c.Session, Account: c.Subject, Label: c.Label, Role: c.Role, Name: c.Name, Username: c.Username, Relation: c.Relation}
	if c.ReadOnly {
		s.Impersonator = &Impersonator{Name: c.ActorName, Until: c.Expires}
	}
	return s
}

// issuer returns the issuer of tokens that the portal signs for a label. It is unique per label.
func issuer(l *label.Label) string { return "urn:wattle:" + l.Key }

// audience returns the label's client id.
func audience(l *label.Label) string {
	if l.Identity.ClientID != "" {
		return l.Identity.ClientID
	}
	return l.Key
}

type act struct {
	Subject string `json:"sub"`
	Name    string `json:"name"`
}

// signer signs and verifies the portal's own id tokens.
type signer struct {
	keys *keyring
	now  func() time.Time
}

// sign returns an id token that expires at the given time.
func (s *signer) sign(ctx context.Context, l *label.Label, r *login, username, session string, actor *act, expires time.Time) (string, error) {
	key, err := s.keys.signingKey(ctx, l.Key)
	if err != nil {
		return "", err
	}
	b := jwt.NewBuilder().Issuer(issuer(l)).Audience([]string{audience(l)}).Subject(r.ID).IssuedAt(s.now()).Expiration(expires).
		Claim("token_use", "id").Claim("username", username).Claim("name", r.Name).Claim("sid", session).
		Claim("is_impersonator", actor != nil)
	if actor != nil {
		b = b.Claim("act", actor)
	}
	t, err := b.Build()
	if err != nil {
		return "", fmt.Errorf("identity: token: %w", err)
	}
	signed, err := jwt.Sign(t, jwt.WithKey(jwa.ES256(), key))
	return string(signed), err
}

// verify verifies an id token that the portal signed, as of a moment.
func (s *signer) verify(ctx context.Context, l *label.Label, token string, at time.Time) (Identity, error) {
	k, err := s.keys.load(ctx, l.Key, false)
	if err != nil {
		return Identity{}, err
	}
	if kid := keyID(token); kid != "" {
		if _, known := k.public.LookupKeyID(kid); !known { // another replica may have made the key
			if k, err = s.keys.load(ctx, l.Key, true); err != nil {
				return Identity{}, err
			}
		}
	}
	t, err := Parse(token, k.public, issuer(l), audience(l), at)
	if err != nil {
		return Identity{}, err
	}
	var id Identity
	id.Account, _ = t.Subject()
	id.Expires, _ = t.Expiration()
	id.Issued, _ = t.IssuedAt()
	if err := errors.Join(t.Get("username", &id.Username), t.Get("is_impersonator", &id.Impersonator), t.Get("sid", &id.Session)); err != nil {
		return Identity{}, fmt.Errorf("%w: %w", ErrUnauthorized, err)
	}
	if t.Has("act") {
		var a act
		if err := decodeClaim(t, "act", &a); err != nil {
			return Identity{}, fmt.Errorf("%w: %w", ErrUnauthorized, err)
		}
		id.Actor, id.ActorName = a.Subject, a.Name
	}
	return id, nil
}

// Parse verifies the signature, issuer, client and expiry of an id token, as of a moment. It returns ErrUnauthorized when one of
// them is missing or wrong.
func Parse(token string, keys jwk.Set, issuer, audience string, at time.Time) (jwt.Token, error) {
	t, err := jwt.Parse([]byte(token), jwt.WithKeySet(keys), jwt.WithIssuer(issuer), jwt.WithAudience(audience),
		jwt.WithRequiredClaim(jwt.ExpirationKey), jwt.WithRequiredClaim(jwt.SubjectKey), jwt.WithClaimValue("token_use", "id"),
		jwt.WithClock(jwt.ClockFunc(func() time.Time { return at })))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnauthorized, err)
	}
	return t, nil
}

func decodeClaim(t jwt.Token, name string, into any) error {
	var v any
	if err := t.Get(name, &v); err != nil {
		return err
	}
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// keyID returns the key id in an unverified token.
func keyID(token string) string {
	m, err := jws.ParseString(token)
	if err != nil || len(m.Signatures()) == 0 {
		return ""
	}
	kid, _ := m.Signatures()[0].ProtectedHeaders().KeyID()
	return kid
}

// tokenCache caches the claims of verified tokens by a hash of label, label revision and token.
type tokenCache struct {
	*lru.Cache[[sha256.Size]byte, cachedClaims]
}

type cachedClaims struct {
	claims Claims
	until  time.Time
	since  uint64 // generation of the revocations before the token was verified
}

func newTokenCache() tokenCache {
	c, err := lru.New[[sha256.Size]byte, cachedClaims](cacheSize)
	if err != nil {
		panic(err) // only for a size below one
	}
	return tokenCache{c}
}

// Authenticate verifies an id token of the label (7.7-token-ends, 7-bearer-invalid): signature, issuer, client, expiry, that its
// account exists in this label and may sign in, and that its session has not ended. It returns ErrUnauthorized for an invalid
// token; any other error means that the token could not be verified. A valid token is cached for a minute, until its session or
// account is revoked.
func (s *Service) Authenticate(ctx context.Context, l *label.Label, bearer string) (Claims, error) {
	if len(bearer) == 0 || len(bearer) > maxTokenSize {
		return Claims{}, ErrUnauthorized
	}
	now := s.now()
	key := sha256.Sum256([]byte(l.Key + "\x00" + l.Revision + "\x00" + bearer))
	if hit, ok := s.cache.Get(key); ok && now.Before(hit.until) && s.revocations.isUnrevoked(&hit.claims, hit.since) && s.revocations.isFresh() {
		return hit.claims, nil
	}
	since := s.revocations.currentNumber()
	c, err := s.verifyBearer(ctx, l, bearer)
	if errors.Is(err, errNotFound) { // the account was deleted
		err = ErrUnauthorized
	}
	if err != nil {
		return Claims{}, err
	}
	until := now.Add(tokenCacheTime)
	if c.Expires.Before(until) {
		until = c.Expires
	}
	s.cache.Add(key, cachedClaims{c, until, since})
	return c, nil
}

func (s *Service) verifyBearer(ctx context.Context, l *label.Label, bearer string) (Claims, error) {
	unverified, err := jwt.ParseInsecure([]byte(bearer))
	if err != nil {
		return Claims{}, ErrUnauthorized
	}
	id, err := s.verifyToken(ctx, l, bearer, unverified, s.now())
	if err != nil {
		return Claims{}, err
	}
	r, err := s.accountOf(ctx, l, id)
	if err != nil {
		return Claims{}, err
	}
	if err := s.checkSession(ctx, l, r, &id); err != nil {
		return Claims{}, err
	}
	return s.claims(ctx, l, r, id)
}

// verifyToken verifies a token of the portal or of the label's provider, as of a moment.
func (s *Service) verifyToken(ctx context.Context, l *label.Label, token string, unverified jwt.Token, at time.Time) (Identity, error) {
	p, err := s.provider(l)
	if err != nil {
		return Identity{}, err
	}
	var id Identity
	own := false
	if iss, _ := unverified.Issuer(); iss == issuer(l) {
		own = true
		id, err = s.signer.verify(ctx, l, token, at)
	} else {
		id, err = p.Verify(ctx, l, token, at)
	}
	if err != nil {
		return Identity{}, err
	}
	if own && id.Actor == "" && p != Provider(s.local) { // for a label whose users are at a provider the portal signs impersonations only
		return Identity{}, ErrUnauthorized
	}
	if id.Impersonator != (id.Actor != "") {
		return Identity{}, ErrUnauthorized
	}
	return id, nil
}

// accountOf returns the account of a verified token.
func (s *Service) accountOf(ctx context.Context, l *label.Label, id Identity) (*login, error) {
	if id.Account != "" {
		return s.accounts.byID(ctx, s.d.DB.Read(), l.Key, id.Account)
	}
	return s.resolve(ctx, l, id.Subject, id.Username)
}

// checkSession returns ErrUnauthorized for an identity whose session or impersonation has ended (7.7-token-ends). It sets the
// session of a provider's token. A token without a session of the portal, such as one that the pool issued to an app, is valid
// unless it was issued before all sessions of the account were ended.
func (s *Service) checkSession(ctx context.Context, l *label.Label, r *login, id *Identity) error {
	if id.Actor != "" {
		return s.checkImpersonation(ctx, l, r, id)
	}
	var x *session
	var err error
	if id.Session != "" {
		x, err = s.sessions.byID(ctx, l.Key, id.Session)
	} else {
		x, err = s.sessions.byToken(ctx, l.Key, id.Ref)
	}
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

func (s *Service) claims(ctx context.Context, l *label.Label, r *login, id Identity) (Claims, error) {
	c := Claims{Subject: r.ID, Label: l.Key, Relation: r.Relation, Role: scope.RoleCustomer, Username: r.Username, Name: r.Name,
		Session: id.Session, Actor: r.ID, Expires: id.Expires}
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
	actor, err := s.accounts.byID(ctx, s.d.DB.Read(), l.Key, id.Actor)
	if err != nil {
		return Claims{}, err
	}
	if !mayImpersonate(actor) || !mayBeImpersonated(r) {
		return Claims{}, ErrUnauthorized
	}
	c.Actor, c.ActorName, c.Username, c.ReadOnly = actor.ID, actor.Name, ImpersonatorName(actor.Username), true
	return c, nil
}

// JWKS returns the public keys that verify the label's id tokens.
func (s *Service) JWKS(ctx context.Context, l *label.Label) ([]byte, error) {
	p, err := s.provider(l)
	if err != nil {
		return nil, err
	}
	return p.Keys(ctx, l)
}
