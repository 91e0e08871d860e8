// Package problem is how an operation fails: errors with a status and a code, answered as RFC 9457 says.
package problem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"
)

// Errors of DB, Tx and Handle.
var (
	ErrReadOnly = errors.New("read_only")
	ErrNested   = errors.New("nested")
	ErrPending  = errors.New("change_pending")
	ErrDecided  = errors.New("change_decided")
	ErrNotFound = errors.New("not_found")
	ErrRetry    = errors.New("retry")
	// ErrUnavailable is what Call wraps when a sibling could not be reached or failed; the caller sees 503.
	ErrUnavailable = errors.New("unavailable")
)

// Codes that core and the kit know. A module's own code begins with its key: "account.phone_invalid". A code is the id of the
// message that the browser shows.
const (
	CodeRequired      = "required"
	CodeInvalid       = "invalid"
	CodeUnknownField  = "unknown_field"
	CodeTooShort      = "too_short"
	CodeTooLong       = "too_long"
	CodeNotFound      = "not_found"
	CodeForbidden     = "forbidden"
	CodeReadOnly      = "read_only"
	CodeKeyScope      = "key_scope_missing" // an API key that may not do this
	CodeNoRelation    = "no_relation"
	CodeUnauthorized  = "unauthorized"
	CodePending       = "change_pending"
	CodeDecided       = "change_decided"
	CodeInternal      = "internal"
	CodeUnavailable   = "unavailable"
	CodeTooLarge      = "too_large"
	CodeMalformed     = "malformed"
	CodeTooManyCalls  = "too_many_calls"
	CodeModuleOff     = "module_not_enabled"
	CodeLabelMismatch = "label_mismatch"
	CodeUnknownLabel  = "unknown_label"
)

// Problem is an RFC 9457 answer. It never holds a submitted value, a stack trace, an internal path or data of others.
// Code is also the id of the translated text (8-error-body).
type Problem struct {
	Status int          `json:"status" doc:"HTTP status"`
	Title  string       `json:"title" doc:"English summary of the status; show the text of code instead"`
	Code   string       `json:"code" doc:"What went wrong; also the id of the translated text"`
	Errors []FieldError `json:"errors,omitempty" doc:"For a refused form: what is wrong where"`
}

// FieldError is what is wrong with one field of a form.
type FieldError struct {
	Field string `json:"field" doc:"Name of the field in the request, dotted where nested"`
	Code  string `json:"code" doc:"What is wrong with it; also the id of the translated text"`
}

// Fail makes an error that is answered with the given status and code.
func Fail(status int, code string, fields ...FieldError) *Problem {
	return &Problem{Status: status, Title: http.StatusText(status), Code: code, Errors: fields}
}

// Refuse is a 400 for a form with errors, one or more of them; nil without any.
func Refuse(fields ...FieldError) error {
	if len(fields) == 0 {
		return nil
	}
	return Fail(http.StatusBadRequest, CodeInvalid, fields...)
}

// Error names the code, never a value.
func (p *Problem) Error() string { return fmt.Sprintf("%d %s", p.Status, p.Code) }

// GetStatus makes a Problem a huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType is that of RFC 9457.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// retryAfter is when the caller of an answer 503 may try again, in seconds: as long as an outage takes to be noticed or to end.
const retryAfter = "5"

// GetHeaders gives every 503 its Retry-After (huma.HeadersError).
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.Status == http.StatusServiceUnavailable {
		h.Set("Retry-After", retryAfter)
	}
	return h
}

var unavailable atomic.Pointer[func(error) bool]

// ReadDatabaseErrors sets how Of knows the errors of a database that cannot serve: it is away, busy, read-only or full. The
// store of core calls it, in the portal's process and in a plugin's; a module has no use for it.
func ReadDatabaseErrors(f func(error) bool) { unavailable.Store(&f) }

