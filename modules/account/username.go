package account

import (
	"strings"
	"unicode/utf8"
)

const usernameMin = 6 // characters (5.5-username-min)

// NormaliseUsername writes a username the way sign-in reads it: trimmed, in lower case.
func NormaliseUsername(entered string) string { return strings.ToLower(strings.TrimSpace(entered)) }

// CheckUsername judges a normalised username (5.5-username-min). Whether it is taken only core's accounts know (5.5-username-unique).
func CheckUsername(name string) []string {
	if utf8.RuneCountInString(name) < usernameMin {
		return []string{codeUsernameTooShort}
	}
	return nil
}
