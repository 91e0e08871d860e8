package cognito

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/smithy-go"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/problem"
)

// problem converts an error of the pool into a problem of the portal (8-id-*, 8-id-unknown) and logs errors that the operator of the portal
// or of the pool must fix. refused is the problem for a refusal without further details.
func (p *Provider) problem(ctx context.Context, l *label.Label, err error, refused *problem.Problem) error {
	if err = classify(err, refused); errors.Is(err, identity.ErrUnavailable) {
		p.c.Log.WarnContext(ctx, "the user pool cannot serve a call", "label", l.Key, "error", err)
	}
	return err
}

// classify is problem without the log. It returns ErrUnavailable when the pool cannot be reached, or for an error that no user can fix.
func classify(err error, refused *problem.Problem) error {
	if err == nil {
		return nil
	}
	api, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		return fmt.Errorf("%w: %w", identity.ErrUnavailable, err)
	}
	is := func(of error) error { return fmt.Errorf("%w: %s", of, api.ErrorCode()) }
	message := strings.ToLower(api.ErrorMessage())
	switch api.ErrorCode() { // compares codes, because the SDK has types only for the documented errors of a call
	case "NotAuthorizedException":
		if strings.Contains(message, "secret") {
			break // the label's client_secret is wrong, not the user's password
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
	// A misconfigured pool, client, role, trigger or firewall, a failure of the server, or an unknown error.
	return fmt.Errorf("%w: cognito: %w", identity.ErrUnavailable, err)
}

// notAuthorized distinguishes the cases that the pool reports with one exception and different messages.
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
