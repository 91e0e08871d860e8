package identity

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/fault"
	"github.com/wattle-portal/wattle/core/internal/storage/limit"
)

// Limits of failed attempts (8-id-attempt-limit). Many people share a network, but few share a username.
var (
	perUsername = limit.Rule{Max: 5, Window: 15 * time.Minute}
	perAddress  = limit.Rule{Max: 60, Window: 15 * time.Minute}
)

// challengeLifetime is how long a new password can be chosen after the temporary one was accepted.
const challengeLifetime = 15 * time.Minute

// Challenges: choose a password of one's own, or enter a code (4-sign-in-code).
const (
	ChallengeNewPassword   = "NEW_PASSWORD_REQUIRED"
	ChallengeSMS           = "SMS_MFA"            // a code that was sent to a phone
	ChallengeAuthenticator = "SOFTWARE_TOKEN_MFA" // a code of an authenticator app
)

// SessionOrToken is the session, or with a challenge the string to be returned with the new password or the code.
type SessionOrToken struct {
	Session *Session
	Token   string
}

// MarshalJSON writes the session if there is one, or else the token.
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

type signInInput struct {
	Body struct {
		Username string `json:"username" doc:"Name for signing in"`
		Password string `json:"password" doc:"Password, also a temporary one"`
	}
}

// signIn returns a token with a session, or a challenge. The public form refuses impersonators (2.4-impersonator-refused,
// 5.10-impersonator-prefix-reconcile).
func (s *Service) signIn(ctx context.Context, in *signInInput) (*signedIn, error) {
	l, p, err := s.labelAndProvider(ctx)
	if err != nil {
		return nil, err
	}
	name := NormalizeUsername(in.Body.Username)
	if err := checkFields(field{"username", name, CodeEmptyUsername}, field{"password", in.Body.Password, CodeEmptyPassword}); err != nil {
		return nil, err
	}
	s.identify(ctx, l, name)
	var out *signedIn
	err = s.attempt(ctx, l, "sign-in:"+name, func() error {
		if strings.HasPrefix(name, impersonatorPrefix) {
			_, _, err := s.local.hasher.verify(ctx, in.Body.Password, "") // takes as long as for any other username
			return errors.Join(err, errImpersonator)
		}
		g, err := p.SignIn(ctx, l, name, in.Body.Password)
		if err != nil {
			return err
		}
		out, err = s.respondToGrant(ctx, l, p, name, g)
		return err
	})
	return out, err
}

// respondToGrant returns the response to a grant: the next challenge, or a session.
func (s *Service) respondToGrant(ctx context.Context, l *label.Label, p Provider, name string, g Grant) (*signedIn, error) {
	r, err := s.accountOfGrant(ctx, l, p, name, g)
	if err != nil {
		return nil, err
	}
	if g.Challenge != "" {
		return s.challenge(l, name, g)
	}
	return s.startSession(ctx, l, r, g)
}

// accountOfGrant finds the account of a user who signed in at the provider. It must exist in this label and must not be an
// impersonator.
func (s *Service) accountOfGrant(ctx context.Context, l *label.Label, p Provider, name string, g Grant) (*login, error) {
	var r *login
	var err error
	if g.Account != "" {
		r, err = s.accounts.byID(ctx, s.d.DB.Read(), l.Key, g.Account)
	} else {
		r, err = s.resolve(ctx, l, g.Subject, g.Username, name)
	}
	switch {
	case errors.Is(err, errNotFound):
		err = ErrPreLogin
	case err == nil && (g.Impersonator || r.Role == ImpersonatorRole):
		err = errImpersonator
	case err == nil && r.Disabled:
		err = ErrPreLogin // only somebody who knows the password learns this
	}
	if r != nil {
		scope.Identify(ctx, r.ID)
	}
	if err == nil && g.Subject != (Subject{}) {
		err = s.accounts.bind(ctx, l.Key, r.ID, g.Subject)
	}
	if err != nil && g.Tokens != nil {
		s.warn(ctx, p.SignOut(ctx, l, g.Tokens), "tokens of a refused sign-in could not be revoked")
	}
	return r, err
}

type sealedChallenge struct {
	Username  string    `json:"u"`
	Challenge string    `json:"c"`
	Ends      time.Time `json:"e"`
	Demands   string    `json:"d"` // empty if sealed by the previous version: ChallengeNewPassword
}

func (s *Service) challenge(l *label.Label, name string, g Grant) (*signedIn, error) {
	plain, err := json.Marshal(sealedChallenge{name, g.Challenge, s.now().Add(challengeLifetime), g.Demands})
	if err != nil {
		return nil, err
	}
	out := &signedIn{Status: http.StatusOK, CacheControl: "no-store"}
	out.Body.Challenge, out.Body.Destination = g.Demands, g.Destination
	out.Body.Session.Token = s.sealer.seal("challenge", plain, l.Key)
	return out, nil
}

// startSession starts a session and sets its cookie.
func (s *Service) startSession(ctx context.Context, l *label.Label, r *login, g Grant) (*signedIn, error) {
	x, value, err := s.sessions.start(ctx, l.Key, r.ID, g)
	if err != nil {
		return nil, err
	}
	return s.sessionResponse(ctx, l, r, x, g, value)
}

