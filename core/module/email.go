package module

import (
	"regexp"
	"strings"
	"unicode"
)

const emailMax = 254 // characters, RFC 5321

var emailPattern = regexp.MustCompile(
	`^[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+)*` +
		`@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,24}$`)

// NormaliseEmail removes all white space (5.3-email-normalise).
func NormaliseEmail(entered string) string { return withoutSpace(entered) }

// IsEmail says whether a normalised address has the form of one: the usual pattern, with a top-level domain of 2 to 24 letters, no
// dot at either end of what stands before the @ and no two in a row, at most 254 characters (5.3-email-pattern, 5.9-email-extra).
func IsEmail(address string) bool {
	return len(address) <= emailMax && emailPattern.MatchString(address)
}

func withoutSpace(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}
