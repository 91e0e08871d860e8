// Package problem defines the errors of operations: a status and a code, sent as problem details (RFC 9457).
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
	// ErrUnavailable is wrapped by the error of a call to a sibling that failed or could not be reached. The caller receives a 503.
	ErrUnavailable = errors.New("unavailable")
)

// Codes of core and of @wattle/ui. A code of a module begins with its key: "account.phone_invalid". A code is the id of the message that
// the browser shows.
const (
	CodeRequired      = "required"
	CodeInvalid       = "invalid"
	CodeUnknownField  = "unknown_field"
	CodeTooShort      = "too_short"
	CodeTooLong       = "too_long"
	CodeNotFound      = "not_found"
	CodeForbidden     = "forbidden"
	CodeReadOnly      = "read_only"
	CodeKeyScope      = "key_scope_missing" // the API key does not have the scope of the operation
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

// Problem is the body of an error response (RFC 9457). It never contains a submitted value, a stack trace, an internal path or data of
// other people. Code is also the id of the translated text (8-error-body).
type Problem struct {
	Status int          `json:"status" doc:"HTTP status"`
	Title  string       `json:"title" doc:"English summary of the status; show the text of code instead"`
	Code   string       `json:"code" doc:"Error code; also the id of the translated text"`
	Detail string       `json:"detail,omitempty" doc:"English sentence for developers: what the code means, or the codes of the fields"`
	Errors []FieldError `json:"errors,omitempty" doc:"Errors in fields of the request"`

	header http.Header
}

// FieldError is an error in one field of a form.
type FieldError struct {
	Field string `json:"field" doc:"Name of the field in the request; nested names are separated by dots"`
	Code  string `json:"code" doc:"Error code; also the id of the translated text"`
}

// Fail returns an error that becomes a response with the given status and code.
func Fail(status int, code string, fields ...FieldError) *Problem {
	return &Problem{Status: status, Title: http.StatusText(status), Code: code, Errors: fields}
}

// Refuse returns a 400 for a form with errors in the given fields, or nil if there are none.
func Refuse(fields ...FieldError) error {
	if len(fields) == 0 {
		return nil
	}
	return Fail(http.StatusBadRequest, CodeInvalid, fields...)
}

// MarshalJSON adds the detail.
func (p Problem) MarshalJSON() ([]byte, error) {
	type plain Problem // without this method
	if p.Detail == "" {
		p.Detail = p.detail()
	}
	return json.Marshal(plain(p))
}

// Error returns status and code, never a value.
func (p *Problem) Error() string { return fmt.Sprintf("%d %s", p.Status, p.Code) }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type of RFC 9457.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// retryAfter is the value of Retry-After in seconds: about the time until an outage is detected or ends.
const retryAfter = "5"

// WithHeader returns the problem with an additional response header.
func (p *Problem) WithHeader(name, value string) *Problem {
	with := *p
	if with.header = p.header.Clone(); with.header == nil {
		with.header = http.Header{}
	}
	with.header.Add(name, value)
	return &with
}

// GetHeaders returns the headers of WithHeader and, for every 503, Retry-After (huma.HeadersError).
func (p *Problem) GetHeaders() http.Header {
	h := p.header.Clone()
	if h == nil {
		h = http.Header{}
	}
	if p.Status == http.StatusServiceUnavailable {
		h.Set("Retry-After", retryAfter)
	}
	return h
}

var unavailable atomic.Pointer[func(error) bool]

// ReadDatabaseErrors sets the function with which Of recognizes the errors of a database that is unreachable, busy, read-only or full.
// Core's store calls it, in the process of the portal and of a plugin; modules do not need it.
func ReadDatabaseErrors(f func(error) bool) { unavailable.Store(&f) }

// Of converts any error to an error that a caller may see. A Problem is returned unchanged, errors of DB and Tx get their status, a
// database that is unreachable, read-only or full becomes a 503, and any other error becomes a 500 without details.
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

// The errors of huma repeat submitted values (for an unknown field, the whole body), so every error is converted here: only the location
// and a code are kept from its details.
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
			return Fail(http.StatusBadRequest, CodeInvalid, fields...) // a refused form is a 400, not huma's 422
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

// fieldError returns the location and the code of a huma error. The name of an unknown field comes from the caller, so it is omitted if it
// is not like the name of a field (11-problem-unknown-field).
func fieldError(d *huma.ErrorDetail) FieldError {
	place := d.Location
	if _, rest, in := strings.Cut(place, "."); in { // "body.address.city": the first part is the location in the request, not a field
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
		if !fieldName.MatchString(place) {
			place, _, _ = cutLast(place, ".")
		}
		if !fieldName.MatchString(place) { // a name with a dot in it
			place = ""
		}
		return FieldError{place, CodeUnknownField}
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

// matches reports whether message was created from a format with one verb.
func matches(message, format string) bool {
	before, after, _ := strings.Cut(format, "%")
	return strings.HasPrefix(message, before) && (len(after) < 2 || strings.HasSuffix(message, after[1:]))
}

// word returns the part of message that replaces the verb in format.
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

// WithObserver returns a context whose internal errors are passed to f. Core logs them with the request id.
func WithObserver(ctx context.Context, f func(error)) context.Context {
	return context.WithValue(ctx, observerKey{}, f)
}

// Observe passes an internal error, which the caller must not see, to the observer of ctx.
func Observe(ctx context.Context, err error) {
	if f, ok := ctx.Value(observerKey{}).(func(error)); ok {
		f(err)
	}
}

// Write sends a problem as the response, outside of huma.
func Write(w http.ResponseWriter, p *Problem) {
	w.Header().Set("Content-Type", "application/problem+json")
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // fails only when the client disconnected
}