// Of turns any error into what a caller may see: a Problem stays, the errors of DB and Tx get their status, a database that is
// away, read-only or full is 503, anything else is a bare 500.
func Of(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	switch {
	case errors.Is(err, ErrReadOnly):
		return Fail(http.StatusForbidden, CodeReadOnly)
	case errors.Is(err, ErrPending):
		return Fail(http.StatusConflict, CodePending)
	case errors.Is(err, ErrDecided):
		return Fail(http.StatusConflict, CodeDecided)
	case errors.Is(err, ErrNotFound):
		return Fail(http.StatusNotFound, CodeNotFound)
	case errors.Is(err, ErrUnavailable):
		return Fail(http.StatusServiceUnavailable, CodeUnavailable)
	}
	if f := unavailable.Load(); f != nil && (*f)(err) { // 9-database-unavailable
		return Fail(http.StatusServiceUnavailable, CodeUnavailable)
	}
	return Fail(http.StatusInternalServerError, CodeInternal)
}

// huma echoes submitted values in its errors (an unknown field echoes the whole body), so every error is made ours here: of its
// details only the place and a code survive.
func init() {
	huma.NewError = func(status int, _ string, errs ...error) huma.StatusError {
		var fields []FieldError
		for _, err := range errs {
			if p, ok := errors.AsType[*Problem](err); ok {
				return p
			}
			if d, ok := errors.AsType[*huma.ErrorDetail](err); ok {
				fields = append(fields, fieldError(d))
				continue
			}
			if p := Of(err); p.Code != CodeInternal {
				return p
			}
		}
		switch {
		case status == http.StatusUnprocessableEntity:
			return Fail(http.StatusBadRequest, CodeInvalid, fields...) // a refused form is 400 everywhere
		case status == http.StatusBadRequest:
			return Fail(status, CodeMalformed, fields...)
		case status == http.StatusRequestEntityTooLarge:
			return Fail(status, CodeTooLarge)
		case status >= 500:
			return Fail(status, CodeInternal)
		}
		return Fail(status, strings.ReplaceAll(strings.ToLower(http.StatusText(status)), " ", "_"), fields...)
	}
	huma.NewErrorWithContext = func(_ huma.Context, status int, msg string, errs ...error) huma.StatusError {
		return huma.NewError(status, msg, errs...)
	}
}

// fieldError keeps the place and a code of what huma found. The name of a field that we do not know is the caller's own text, so
// it is left out.
func fieldError(d *huma.ErrorDetail) FieldError {
	place := d.Location
	if _, rest, in := strings.Cut(place, "."); in { // "body.address.city": the first part says where, not what
		place = rest
	} else if place == "body" {
		place = ""
	}
	within := func(name string) string {
		if place == "" {
			return name
		}
		return place + "." + name
	}
	switch message := d.Message; {
	case message == validation.MsgUnexpectedProperty:
		parent, _, _ := cutLast(place, ".")
		return FieldError{parent, CodeUnknownField}
	case matches(message, validation.MsgExpectedRequiredProperty):
		return FieldError{within(word(message, validation.MsgExpectedRequiredProperty)), CodeRequired}
	case strings.HasPrefix(message, "required "):
		return FieldError{place, CodeRequired}
	case matches(message, validation.MsgExpectedMinLength), matches(message, validation.MsgExpectedMinimumNumber):
		return FieldError{place, CodeTooShort}
	case matches(message, validation.MsgExpectedMaxLength), matches(message, validation.MsgExpectedMaximumNumber):
		return FieldError{place, CodeTooLong}
	default:
		return FieldError{place, CodeInvalid}
	}
}

// matches reports whether a message was made from a format with one verb.
func matches(message, format string) bool {
	before, after, _ := strings.Cut(format, "%")
	return strings.HasPrefix(message, before) && (len(after) < 2 || strings.HasSuffix(message, after[1:]))
}

// word is what stands in a message where its format has the verb.
func word(message, format string) string {
	before, after, _ := strings.Cut(format, "%")
	return strings.TrimSuffix(strings.TrimPrefix(message, before), after[1:])
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

type observerKey struct{}

// WithObserver returns a context whose internal errors are passed to f. Core logs them with the request's id.
func WithObserver(ctx context.Context, f func(error)) context.Context {
	return context.WithValue(ctx, observerKey{}, f)
}

// Observe reports an internal error that the caller must not see.
func Observe(ctx context.Context, err error) {
	if f, ok := ctx.Value(observerKey{}).(func(error)); ok {
		f(err)
	}
}

// Write answers with a problem outside of huma.
func Write(w http.ResponseWriter, p *Problem) {
	w.Header().Set("Content-Type", "application/problem+json")
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the caller is gone when this fails
}
