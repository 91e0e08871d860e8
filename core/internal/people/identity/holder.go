package identity

import (
	"context"
	"errors"
	"strings"

	"github.com/lestrrat-go/jwx/v3/jwt"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
)

// bearerInput is a call that a browser makes with its cookie and with the token of one tab. All tabs share the cookie: it may be of
// somebody who signed in in another tab since.
type bearerInput struct {
	SessionCookies
	Authorization string `header:"Authorization" hidden:"true"`
}

// holder returns whose token a tab has, also when the token has expired: its signature, issuer and client are verified as of when it
// was issued. It returns ErrUnauthorized for a token that cannot be verified, because its key is gone for example.
func (s *Service) holder(ctx context.Context, l *label.Label, in *bearerInput) (Identity, error) {
	bearer, ok := strings.CutPrefix(in.Authorization, "Bearer ")
	if !ok || len(bearer) > maxTokenSize {
		return Identity{}, ErrUnauthorized
	}
	unverified, err := jwt.ParseInsecure([]byte(bearer))
	if err != nil {
		return Identity{}, ErrUnauthorized
	}
	issued, _ := unverified.IssuedAt()
	return s.verifyToken(ctx, l, bearer, unverified, issued)
}

// checkHolder returns errSessionMismatch when the tab's token is of another account than the session of the browser's cookie
// (7.7-refresh-same-person). A token that cannot be verified counts as none, as at the start of a page: nobody has to sign in again
// because a key was replaced, and the browser compares the new session with its own.
func (s *Service) checkHolder(ctx context.Context, l *label.Label, in *bearerInput, account string) error {
	id, err := s.holder(ctx, l, in)
	if errors.Is(err, ErrUnauthorized) {
		return nil
	}
	if err != nil {
		return err
	}
	r, err := s.accountOf(ctx, l, id)
	if errors.Is(err, errNotFound) || err == nil && (r.ID != account || id.Actor != "") { // an impersonation cannot be renewed
		return errSessionMismatch
	}
	return err
}
