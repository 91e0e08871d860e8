package onboarding

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const emailMax = 254 // characters (5.9-email-extra)

var emailPattern = regexp.MustCompile(
	`^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,24}$`)

// NormaliseEmail removes all white space.
func NormaliseEmail(entered string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, entered)
}

// CheckEmail judges a normalised address: a valid format (5.9-email), and beyond that no two dots in a row, no dot at the start or
// the end of what stands before the @, and at most 254 characters (5.9-email-extra).
func CheckEmail(address string) []string {
	local, _, _ := strings.Cut(address, "@")
	if !emailPattern.MatchString(address) || strings.Contains(address, "..") ||
		strings.HasPrefix(local, ".") || strings.HasSuffix(local, ".") || utf8.RuneCountInString(address) > emailMax {
		return []string{codeEmail}
	}
	return nil
}
