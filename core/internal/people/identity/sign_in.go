package identity

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// challengeLifetime is how long the user can choose a new password after the temporary one was accepted.
const challengeLifetime = 15 * time.Minute

// Challenges: choose a new password, or enter a code (4-sign-in-code).
const (
	ChallengeNewPassword   = "NEW_PASSWORD_REQUIRED"
	ChallengeSMS           = "SMS_MFA"            // a code that was sent to a phone
	ChallengeAuthenticator = "SOFTWARE_TOKEN_MFA" // a code from an authenticator app
)

// signIns implements the operations with which a person signs in: with a password, and then by completing a challenge.
type signIns struct {
	demo      bool
	providers *providers
	accounts  *accounts
	attempts  *attempts
	hasher    *hasher
	sealer    *sealer
	browsers  *browserSessions
	now       func() time.Time
	log       *slog.Logger
}

func (s *signIns) routes(api huma.API) {
	module.Route(api, operation(http.MethodPost, "/auth/sign-in", "signIn", "Sign in with a username and a password",
		"For everybody. Sets the session cookie and returns an id token, or a challenge. 400 for empty fields or invalid characters, "+
			"401 wrong_credentials, 403 temp_password_expired, pre_login_rejected or impersonator_refused, 429 attempts_exceeded."),
		module.Public, module.Write, s.signIn)
	module.Route(api, operation(http.MethodPost, "/auth/new-password", "newPassword", "Choose a password in place of a temporary one",
		"For everybody with the challenge NEW_PASSWORD_REQUIRED. Replaces the password, sets the session cookie and returns an id token, "+
			"or the next challenge. 400 for a password that is not allowed, 401 session_expired, 429 attempts_exceeded."),
		module.Public, module.Write, s.newPassword)
	module.Route(api, operation(http.MethodPost, "/auth/sign-in-code", "signInCode", "Enter the code that signing in requires",
		"For everybody with the challenge SMS_MFA or SOFTWARE_TOKEN_MFA. Sets the session cookie and returns an id token. "+
			"400 empty_code or code_invalid, 401 session_expired, 429 attempts_exceeded."), module.Public, module.Write, s.signInCode)
}

type signInInput struct {
	Body struct {
		Username string `json:"username" doc:"Name for signing in"`
		Password string `json:"password" doc:"Password, also a temporary one"`
	}
}

