package identity

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/problem"
)

// passwordChanges implements the operations that replace a person's password, with a code from an email or with the old password.
type passwordChanges struct {
	db        store.DB
	providers *providers
	accounts  *accounts
	codes     *codes
	sessions  *sessions
	browsers  *browserSessions
	attempts  *attempts
	log       *slog.Logger
}

func (s *passwordChanges) routes(api huma.API) {
	module.Route(api, operation(http.MethodPost, "/auth/forgot-password", "forgotPassword", "Mail a code for a new password",
		"For everybody. The response does not reveal whether the username exists. "+
			"400 empty_username, 429 attempts_exceeded, 504 mail_timeout."), module.Public, module.Write, s.forgotPassword)
	module.Route(api, operation(http.MethodPost, "/auth/confirm-forgot-password", "confirmForgotPassword",
		"Set a password with the mailed code",
		"For everybody with the code. Replaces the password and ends all sessions of the account. "+
			"400 code_invalid or a password that is not allowed, "+
			"409 cannot_reset_password for an account with a temporary password, 429 attempts_exceeded."),
		module.Public, module.Write, s.confirmForgotPassword)
	module.Route(api, operation(http.MethodPost, "/auth/change-password", "changePassword", "Replace the password of the caller",
		"For everybody who is signed in, with the session cookie. Ends the other sessions of the account. "+
			"400 wrong_credentials when old_password is wrong, or a new password that is not allowed; "+
			"401 session_expired, 429 attempts_exceeded."), module.Customer, module.Write, s.changePassword)
}

type forgotInput struct {
	Body struct {
		Username string `json:"username" doc:"Name for signing in"`
	}
}

// forgotPassword sends a code by email (2.4-forgot-password). The response does not reveal whether the user exists.
func (s *passwordChanges) forgotPassword(ctx context.Context, in *forgotInput) (*cookieOutput, error) {
	l, p, err := s.providers.ofCall(ctx)
	if err != nil {
		return nil, err
	}
	name := NormalizeUsername(in.Body.Username)
	if err := checkFields(field{"username", name, CodeEmptyUsername}); err != nil {
		return nil, err
	}
	s.accounts.identify(ctx, l, name)
	if err := s.attempts.count(ctx, l, "forgot:"+name); err != nil {
		return nil, err
	}
	r, err := s.accounts.byUsername(ctx, s.db.Read(), l.Key, name)
	if err == nil && r.Disabled { // a pool does not know that the account is disabled, and would mail a code
		return &cookieOutput{}, s.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
			return s.codes.save(ctx, tx, l.Key, name, "", newCode(), false) // as for an unknown user
		})
	}
	if err != nil && !errors.Is(err, errNotFound) {
		return nil, err
	}
	err = p.Forgot(ctx, l, name)
	if errors.Is(err, ErrCannotReset) {
		err = s.mailBlockedCode(ctx, l, name)
	}
	return &cookieOutput{}, err
}

// mailBlockedCode sends a code that does not reset the password: entering it returns the problem that the person must sign in with the
// temporary password.
func (s *passwordChanges) mailBlockedCode(ctx context.Context, l *label.Label, name string) error {
	r, err := s.accounts.byUsername(ctx, s.db.Read(), l.Key, name)
	if err != nil && !errors.Is(err, errNotFound) {
		return err
	}
	known, code, owner := err == nil && r.Email != "", newCode(), ""
	if known {
		owner = r.ID
	}
	return s.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) error {
		if err := s.codes.save(ctx, tx, l.Key, name, owner, code, true); err != nil || !known {
			return err
		}
		return tx.Mail(ctx, codeMail(ctx, l, r, code))
	})
}

type confirmInput struct {
	Body struct {
		Username string `json:"username" doc:"Name for signing in"`
		Code     string `json:"code" doc:"Six digits from the mail"`
		Password string `json:"new_password" doc:"Password from now on"`
	}
}

