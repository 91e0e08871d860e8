package identity

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

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

// maxNameLength is the maximum length of the name of a person in characters: first name, prefix and last name, each as long as a form of
// a module accepts.
const maxNameLength = 300

// isPersonName reports whether a string may be the name of a person, or empty.
func isPersonName(s string) bool { return hasLength(s, maxNameLength) }

func hasLength(s string, most int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= most && !strings.ContainsFunc(s, unicode.IsControl)
}
