package cognito

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/smithy-go"

	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/problem"
)

// problem gives the pool's error one of our codes (8-id-*, 8-id-unknown) and logs what somebody who runs the portal or the pool has to
// mend. refused is what a plain refusal means for the call that was made.
func (p *Provider) problem(ctx context.Context, l *label.Label, err error, refused *problem.Problem) error {
	if err = judge(err, refused); errors.Is(err, identity.ErrUnavailable) {
		p.c.Log.WarnContext(ctx, "the user pool cannot serve a call", "label", l.Key, "err", err)
	}
	return err
}

// judge is problem without the log. A server that cannot be reached, or that answers what no user can help, is ErrUnavailable.
func judge(err error, refused *problem.Problem) error {
	if err == nil {
		return nil
	}
	api, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		return fmt.Errorf("%w: %w", identity.ErrUnavailable, err)
	}
	is := func(of error) error { return fmt.Errorf("%w: %s", of, api.ErrorCode()) }
	message := strings.ToLower(api.ErrorMessage())
	switch api.ErrorCode() { // not the type: the SDK knows only those that a call is said to have
	case "NotAuthorizedException":
		if strings.Contains(message, "secret") {
			break // the label's client_secret is not the client's: no fault of who signs in
		}
		return is(notAuthorized(message, refused))
	case "UserNotFoundException":
		return is(refused)
	case "CodeMismatchException", "ExpiredCodeException":
		if refused == identity.ErrSessionExpired {
			return is(identity.ErrSessionExpired)
		}
		return is(identity.ErrCodeInvalid)
	case "InvalidPasswordException", "PasswordHistoryPolicyViolationException":
		return is(identity.ErrPasswordPolicy)
	case "InvalidParameterException":
		return is(identity.ErrInvalidChars)
	case "LimitExceededException", "TooManyRequestsException", "TooManyFailedAttemptsException":
		return is(identity.ErrAttempts)
	case "CodeDeliveryFailureException":
		return is(identity.ErrMailTimeout)
	case "UserLambdaValidationException", "UserNotConfirmedException", "PasswordResetRequiredException":
		return is(identity.ErrPreLogin)
	case "RefreshTokenReuseException":
		return is(identity.ErrSessionExpired)
	}
	// A pool, client, role, trigger or firewall that is set up wrongly, a failure of the server, and what is not known yet.
	return fmt.Errorf("%w: cognito: %w", identity.ErrUnavailable, err)
}

// notAuthorized tells apart what the pool says with one exception and a text.
func notAuthorized(message string, refused *problem.Problem) error {
	for _, m := range []struct {
		part string
		err  error
	}{
		{"temporary password has expired", identity.ErrTempExpired},
		{"cannot be reset in the current state", identity.ErrCannotReset},
		{"attempts exceeded", identity.ErrAttempts},
		{"user is disabled", identity.ErrPreLogin},
		{"session", identity.ErrSessionExpired},
		{"token", identity.ErrSessionExpired},
	} {
		if strings.Contains(message, m.part) {
			return m.err
		}
	}
	return refused
}
