package onboarding

import (
	"regexp"
	"strings"
	"unicode"
)

var phoneDutch = regexp.MustCompile(`^(?:0|\+31)[1-9][0-9]{8}$`)

// NormalisePhone removes dashes and spaces and writes a leading +31 or 0031 as 0, as module account does (5.9-phone-rule).
func NormalisePhone(entered string) string {
	n := strings.Map(func(r rune) rune {
		if r == '-' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, entered)
	for _, prefix := range []string{"+31", "0031"} {
		if rest, ok := strings.CutPrefix(n, prefix); ok {
			return "0" + rest
		}
	}
	return n
}

// CheckPhone judges a normalised number: it must be a Dutch one (5.9-phone, 5.9-phone-rule).
func CheckPhone(number string) []string {
	if phoneDutch.MatchString(number) {
		return nil
	}
	return []string{codePhone}
}
