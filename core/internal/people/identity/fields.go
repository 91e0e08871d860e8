package identity

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/problem"
)

// maxFieldLength is the maximum length of every field of an auth operation, in characters (8-id-invalid-chars).
const maxFieldLength = 128

// NormalizeUsername trims a username and converts it to lower case (5.10-sign-in-normalise). Every use of a username begins with
// it.
func NormalizeUsername(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// ImpersonatorName returns the username in an impersonator's session: prefixed exactly once (5.10-impersonator-prefix).
func ImpersonatorName(username string) string {
	return impersonatorPrefix + strings.TrimPrefix(NormalizeUsername(username), impersonatorPrefix)
}

const impersonatorPrefix = "impersonator_"

// isWellFormed reports whether a string is valid UTF-8 without control characters and has at most 128 characters
// (8-id-invalid-chars).
func isWellFormed(s string) bool { return hasLength(s, maxFieldLength) }

// maxNameLength is the maximum length of a person's name in characters: first name, prefix and last name, each with the maximum length in
// the forms of modules.
const maxNameLength = 300

// maxPreferredLength is the maximum length of a first name in characters, the same as in the registration form.
const maxPreferredLength = 100

// isPersonName reports whether a string is empty or may be a person's name.
func isPersonName(s string) bool { return hasLength(s, maxNameLength) }

func hasLength(s string, most int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= most && !strings.ContainsFunc(s, unicode.IsControl)
}

type field struct{ name, value, empty string }

// checkFields returns a problem for the first empty field, with the code of that field (8-id-empty-fields), or for the first field
// with control characters or more than 128 characters (8-id-invalid-chars).
func checkFields(fs ...field) error {
	for _, f := range fs {
		if f.value == "" {
			return problem.Fail(http.StatusBadRequest, f.empty, problem.FieldError{Field: f.name, Code: f.empty})
		}
	}
	for _, f := range fs {
		if !isWellFormed(f.value) {
			return problem.Fail(http.StatusBadRequest, CodeInvalidChars, problem.FieldError{Field: f.name, Code: CodeInvalidChars})
		}
	}
	return nil
}