// signIn returns a token with a session, or a challenge. The public form refuses impersonators (2.4-impersonator-refused,
// 5.10-impersonator-prefix-reconcile).
func (s *signIns) signIn(ctx context.Context, in *signInInput) (*signedIn, error) {
	l, p, err := s.providers.ofCall(ctx)
	if err != nil {
		return nil, err
	}
	name := NormalizeUsername(in.Body.Username)
	if err := checkFields(field{"username", name, CodeEmptyUsername}, field{"password", in.Body.Password, CodeEmptyPassword}); err != nil {
		return nil, err
	}
	s.accounts.identify(ctx, l, name)
	var out *signedIn
	err = s.attempts.run(ctx, l, "sign-in:"+name, func() error {
		if strings.HasPrefix(name, impersonatorPrefix) {
			_, _, err := s.hasher.verify(ctx, in.Body.Password, "") // takes as long as for any other username
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
func (s *signIns) respondToGrant(ctx context.Context, l *label.Label, p Provider, name string, g Grant) (*signedIn, error) {
	r, err := s.accountOfGrant(ctx, l, p, name, g)
	if err != nil {
		return nil, err
	}
	if g.Challenge != "" {
		return s.challenge(l, name, g)
	}
	return s.browsers.start(ctx, l, r, g)
}

// accountOfGrant finds the account of a user who signed in at the provider. It must exist in this label and must not be an
// impersonator.
func (s *signIns) accountOfGrant(ctx context.Context, l *label.Label, p Provider, name string, g Grant) (*login, error) {
	var r *login
	var err error
	if g.Account != "" {
		r, err = s.accounts.byID(ctx, s.accounts.db.Read(), l.Key, g.Account)
	} else {
		r, err = s.accounts.resolve(ctx, l, g.Subject, g.Username, name)
	}
	switch {
	case errors.Is(err, errNotFound):
		err = ErrPreLogin
	case err == nil && (g.Impersonator || r.Role == ImpersonatorRole):
		err = errImpersonator
	case err == nil && r.Disabled:
		err = ErrPreLogin // only a person who has the password gets this error
	}
	if r != nil {
		scope.Identify(ctx, r.ID)
	}
	if err == nil && g.Subject != (Subject{}) {
		err = s.accounts.bind(ctx, l.Key, r.ID, g.Subject)
	}
	if err != nil && g.Tokens != nil {
		warn(ctx, s.log, p.SignOut(ctx, l, g.Tokens), "tokens of a refused sign-in could not be revoked")
	}
	return r, err
}

type sealedChallenge struct {
	Username  string    `json:"u"`
	Challenge string    `json:"c"`
	Ends      time.Time `json:"e"`
	Demands   string    `json:"d"` // empty in a challenge of the previous version: ChallengeNewPassword
}

func (s *signIns) challenge(l *label.Label, name string, g Grant) (*signedIn, error) {
	plain, err := json.Marshal(sealedChallenge{name, g.Challenge, s.now().Add(challengeLifetime), g.Demands})
	if err != nil {
		return nil, err
	}
	out := &signedIn{Status: http.StatusOK, CacheControl: "no-store"}
	out.Body.Challenge, out.Body.Destination = g.Demands, g.Destination
	out.Body.Session.Token = s.sealer.seal("challenge", plain, l.Key)
	return out, nil
}

type newPasswordInput struct {
	Body struct {
		Session  string `json:"session" doc:"session of the response that required a new password"`
		Password string `json:"new_password" doc:"Password that replaces the temporary one"`
	}
}

// newPassword completes the challenge of a temporary password (2.4-require-new-password).
func (s *signIns) newPassword(ctx context.Context, in *newPasswordInput) (*signedIn, error) {
	l, p, err := s.providers.ofCall(ctx)
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
	s.accounts.identify(ctx, l, c.Username)
	r, err := s.accounts.byUsername(ctx, s.accounts.db.Read(), l.Key, c.Username)
	if err != nil && !errors.Is(err, errNotFound) {
		return nil, err
	}
	if err := checkPasswordPolicy(in.Body.Password, ownerOf(l, c.Username, r)); err != nil {
		return nil, err
	}
	var out *signedIn
	err = s.attempts.run(ctx, l, "sign-in:"+c.Username, func() error {
		g, err := p.NewPassword(ctx, l, c.Username, c.Challenge, in.Body.Password)
		if err != nil {
			return err
		}
		out, err = s.respondToGrant(ctx, l, p, c.Username, g)
		return err
	})
	return out, err
}

// openChallenge decrypts a challenge. It returns ErrSessionExpired when the challenge has expired or was created for another label.
func (s *signIns) openChallenge(l *label.Label, sealed string) (c sealedChallenge, err error) {
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

// signInCode completes a challenge that requires a code (4-sign-in-code). Wrong codes are limited like wrong passwords.
func (s *signIns) signInCode(ctx context.Context, in *signInCodeInput) (*signedIn, error) {
	l, p, err := s.providers.ofCall(ctx)
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
	s.accounts.identify(ctx, l, c.Username)
	var out *signedIn
	err = s.attempts.run(ctx, l, "sign-in-code:"+c.Username, func() error {
		g, err := p.AnswerCode(ctx, l, c.Username, c.Challenge, code)
		if err != nil {
			return err
		}
		out, err = s.respondToGrant(ctx, l, p, c.Username, g)
		return err
	})
	return out, err
}

// DemoSignIn returns the sign-in handler of the demo page (9-demo-sign-in). A browser that opens it with ?username= gets a session of that
// account without its password, and is redirected to the landing page. For an account with a temporary password the browser is redirected
// to the sign-in form, where the password must be changed. It returns 404 outside the demo, and for an account that does not exist or
// cannot sign in. It accepts only page navigations, so that no image or script can sign a visitor in.
func (s *signIns) DemoSignIn() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, l := r.Context(), label.Of(r.Context())
		mode := r.Header.Get("Sec-Fetch-Mode")
		if !s.demo || l == nil || r.Method != http.MethodGet || mode != "" && mode != "navigate" {
			problem.Write(w, errNotFound)
			return
		}
		account, err := s.accounts.byUsername(ctx, s.accounts.db.Read(), l.Key, NormalizeUsername(r.URL.Query().Get("username")))
		if err == nil && (account.Role == ImpersonatorRole || account.Disabled) {
			err = errNotFound
		}
		var out *signedIn
		if p, perr := s.providers.of(l); err == nil && perr == nil && p == Provider(s.providers.local) && !account.Temporary {
			out, err = s.browsers.start(ctx, l, account, Grant{})
		}
		if err != nil {
			problem.Write(w, problem.Of(err))
			return
		}
		if out != nil {
			for _, c := range out.SetCookie {
				http.SetCookie(w, &c)
			}
		}
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})
}
