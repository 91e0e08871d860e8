package identity

import (
	"net/http"

	"github.com/wattle-portal/wattle/core/module"
)

// Codes of a refused auth call; each is the id of a message (8-id-*).
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
	CodeCannotReset      = "cannot_reset_password"
	CodeMailTimeout      = "mail_timeout"
	CodePreLogin         = "pre_login_rejected"
	CodeImpersonator     = "impersonator_refused"
	CodeImpersonation    = "impersonation_over"
	CodeReferrer         = "impersonation_referrer"
	CodeUsernameTaken    = "account.username_taken"
	CodeUnsupported      = "unsupported"
)

// passwordFrom begins the codes of a password that is built from what belongs to its owner.
const passwordFrom = "password_from_"

// The problems that a provider answers with.
var (
	ErrWrongCredentials = module.Fail(http.StatusUnauthorized, CodeWrongCredentials)
	ErrTempExpired      = module.Fail(http.StatusForbidden, CodeTempExpired)
	ErrCodeInvalid      = module.Fail(http.StatusBadRequest, CodeCodeInvalid)
	ErrInvalidChars     = module.Fail(http.StatusBadRequest, CodeInvalidChars)
	ErrPasswordPolicy   = module.Fail(http.StatusBadRequest, CodePasswordPolicy)
	ErrAttempts         = module.Fail(http.StatusTooManyRequests, CodeAttempts)
	ErrSessionExpired   = module.Fail(http.StatusUnauthorized, CodeSessionExpired)
	ErrCannotReset      = module.Fail(http.StatusConflict, CodeCannotReset)
	ErrMailTimeout      = module.Fail(http.StatusGatewayTimeout, CodeMailTimeout)
	ErrPreLogin         = module.Fail(http.StatusForbidden, CodePreLogin)
	ErrUnavailable      = module.Fail(http.StatusServiceUnavailable, module.CodeUnavailable)
	ErrUnauthorized     = module.Fail(http.StatusUnauthorized, module.CodeUnauthorized)
	ErrUnsupported      = module.Fail(http.StatusConflict, CodeUnsupported)

	errImpersonator = module.Fail(http.StatusForbidden, CodeImpersonator)
	// A link to look along works once and for a minute; one of a support tool only from where the label allows.
	errImpersonationOver   = module.Fail(http.StatusBadRequest, CodeImpersonation)
	errImpersonationOrigin = module.Fail(http.StatusForbidden, CodeReferrer)

	errTaken    = module.Fail(http.StatusConflict, CodeUsernameTaken)
	errNotFound = module.Fail(http.StatusNotFound, module.CodeNotFound)
)
