package account

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
func NormaliseEmail(entered string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, entered)
}

// CheckEmail judges a normalised address: the usual pattern, with a top-level domain of 2 to 24 letters (5.3-email-pattern).
func CheckEmail(address string) []string {
	if len(address) <= emailMax && emailPattern.MatchString(address) {
		return nil
	}
	return []string{codeEmailInvalid}
}
