package cognito

import (
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/aws/smithy-go"

	"github.com/wattle-portal/wattle/core/internal/identity"
	"github.com/wattle-portal/wattle/core/module"
)

// problem gives the pool's error one of our codes (8-id-*). refused is what a plain refusal means for the call that was made. A
// server that cannot be reached, or that fails, is ErrUnavailable.
func problem(err error, refused *module.Problem) error {
	if err == nil {
		return nil
	}
	api, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		return fmt.Errorf("%w: %w", identity.ErrUnavailable, err)
	}
	is := func(of error) error { return fmt.Errorf("%w: %s", of, api.ErrorCode()) }
	message := strings.ToLower(api.ErrorMessage())
	switch api.(type) {
	case *types.NotAuthorizedException:
		if strings.Contains(message, "secret") {
			break // the label's client_secret is not the client's: no fault of who signs in
		}
		return is(notAuthorized(message, refused))
	case *types.UserNotFoundException:
		return is(refused)
	case *types.CodeMismatchException, *types.ExpiredCodeException:
		if refused == identity.ErrSessionExpired {
			return is(identity.ErrSessionExpired)
		}
		return is(identity.ErrCodeInvalid)
	case *types.InvalidPasswordException, *types.PasswordHistoryPolicyViolationException:
		return is(identity.ErrPasswordPolicy)
	case *types.InvalidParameterException:
		return is(identity.ErrInvalidChars)
	case *types.LimitExceededException, *types.TooManyRequestsException, *types.TooManyFailedAttemptsException:
		return is(identity.ErrAttempts)
	case *types.CodeDeliveryFailureException:
		return is(identity.ErrMailTimeout)
	case *types.UserLambdaValidationException, *types.UserNotConfirmedException, *types.PasswordResetRequiredException:
		return is(identity.ErrPreLogin)
	case *types.RefreshTokenReuseException:
		return is(identity.ErrSessionExpired)
	case *types.InternalErrorException, *types.UnexpectedLambdaException:
		return is(identity.ErrUnavailable)
	}
	if api.ErrorFault() == smithy.FaultServer {
		return is(identity.ErrUnavailable)
	}
	return fmt.Errorf("cognito: %w", err) // a pool or client that the label names wrongly, a right that is missing
}

// notAuthorized tells apart what the pool says with one exception and a text.
func notAuthorized(message string, refused *module.Problem) error {
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
