package identity

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/lestrrat-go/jwx/v3/jwt"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/fault"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// browserSessions implements the operations that continue and end a browser session, and the response that starts one: a cookie, and an id
// token in the body.
type browserSessions struct {
	demo           bool
	providers      *providers
	accounts       *accounts
	sessions       *sessions
	impersonations *impersonations
	authenticator  *authenticator
	signer         *signer
	now            func() time.Time
	log            *slog.Logger
}

func (s *browserSessions) routes(api huma.API) {
	module.Route(api, operation(http.MethodPost, "/auth/refresh", "refresh", "Renew the id token of the session cookie",
		"For everybody. Returns a new id token and replaces the session cookie; 204 without a cookie. 401 session_expired, "+
			"409 session_mismatch when the bearer token, which may have expired, is of another account than the cookie; "+
			"that session is left as it is."), module.Public, module.Write, s.refresh)
	end := operation(http.MethodPost, "/auth/sign-out", "signOut", "End the session or the impersonation, and its tokens",
		"For everybody; without a session it changes nothing. An impersonator ends only the impersonation. "+
			"Deletes the session cookie otherwise, also when the session could not be ended.")
	end.Extensions = map[string]any{module.ExtImpersonation: module.ImpersonationAlways}
	module.Route(api, end, module.Public, module.Write, s.signOut)
}

// The session cookie of a browser contains only a random secret. Over HTTPS the prefix __Secure- makes the browser refuse the cookie from
// an insecure page (7.7-cookie-name). The prefix __Host- is not used because it requires Path=/. CookieName is the name in a demo over
// plain HTTP.
const (
	CookieName       = "wattle_session"
	SecureCookieName = "__Secure-" + CookieName
)

const cookiePath = "/api/v0/auth"

// SessionCookies are the session cookies that a browser may send.
type SessionCookies struct {
	Secure string `cookie:"__Secure-wattle_session" doc:"Session, which signing in sets"`
	Plain  string `cookie:"wattle_session" doc:"Session in a demo over plain http"`
}

// isSecure reports whether a request uses the secure cookie; a demo may be used over plain HTTP.
func (s *browserSessions) isSecure(ctx context.Context) bool {
	return !s.demo || scope.ClientOf(ctx).Secure
}

// cookieOf returns the session cookie that applies to a request, or an empty string if there is none.
func (s *browserSessions) cookieOf(ctx context.Context, c SessionCookies) string {
	if s.isSecure(ctx) {
		return c.Secure
	}
	return c.Plain
}

// setCookie returns the cookie to set for a value; an empty value deletes it. The cookie is host-only and is sent to auth operations only.
func (s *browserSessions) setCookie(ctx context.Context, value string) []http.Cookie {
	c := http.Cookie{Name: CookieName, Value: value, Path: cookiePath, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: s.isSecure(ctx)}
	if c.Secure {
		c.Name = SecureCookieName
	}
	if value == "" {
		c.MaxAge = -1
	}
	return []http.Cookie{c}
}

// Session is the information about its session that a browser receives.
type Session struct {
	ID           string        `json:"id" doc:"Id of the session; refreshing keeps it"`
	Account      string        `json:"account" doc:"Id of the account; a person who signs in again keeps it. During an impersonation the customer's"`
	Label        string        `json:"label" doc:"Key of the label"`
	Role         string        `json:"role" enum:"customer,staff" doc:"customer, or staff"`
	Name         string        `json:"name" doc:"Name of the person"`
	Preferred    string        `json:"preferred_name,omitempty" doc:"First name that the person uses; absent when it is not known"`
	Username     string        `json:"username" doc:"Name for signing in"`
	Relation     string        `json:"relation,omitempty" doc:"Id of the customer's relation; absent for staff"`
	Impersonator *Impersonator `json:"impersonator,omitempty" doc:"Only during an impersonation"`
}

// Impersonator is the person who impersonates the customer, and when the impersonation ends.
type Impersonator struct {
	Name  string    `json:"name" doc:"Name of the person"`
	Until time.Time `json:"until" doc:"End of the impersonation"`
}

// Info returns the session that the claims describe.
func (c Claims) Info() Session {
	s := Session{ID: c.Session, Account: c.Subject, Label: c.Label, Role: c.Role, Name: c.Name, Preferred: c.Preferred,
		Username: c.Username, Relation: c.Relation}
	if c.ReadOnly {
		s.Impersonator = &Impersonator{Name: c.ActorName, Until: c.Expires}
	}
	return s
}

// SessionOrToken is the session, or, for a challenge, a string that must be sent back with the new password or code.
type SessionOrToken struct {
	Session *Session
	Token   string
}