// sessionResponse returns the id token of a session. With an empty value the browser keeps its cookie.
func (s *Service) sessionResponse(ctx context.Context, l *label.Label, r *login, x *session, g Grant, value string) (*signedIn, error) {
	out := &signedIn{Status: http.StatusOK, CacheControl: "no-store"}
	now := s.now()
	if g.IDToken == "" {
		g.Expires = now.Add(tokenLifetime)
		var err error
		if g.IDToken, err = s.signer.sign(ctx, l, r, r.Username, x.ID, nil, g.Expires); err != nil {
			return nil, err
		}
	}
	c, err := s.claims(ctx, l, r, Identity{Session: x.ID, Expires: g.Expires})
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

type newPasswordInput struct {
	Body struct {
		Session  string `json:"session" doc:"session of the response that required a new password"`
		Password string `json:"new_password" doc:"Password that replaces the temporary one"`
	}
}

// newPassword answers the challenge of a temporary password (2.4-require-new-password).
func (s *Service) newPassword(ctx context.Context, in *newPasswordInput) (*signedIn, error) {
	l, p, err := s.labelAndProvider(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkFields(field{"new_password", in.Body.Password, CodeEmptyPassword}); err != nil {
		return nil, err
	}
	c, err := s.openChallenge(l, in.Body.Session)
	if err != nil || c.Demands != ChallengeNewPassword {
		return nil, ErrSessionExpired
	}
	s.identify(ctx, l, c.Username)
	r, err := s.accounts.byUsername(ctx, s.d.DB.Read(), l.Key, c.Username)
	if err != nil && !errors.Is(err, errNotFound) {
		return nil, err
	}
	if err := checkPasswordPolicy(in.Body.Password, ownerOf(l, c.Username, r)); err != nil {
		return nil, err
	}
	var out *signedIn
	err = s.attempt(ctx, l, "sign-in:"+c.Username, func() error {
		g, err := p.NewPassword(ctx, l, c.Username, c.Challenge, in.Body.Password)
		if err != nil {
			return err
		}
		out, err = s.respondToGrant(ctx, l, p, c.Username, g)
		return err
	})
	return out, err
}

// openChallenge decrypts a challenge. It returns ErrSessionExpired when the challenge has expired or was made for another label.
func (s *Service) openChallenge(l *label.Label, sealed string) (c sealedChallenge, err error) {
	plain, err := s.sealer.open("challenge", sealed, l.Key)
	if err != nil || json.Unmarshal(plain, &c) != nil || !s.now().Before(c.Ends) {
		return c, ErrSessionExpired
	}
	c.Demands = cmp.Or(c.Demands, ChallengeNewPassword)
	return c, nil
}

type signInCodeInput struct {
	Body struct {
		Session string `json:"session" doc:"session of the response that required a code"`
		Code    string `json:"code" doc:"Code from the text message or the authenticator app"`
	}
}

// signInCode answers a challenge that requires a code (4-sign-in-code). Wrong codes are limited like wrong passwords.
func (s *Service) signInCode(ctx context.Context, in *signInCodeInput) (*signedIn, error) {
	l, p, err := s.labelAndProvider(ctx)
	if err != nil {
		return nil, err
	}
	code := strings.Join(strings.Fields(in.Body.Code), "") // apps show the code as "123 456"
	if err := checkFields(field{"code", code, CodeEmptyCode}); err != nil {
		return nil, err
	}
	c, err := s.openChallenge(l, in.Body.Session)
	if err != nil || c.Demands == ChallengeNewPassword {
		return nil, ErrSessionExpired
	}
	s.identify(ctx, l, c.Username)
	var out *signedIn
	err = s.attempt(ctx, l, "sign-in-code:"+c.Username, func() error {
		g, err := p.AnswerCode(ctx, l, c.Username, c.Challenge, code)
		if err != nil {
			return err
		}
		out, err = s.respondToGrant(ctx, l, p, c.Username, g)
		return err
	})
	return out, err
}

// refresh returns a new id token and rotates the cookie. It counts no attempts, so a lockout never ends a live session. Browsers
// call it at every start, so a missing cookie is answered with 204 and not with an error, which a browser would show in its
// console.
func (s *Service) refresh(ctx context.Context, in *bearerInput) (*signedIn, error) {
	l, p, err := s.labelAndProvider(ctx)
	if err != nil {
		return nil, err
	}
	if s.cookieOf(ctx, in.SessionCookies) == "" {
		return &signedIn{Status: http.StatusNoContent, CacheControl: "no-store"}, nil
	}
	x, used, late, err := s.findSession(ctx, l, p, in.SessionCookies)
	if err != nil {
		return nil, err
	}
	scope.Identify(ctx, x.Account)
	if err := s.checkHolder(ctx, l, in, x.Account); err != nil {
		return nil, err
	}
	r, err := s.accounts.byID(ctx, s.d.DB.Read(), l.Key, x.Account)
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
	if g.Subject != (Subject{}) { // the session began before accounts had a subject
		if err := s.accounts.bind(ctx, l.Key, r.ID, g.Subject); err != nil {
			return nil, err
		}
	}
	value := ""
	if !late {
		if value, err = s.sessions.rotate(ctx, x, used); isUnwritable(err) {
			// The session is valid and only cannot be renewed: reads continue with the old cookie (9-database-unavailable).
			s.warn(ctx, err, "a session continues with its old cookie, because the database cannot be written")
			value, err = "", nil
		}
		if err != nil {
			return nil, err
		}
	}
	return s.sessionResponse(ctx, l, r, x, g, value)
}

// isUnwritable reports whether the database can be read but not written.
func isUnwritable(err error) bool {
	k := fault.Of(err)
	return k == fault.ReadOnly || k == fault.Full
}

// endSession ends a session here and at the provider. A failure at the provider is only logged.
func (s *Service) endSession(ctx context.Context, l *label.Label, p Provider, x *session) error {
	tokens, err := s.sessions.tokens(x)
	if err == nil && tokens != nil {
		err = p.SignOut(ctx, l, tokens)
	}
	s.warn(ctx, err, "a session could not be ended at the identity provider")
	return s.sessions.end(ctx, x)
}

type cookieOutput struct {
	SetCookie []http.Cookie `header:"Set-Cookie"`
}
