package identity

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
)

// Provider is an identity service: the built-in one, or an Amazon Cognito user pool. The Service passes normalized usernames, well-formed
// fields and new passwords that meet the policy; it also handles limits, sessions and impersonators. For a refusal, methods return the Err…
// problems of this package; any other error is unexpected.
type Provider interface {
	// SignIn checks a password. It returns ErrWrongCredentials both for a wrong password and for an unknown user.
	SignIn(ctx context.Context, l *label.Label, username, password string) (Grant, error)
	// NewPassword responds to the challenge of SignIn with a password chosen by the user. It returns ErrSessionExpired when the challenge
	// has expired.
	NewPassword(ctx context.Context, l *label.Label, username, challenge, password string) (Grant, error)
	// AnswerCode responds to a challenge that requires a code. It returns ErrCodeInvalid for a wrong code, which may be tried again, and
	// ErrSessionExpired when the challenge has expired.
	AnswerCode(ctx context.Context, l *label.Label, username, challenge, code string) (Grant, error)
	// Refresh renews a grant. It returns ErrSessionExpired when the provider has ended it.
	Refresh(ctx context.Context, l *label.Label, username string, tokens []byte) (Grant, error)
	// SignOut ends a grant at the provider.
	SignOut(ctx context.Context, l *label.Label, tokens []byte) error
	// Forgot sends a code; it returns nil for an unknown user. It returns ErrCannotReset while the user has a temporary password,
	// and ErrMailTimeout when the code could not be sent.
	Forgot(ctx context.Context, l *label.Label, username string) error
	// ConfirmForgot sets a password with that code. It returns ErrCodeInvalid for a wrong or expired code and for an unknown user, and
	// ErrCannotReset when the user now has a temporary password. A problem whose code begins with password_from_ means that the emailed
	// code was right and stays valid.
	ConfirmForgot(ctx context.Context, l *label.Label, username, code, password string) error
	// ChangePassword replaces the password of the current user (7.7-change-password-call) and renews the grant's tokens if
	// necessary. It returns ErrWrongCredentials when the old password is wrong.
	ChangePassword(ctx context.Context, l *label.Label, username string, tokens []byte, old, new string) (Grant, error)

	// Verify verifies an id token as of a given time: signature, issuer, client, expiry.
	Verify(ctx context.Context, l *label.Label, token string, at time.Time) (Identity, error)
	// Keys returns the public keys that Verify uses, as a JWKS.
	Keys(ctx context.Context, l *label.Label) ([]byte, error)

	// Put creates the user of an account, with the password if one is given; an existing user keeps its password. It returns the
	// hash to store with the account, empty when the provider stores the password itself.
	Put(ctx context.Context, l *label.Label, a Account, password string, temporary bool) (hash string, err error)
	// IsInactive reports whether a user does not exist, is disabled, or has not chosen a password yet.
	IsInactive(ctx context.Context, l *label.Label, a Account) (bool, error)
	// SetTemporaryPassword gives the user of an account a temporary password instead of the current one, and creates the user if necessary.
	// It returns the same hash as Put.
	SetTemporaryPassword(ctx context.Context, l *label.Label, a Account, password string) (hash string, err error)
	// SubjectOf finds the user of an account; the account may have only a username or an alias. It returns the zero Subject when there is
	// none; the built-in provider always returns it.
	SubjectOf(ctx context.Context, l *label.Label, a Account) (Subject, error)
	// SetEmail changes the address of a user.
	SetEmail(ctx context.Context, l *label.Label, a Account, email string) error
	// Renames reports whether usernames of this provider can change.
	Renames() bool
}

// Grant is what a provider returns for a valid password: a challenge, or tokens. If IDToken is empty, the Service signs one.
type Grant struct {
	Challenge    string // not empty: a new password must be chosen first
	Tokens       []byte // input of Refresh and SignOut; stored encrypted on the server
	IDToken      string
	Expires      time.Time // expiry of IDToken
	Ref          string    // of IDToken; see Identity
	Impersonator bool      // the user has the attribute is_impersonator
	Subject      Subject   // user of Tokens
	Account      string    // id of the account whose password was valid, if the provider uses the portal's accounts
	Username     string    // the provider's name of the user, which may differ from what was typed
	// Demands is the requirement of the challenge: ChallengeNewPassword or one of the codes. Destination is where a code was sent,
	// masked.
	Demands, Destination string
}

// Identity is the content of an id token.
type Identity struct {
	Account      string // account id, if the provider uses the portal's accounts
	Username     string
	Session      string
	Impersonator bool
	Actor        string // only during an impersonation
	ActorName    string
	Issued       time.Time
	Expires      time.Time
	// Ref identifies the sign-in at the provider that issued a token; renewals do not change it. It is empty for a token that contains a
	// portal session, and when the provider does not send it.
	Ref     string
	Subject Subject // user of a provider that does not use the portal's accounts
}

// providers finds the identity provider of a label.
type providers struct {
	labels  label.Source
	local   *local
	cognito Provider // nil when no label may use it
}

// of returns the provider of a label.
func (s *providers) of(l *label.Label) (Provider, error) {
	switch l.Identity.Provider {
	case "local", "":
		return s.local, nil
	case "cognito":
		if s.cognito != nil {
			return s.cognito, nil
		}
	}
	return nil, fmt.Errorf("identity: label %s uses the identity provider %q, which is not configured", l.Key, l.Identity.Provider)
}

// ofCall returns the label of a request and its provider.
func (s *providers) ofCall(ctx context.Context) (*label.Label, Provider, error) {
	l := label.Of(ctx)
	if l == nil {
		l = s.labels.ByKey(scope.Of(ctx).Label) // the request comes from a module
	}
	if l == nil {
		return nil, nil, errors.New("identity: a call without a label")
	}
	p, err := s.of(l)
	return l, p, err
}

// JWKS returns the public keys that verify the label's id tokens.
func (s *providers) JWKS(ctx context.Context, l *label.Label) ([]byte, error) {
	p, err := s.of(l)
	if err != nil {
		return nil, err
	}
	return p.Keys(ctx, l)
}
