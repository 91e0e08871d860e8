package identity

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// NormaliseUsername trims and lower-cases, before every use (5.10-sign-in-normalise).
func NormaliseUsername(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// ImpersonatorName is the username of an impersonator's session: prefixed, once (5.10-impersonator-prefix).
func ImpersonatorName(username string) string {
	return impersonatorPrefix + strings.TrimPrefix(NormaliseUsername(username), impersonatorPrefix)
}

const impersonatorPrefix = "impersonator_"

// wellFormed refuses control characters, broken UTF-8 and more than 128 characters (8-id-invalid-chars).
func wellFormed(s string) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= fieldMax && !strings.ContainsFunc(s, unicode.IsControl)
}
