package account

import (
	"strings"
	"unicode/utf8"
)

const minUsername = 6 // characters (5.5-username-min)

// NormalizeUsername trims a username and converts it to lower case, as sign-in does.
func NormalizeUsername(entered string) string { return strings.ToLower(strings.TrimSpace(entered)) }

// CheckUsername validates the length of a normalized username (5.5-username-min). Core checks whether it is taken (5.5-username-unique).
func CheckUsername(name string) []string {
	if utf8.RuneCountInString(name) < minUsername {
		return []string{codeUsernameTooShort}
	}
	return nil
}
