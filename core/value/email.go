package value

import (
	"regexp"
	"strings"
	"unicode"
)

// Maximum lengths in characters (RFC 5321, 4.5.3.1). The pattern limits a label of the domain to 63 (RFC 1035, 2.3.4).
const (
	maxEmail      = 254
	maxEmailLocal = 64 // the part before the @
)

var emailPattern = regexp.MustCompile(
	`^[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+)*` +
		`@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}$`)

// NormalizeEmail removes all white space (5.3-email-normalise).
func NormalizeEmail(entered string) string { return withoutSpace(entered) }

// IsEmail reports whether a normalized address has the format of an e-mail address: it matches the usual pattern, its top-level domain has
// 2 to 24 letters, and its local part has no dot at the start or end and no two dots in a row. It has at most 254 characters, of which 64
// before the @ and 63 in each label of the domain (5.3-email-pattern, 5.9-email-extra).
func IsEmail(address string) bool {
	return len(address) <= maxEmail && strings.IndexByte(address, '@') <= maxEmailLocal && emailPattern.MatchString(address)
}

func withoutSpace(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}