// confirmForgotPassword sets a password with the code from the email and ends all sessions of the account.
func (s *passwordChanges) confirmForgotPassword(ctx context.Context, in *confirmInput) (*cookieOutput, error) {
	l, p, err := s.providers.ofCall(ctx)
	if err != nil {
		return nil, err
	}
	name, code := NormalizeUsername(in.Body.Username), strings.TrimSpace(in.Body.Code)
	if err := checkFields(field{"username", name, CodeEmptyUsername}, field{"code", code, CodeEmptyCode},
		field{"new_password", in.Body.Password, CodeEmptyPassword}); err != nil {
		return nil, err
	}
	// The account is read once, so that the sessions of this same account end after the password is set.
	r, err := s.accounts.byUsername(ctx, s.db.Read(), l.Key, name)
	if errors.Is(err, errNotFound) {
		r, err = &login{}, nil
	}
	if err != nil {
		return nil, err
	}
	if r.ID != "" {
		scope.Identify(ctx, r.ID)
	}
	// Until the code has been verified, the response must reveal nothing about the account beyond the typed username.
	if err := checkPasswordPolicy(in.Body.Password, ownerOf(l, name, nil)); err != nil {
		return nil, err
	}
	var weak error
	err = s.attempts.run(ctx, l, "code:"+name, func() error {
		blocked := false
		err := s.db.Tx(system(ctx, l.Key), func(ctx context.Context, tx store.Tx) (err error) {
			blocked, err = s.codes.redeem(ctx, tx, l.Key, name, r.ID, code, true)
			return err
		})
		if err != nil {
			return err
		}
		if blocked {
			return ErrCannotReset
		}
		err = p.ConfirmForgot(ctx, l, name, code, in.Body.Password)
		if built := problem.Of(err); built != nil && strings.HasPrefix(built.Code, passwordFrom) {
			weak = err // the code was right, but the password is too weak
			return nil
		}
		return err
	})
	if err = errors.Join(err, weak); err != nil {
		return nil, err
	}
	if r.ID == "" { // the person typed an alias
		var u Subject
		if u, err = p.SubjectOf(ctx, l, Account{Username: name}); err != nil { // the password has been changed already
			warn(ctx, s.log, err, "after a password reset the sessions could not be ended: the user of the given username was not found")
			return &cookieOutput{}, nil
		}
		r, err = s.accounts.bySubject(ctx, s.db.Read(), l.Key, u)
	}
	if errors.Is(err, errNotFound) { // the provider has a user without an account in the portal
		return &cookieOutput{}, nil
	}
	if err != nil {
		return nil, err
	}
	s.attempts.clear(ctx, l, "sign-in:"+name)
	return &cookieOutput{}, s.sessions.endAll(ctx, l, r.ID, "")
}

type changeInput struct {
	SessionCookies
	Body struct {
		Old string `json:"old_password" doc:"Password until now"`
		New string `json:"new_password" doc:"Password from now on"`
	}
}

// changePassword replaces the password of the current user and ends the account's other sessions (7.7-change-password-call).
func (s *passwordChanges) changePassword(ctx context.Context, in *changeInput) (*cookieOutput, error) {
	l, p, err := s.providers.ofCall(ctx)
	if err != nil {
		return nil, err
	}
	err = checkFields(field{"old_password", in.Body.Old, CodeEmptyPassword}, field{"new_password", in.Body.New, CodeEmptyPassword})
	if err != nil {
		return nil, err
	}
	x, used, late, err := s.browsers.find(ctx, l, p, in.SessionCookies)
	if err != nil {
		return nil, err
	}
	r, err := s.accounts.byID(ctx, s.db.Read(), l.Key, x.Account)
	if err != nil {
		return nil, err
	}
	if r.ID != scope.Of(ctx).Subject { // the token and the cookie belong to different users
		return nil, ErrSessionExpired
	}
	if err := checkPasswordPolicy(in.Body.New, ownerOf(l, r.Username, r)); err != nil {
		return nil, err
	}
	tokens, err := s.sessions.tokens(x)
	if err != nil {
		return nil, err
	}
	err = s.attempts.run(ctx, l, "password:"+r.ID, func() error {
		g, err := p.ChangePassword(ctx, l, r.Username, tokens, in.Body.Old, in.Body.New)
		if g.Tokens != nil {
			err = errors.Join(err, s.sessions.saveTokens(ctx, x, g))
		}
		return err
	})
	if errors.Is(err, ErrWrongCredentials) { // a 401 would mean that the session has ended
		return nil, problem.Fail(http.StatusBadRequest, CodeWrongCredentials,
			problem.FieldError{Field: "old_password", Code: CodeWrongCredentials})
	}
	if err != nil {
		return nil, err
	}
	out := &cookieOutput{}
	if !late { // the cookie has just been used in another tab, so it must not be rotated again
		value, err := s.sessions.rotate(ctx, x, used)
		if err != nil {
			return nil, err
		}
		if value != "" {
			out.SetCookie = s.browsers.setCookie(ctx, value)
		}
	}
	return out, s.sessions.endAll(ctx, l, r.ID, x.ID)
}
