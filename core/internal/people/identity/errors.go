package identity

import (
	"net/http"

	"github.com/wattle-portal/wattle/core/problem"
)

// Codes of refused auth requests; each of them is a message id (8-id-*).
const (
	CodeWrongCredentials = "wrong_credentials"
	CodeEmptyUsername    = "empty_username"
	CodeEmptyPassword    = "empty_password"
	CodeEmptyCode        = "empty_code"
	CodeTempExpired      = "temp_password_expired"
	CodeCodeInvalid      = "code_invalid"
	CodeInvalidChars     = "invalid_characters"
	CodePasswordPolicy   = "password_policy"
	CodePasswordCommon   = "password_common"
	CodePasswordName     = "password_from_name"
	CodePasswordUsername = "password_from_username"
	CodePasswordEmail    = "password_from_email"
	CodePasswordLabel    = "password_from_label"
	CodeAttempts         = "attempts_exceeded"
	CodeSessionExpired   = "session_expired"
	CodeSessionMismatch  = "session_mismatch"
	CodeCannotReset      = "cannot_reset_password"
	CodeMailTimeout      = "mail_timeout"
	CodePreLogin         = "pre_login_rejected"
	CodeImpersonator     = "impersonator_refused"
	CodeImpersonation    = "impersonation_over"
	CodeReferrer         = "impersonation_referrer"
	CodeUsernameTaken    = "account.username_taken"
	CodeUnsupported      = "unsupported"
)

// passwordFrom is the prefix of codes for a password that is built from data of its owner.
const passwordFrom = "password_from_"

// Problems that a provider returns.
var (
	ErrWrongCredentials = problem.Fail(http.StatusUnauthorized, CodeWrongCredentials)
	ErrTempExpired      = problem.Fail(http.StatusForbidden, CodeTempExpired)
	ErrCodeInvalid      = problem.Fail(http.StatusBadRequest, CodeCodeInvalid)
	ErrInvalidChars     = problem.Fail(http.StatusBadRequest, CodeInvalidChars)
	ErrPasswordPolicy   = problem.Fail(http.StatusBadRequest, CodePasswordPolicy)
	ErrAttempts         = problem.Fail(http.StatusTooManyRequests, CodeAttempts)
	ErrSessionExpired   = problem.Fail(http.StatusUnauthorized, CodeSessionExpired)
	ErrCannotReset      = problem.Fail(http.StatusConflict, CodeCannotReset)
	ErrMailTimeout      = problem.Fail(http.StatusGatewayTimeout, CodeMailTimeout)
	ErrPreLogin         = problem.Fail(http.StatusForbidden, CodePreLogin)
	ErrUnavailable      = problem.Fail(http.StatusServiceUnavailable, problem.CodeUnavailable)
	ErrUnauthorized     = problem.Fail(http.StatusUnauthorized, problem.CodeUnauthorized)
	ErrUnsupported      = problem.Fail(http.StatusConflict, CodeUnsupported)

	errImpersonator = problem.Fail(http.StatusForbidden, CodeImpersonator)
	// An impersonation link works once, within a minute; a support tool's link works only from a referrer that the label allows.
	errImpersonationOver   = problem.Fail(http.StatusBadRequest, CodeImpersonation)
	errImpersonationOrigin = problem.Fail(http.StatusForbidden, CodeReferrer)

	// The token of a request and its session cookie belong to different people.
	errSessionMismatch = problem.Fail(http.StatusConflict, CodeSessionMismatch)

	errUsernameTaken = problem.Fail(http.StatusConflict, CodeUsernameTaken)
	errNotFound      = problem.Fail(http.StatusNotFound, problem.CodeNotFound)
)
