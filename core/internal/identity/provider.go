package identity

import (
	"context"
	"time"

	"github.com/wattle-portal/wattle/core/internal/label"
)

// Provider is an identity service: the local one, or an Amazon Cognito user pool. Usernames arrive normalised, fields well formed
// and new passwords checked against our policy; limits, sessions and impersonators are the Service's business. A refusal is one
// of the Err… problems of this package; any other error is unexpected.
type Provider interface {
	// SignIn checks a password. ErrWrongCredentials for a wrong one and for an unknown user alike.
	SignIn(ctx context.Context, l *label.Label, username, password string) (Grant, error)
	// NewPassword answers the challenge that SignIn gave, with a password of the user's own. ErrSessionExpired when it is over.
	NewPassword(ctx context.Context, l *label.Label, username, challenge, password string) (Grant, error)
	// AnswerCode answers a challenge that demands a code. ErrCodeInvalid for a wrong one, which may be tried again; ErrSessionExpired
	// when the challenge is over.
	AnswerCode(ctx context.Context, l *label.Label, username, challenge, code string) (Grant, error)
	// Refresh renews a grant. ErrSessionExpired when the provider ended it.
	Refresh(ctx context.Context, l *label.Label, username string, tokens []byte) (Grant, error)
	// SignOut ends a grant at the provider.
	SignOut(ctx context.Context, l *label.Label, tokens []byte) error
	// Forgot sends a code; nil for an unknown user. ErrCannotReset while the user has a temporary password, ErrMailTimeout when
	// the code could not be sent.
	Forgot(ctx context.Context, l *label.Label, username string) error
	// ConfirmForgot sets a password with that code. ErrCodeInvalid for a wrong or late one and for an unknown user alike. A code
	// that begins with password_from_ says that the code was right, and goes on to be.
	ConfirmForgot(ctx context.Context, l *label.Label, username, code, password string) error
	// ChangePassword replaces the password of the current user (7.7-change-password-call) and renews the grant's tokens where
	// that needs it. ErrWrongCredentials when the old one is wrong.
	ChangePassword(ctx context.Context, l *label.Label, username string, tokens []byte, old, new string) (Grant, error)

	// Verify checks an id token: signature, issuer, client, expiry.
	Verify(ctx context.Context, l *label.Label, token string) (Identity, error)
	// Keys is the public keys that Verify uses, as a JWKS.
	Keys(ctx context.Context, l *label.Label) ([]byte, error)

	// Put makes the user of an account, with a password where one is given; a user that is there keeps the one it has. It returns
	// the hash that is to be kept with the account, empty when the provider keeps the password itself.
	Put(ctx context.Context, l *label.Label, a Account, password string, temporary bool) (hash string, err error)
	// Asleep reports whether a user is not there, may not sign in, or has no password of his own yet.
	Asleep(ctx context.Context, l *label.Label, a Account) (bool, error)
	// Wake gives the user of an account a temporary password in place of whatever he had, and makes him when he is not there. It
	// returns what Put does.
	Wake(ctx context.Context, l *label.Label, a Account, password string) (hash string, err error)
	// SubjectOf looks up the user of an account, or of one that is only a username or an alias. Zero when there is none, and of a
	// provider that is part of the server.
	SubjectOf(ctx context.Context, l *label.Label, a Account) (Subject, error)
	// SetEmail changes the address of a user.
	SetEmail(ctx context.Context, l *label.Label, a Account, email string) error
	// Renames reports whether usernames of this provider can change.
	Renames() bool
}

// Grant is what a provider gives for a good password: a challenge, or tokens. An empty IDToken leaves that to the Service.
type Grant struct {
	Challenge    string // not empty: a new password must be chosen first
	Tokens       []byte // what Refresh and SignOut want back; kept encrypted on the server
	IDToken      string
	Expires      time.Time // of IDToken
	Ref          string    // as in Identity, of IDToken
	Impersonator bool      // the user has the attribute is_impersonator
	Subject      Subject   // of Tokens
	Username     string    // by which the provider knows the user, where that may not be what was typed
	// Demands is what the challenge asks for: ChallengeNewPassword or one of the codes; Destination where a code was sent, masked.
	Demands, Destination string
}

// Identity is what an id token says.
type Identity struct {
	Account      string // id, when the provider knows our accounts
	Username     string
	Session      string
	Impersonator bool
	Actor        string // of an impersonation
	ActorName    string
	Issued       time.Time
	Expires      time.Time
	// Ref is what the tokens of one sign-in at the provider have in common over their renewals; empty for a token that names our
	// session, and where the provider does not say.
	Ref     string
	Subject Subject // of a provider that does not know our accounts
}