// MarshalJSON writes the session if there is one, or otherwise the token.
func (s SessionOrToken) MarshalJSON() ([]byte, error) {
	if s.Session != nil {
		return json.Marshal(s.Session)
	}
	return json.Marshal(s.Token)
}

// Schema describes both forms.
func (SessionOrToken) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{Description: "The session, or with a challenge a string to send with the new password or the code",
		OneOf: []*huma.Schema{r.Schema(reflect.TypeFor[Session](), true, "Session"), {Type: huma.TypeString}}}
}

type signedIn struct {
	Status       int
	SetCookie    []http.Cookie `header:"Set-Cookie"`
	CacheControl string        `header:"Cache-Control"`
	Body         struct {
		IDToken     string         `json:"id_token,omitempty" doc:"Bearer token for all other operations"`
		ExpiresIn   int            `json:"expires_in,omitempty" doc:"Seconds until the token expires"`
		Challenge   string         `json:"challenge,omitempty" enum:"NEW_PASSWORD_REQUIRED,SMS_MFA,SOFTWARE_TOKEN_MFA" doc:"What is required before there is a session: a new password, or a code from a text message or an authenticator app"`
		Destination string         `json:"destination,omitempty" doc:"Where the code was sent, masked"`
		Session     SessionOrToken `json:"session"`
	}
}

type cookieOutput struct {
	SetCookie []http.Cookie `header:"Set-Cookie"`
}

// start starts a session and sets its cookie.
func (s *browserSessions) start(ctx context.Context, l *label.Label, r *login, g Grant) (*signedIn, error) {
	x, value, err := s.sessions.start(ctx, l.Key, r.ID, g)
	if err != nil {
		return nil, err
	}
	return s.respond(ctx, l, r, x, g, value)
}

// respond returns the id token of a session. If value is empty, the browser keeps its cookie.
func (s *browserSessions) respond(ctx context.Context, l *label.Label, r *login, x *session, g Grant, value string) (*signedIn, error) {
	out := &signedIn{Status: http.StatusOK, CacheControl: "no-store"}
	now := s.now()
	if g.IDToken == "" {
		g.Expires = now.Add(tokenLifetime)
		var err error
		if g.IDToken, err = s.signer.sign(ctx, l, r, r.Username, x.ID, nil, g.Expires); err != nil {
			return nil, err
		}
	}
	c, err := s.authenticator.claims(ctx, l, r, Identity{Session: x.ID, Expires: g.Expires})
	if err != nil {
		return nil, err
	}
	info := c.Info()
	out.Body.IDToken, out.Body.ExpiresIn, out.Body.Session.Session = g.IDToken, int(g.Expires.Sub(now).Seconds()), &info
	if value != "" {
		out.SetCookie = s.setCookie(ctx, value)
	}
	return out, nil
}

// bearerInput is a request with a browser's cookie and the token of one tab. All tabs share the cookie, so it may belong to a person who
// has signed in in another tab since.
type bearerInput struct {
	SessionCookies
	Authorization string `header:"Authorization" hidden:"true"`
}

// holder returns the owner of a tab's token, even when the token has expired: signature, issuer and client are verified as of the time of
// issue. It returns ErrUnauthorized for a token that cannot be verified, for example because its key was deleted.
func (s *browserSessions) holder(ctx context.Context, l *label.Label, in *bearerInput) (Identity, error) {
	bearer, ok := strings.CutPrefix(in.Authorization, "Bearer ")
	if !ok || len(bearer) > maxTokenSize {
		return Identity{}, ErrUnauthorized
	}
	unverified, err := jwt.ParseInsecure([]byte(bearer))
	if err != nil {
		return Identity{}, ErrUnauthorized
	}
	issued, _ := unverified.IssuedAt()
	return s.authenticator.verifyToken(ctx, l, bearer, unverified, issued)
}

// checkHolder returns errSessionMismatch when the tab's token and the session of the browser's cookie belong to different accounts
// (7.7-refresh-same-person). A token that cannot be verified is ignored, as when a page starts without one: nobody has to sign in again
// because a key was replaced, and the browser compares the new session with its own.
func (s *browserSessions) checkHolder(ctx context.Context, l *label.Label, in *bearerInput, account string) error {
	id, err := s.holder(ctx, l, in)
	if errors.Is(err, ErrUnauthorized) {
		return nil
	}
	if err != nil {
		return err
	}
	r, err := s.authenticator.accountOf(ctx, l, id)
	if errors.Is(err, errNotFound) || err == nil && (r.ID != account || id.Actor != "") { // an impersonation cannot be renewed
		return errSessionMismatch
	}
	return err
}

