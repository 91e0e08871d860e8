package identity

import (
	"context"
	"net/http"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/problem"
)

// attempt counts an attempt per key and per network of the caller and then calls try. When try fails for a reason other than the caller, the
// attempt is refunded. When it succeeds, the count of the key is cleared.
func (s *Service) attempt(ctx context.Context, l *label.Label, key string, try func() error) error {
	if err := s.countAttempt(ctx, l, key); err != nil {
		return err
	}
	err := try()
	ctx = context.WithoutCancel(ctx) // also when the caller has disconnected
	if err != nil && problem.Of(err).Status < http.StatusInternalServerError {
		return err
	}
	if err == nil {
		s.warn(ctx, s.d.Limits.Clear(ctx, l.Key, key), "attempts could not be cleared")
	} else {
		s.warn(ctx, err, "the identity provider did not answer")
		s.warn(ctx, s.d.Limits.Refund(ctx, l.Key, key), "an attempt could not be refunded")
	}
	if network := scope.ClientOf(ctx).Network(); network != "" {
		s.warn(ctx, s.d.Limits.Refund(ctx, l.Key, "address:"+network), "an attempt could not be refunded")
	}
	return err
}

// countAttempt counts an attempt. It returns ErrAttempts when there were too many.
func (s *Service) countAttempt(ctx context.Context, l *label.Label, key string) error {
	if network := scope.ClientOf(ctx).Network(); network != "" {
		ok, _, err := s.d.Limits.Take(ctx, l.Key, "address:"+network, perAddress)
		if err != nil {
			return err
		}
		if !ok {
			return ErrAttempts
		}
	}
	ok, _, err := s.d.Limits.Take(ctx, l.Key, key, perUsername)
	if err != nil {
		return err
	}
	if !ok {
		return ErrAttempts
	}
	return nil
}

// identify tells the log of requests whose account a call without a session names (11-security-log); a name of no account is not
// logged, because people type passwords there. It reads the database before the result is known, so it takes equally long for
// every result.
func (s *Service) identify(ctx context.Context, l *label.Label, username string) {
	if r, err := s.accounts.byUsername(ctx, s.d.DB.Read(), l.Key, username); err == nil {
		scope.Identify(ctx, r.ID)
	}
}

type field struct{ name, value, empty string }

// checkFields returns a problem for the first empty field, with the code of that field (8-id-empty-fields), or for the first field
// with control characters or more than 128 characters (8-id-invalid-chars).
func checkFields(fs ...field) error {
	for _, f := range fs {
		if f.value == "" {
			return problem.Fail(http.StatusBadRequest, f.empty, problem.FieldError{Field: f.name, Code: f.empty})
		}
	}
	for _, f := range fs {
		if !isWellFormed(f.value) {
			return problem.Fail(http.StatusBadRequest, CodeInvalidChars, problem.FieldError{Field: f.name, Code: CodeInvalidChars})
		}
	}
	return nil
}

// checkPasswordPolicy returns a problem for a new password that is too weak (8-id-password-policy) or too easily guessed
// (5.5-password-common, 5.5-password-personal).
func checkPasswordPolicy(password string, o Owner) error {
	for _, code := range CheckNewPassword(password, o) {
		return problem.Fail(http.StatusBadRequest, code, problem.FieldError{Field: "new_password", Code: code})
	}
	return nil
}

// ownerOf returns what is known about the owner of a password: the account, which may be nil, or else the username that was typed.
func ownerOf(l *label.Label, username string, r *login) Owner {
	o := Owner{Username: username, Label: l.Info.Name}
	if r != nil {
		o.Name, o.Username, o.Email = r.Name, r.Username, r.Email
	}
	return o
}
