package account

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	phoneDutch         = regexp.MustCompile(`^(?:0|\+31)[1-9][0-9]{8}$`)
	phoneInternational = regexp.MustCompile(`^\+[0-9]{9,12}$`)
)

// NormalisePhone removes dashes and spaces and writes a leading +31 or 0031 as 0 (5.4-phone-normalise).
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

// CheckPhone judges a number as it stands (5.4-phone-dutch, 5.4-phone-international). A form normalises first.
func CheckPhone(number string) []string {
	if phoneDutch.MatchString(number) || phoneInternational.MatchString(number) {
		return nil
	}
	return []string{codePhoneInvalid}
}

// ReadPhone takes a number from a request: as sent it must already fit, and so must what it is normalised to
// (5.4-phone-request-format, 5.4-phone-request-format-reconcile).
func ReadPhone(sent string) (string, []string) {
	if codes := CheckPhone(sent); codes != nil {
		return "", codes
	}
	number := NormalisePhone(sent)
	return number, CheckPhone(number)
}