// find finds the session of a browser by its cookie, and also returns the cookie. It ends a session whose cookie was replayed.
func (s *browserSessions) find(ctx context.Context, l *label.Label, p Provider, c SessionCookies) (x *session, used string, late bool,
	err error) {
	used = s.cookieOf(ctx, c)
	x, late, replayed, err := s.sessions.find(ctx, l.Key, used)
	if replayed {
		s.log.WarnContext(ctx, "a session cookie was used again after it was replaced; the session is ended",
			"label", l.Key, "session", x.ID, "account", x.Account)
		warn(ctx, s.log, s.sessions.signOut(ctx, l, p, x), "a session could not be ended")
		return nil, "", false, ErrSessionExpired
	}
	return x, used, late, err
}

// refresh returns a new id token and rotates the cookie. It does not count as an attempt, so a lockout never ends a live session. Browsers
// call it whenever they load the portal, so it returns 204 without a cookie: browsers would show an error in the console.
func (s *browserSessions) refresh(ctx context.Context, in *bearerInput) (*signedIn, error) {
	l, p, err := s.providers.ofCall(ctx)
	if err != nil {
		return nil, err
	}
	if s.cookieOf(ctx, in.SessionCookies) == "" {
		return &signedIn{Status: http.StatusNoContent, CacheControl: "no-store"}, nil
	}
	x, used, late, err := s.find(ctx, l, p, in.SessionCookies)
	if err != nil {
		return nil, err
	}
	scope.Identify(ctx, x.Account)
	if err := s.checkHolder(ctx, l, in, x.Account); err != nil {
		return nil, err
	}
	r, err := s.accounts.byID(ctx, s.accounts.db.Read(), l.Key, x.Account)
	if errors.Is(err, errNotFound) || err == nil && (r.Role == ImpersonatorRole || r.Disabled) {
		return nil, errors.Join(ErrSessionExpired, s.sessions.end(ctx, x))
	}
	if err != nil {
		return nil, err
	}
	tokens, err := s.sessions.tokens(x)
	if err != nil {
		return nil, err
	}
	g, err := p.Refresh(ctx, l, r.Username, tokens)
	if errors.Is(err, ErrSessionExpired) {
		return nil, errors.Join(err, s.sessions.end(ctx, x))
	}
	if err != nil {
		return nil, err
	}
	if g.Tokens != nil {
		if err := s.sessions.saveTokens(ctx, x, g); err != nil && !isUnwritable(err) {
			return nil, err
		}
	}
	if g.Subject != (Subject{}) { // the session was started before accounts had a subject
		if err := s.accounts.bind(ctx, l.Key, r.ID, g.Subject); err != nil {
			return nil, err
		}
	}
	value := ""
	if !late {
		if value, err = s.sessions.rotate(ctx, x, used); isUnwritable(err) {
			// The session is valid but cannot be renewed: the browser can still read data with the old cookie (9-database-unavailable).
			warn(ctx, s.log, err, "a session continues with its old cookie, because the database cannot be written")
			value, err = "", nil
		}
		if err != nil {
			return nil, err
		}
	}
	return s.respond(ctx, l, r, x, g, value)
}

// isUnwritable reports whether the database can be read but not written.
func isUnwritable(err error) bool {
	k := fault.Of(err)
	return k == fault.ReadOnly || k == fault.Full
}

// signOut ends the session of the cookie, also at the provider, and its tokens (7.7-sign-out-effect, 7.7-token-ends), and the session of
// the caller's token. It succeeds without either. With the token of an impersonation, even one that has ended, it ends only the
// impersonation: the impersonator's session, whose cookie the browser also sends, continues. The browser loses the cookie even when the
// session could not be ended, so that the next person at that browser cannot continue it.
func (s *browserSessions) signOut(ctx context.Context, in *bearerInput) (*cookieOutput, error) {
	l, p, err := s.providers.ofCall(ctx)
	if err == nil {
		if id, err := s.holder(ctx, l, in); err == nil && id.Actor != "" {
			return &cookieOutput{}, s.impersonations.end(ctx, l.Key, id.Session)
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
func (s *browserSessions) endSessions(ctx context.Context, l *label.Label, p Provider, cookie string) error {
	ending := map[string]*session{}
	if claims, known := ClaimsOf(ctx); known {
		x, err := s.sessions.byID(ctx, l.Key, claims.Session)
		if err == nil {
			ending[x.ID] = x
		} else if !errors.Is(err, ErrUnauthorized) { // a provider's token need not belong to a portal session
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
		err = errors.Join(err, s.sessions.signOut(ctx, l, p, x))
	}
	return err
}
