package value

import (
	"regexp"
	"strings"
)

var phoneDutch = regexp.MustCompile(`^(?:0|\+31)[1-9][0-9]{8}$`)

// NormalizePhone removes dashes and spaces and writes a leading +31 or 0031 as 0 (5.4-phone-normalise).
func NormalizePhone(entered string) string {
	n := strings.ReplaceAll(withoutSpace(entered), "-", "")
	for _, prefix := range []string{"+31", "0031"} {
		if rest, ok := strings.CutPrefix(n, prefix); ok {
			return "0" + rest
		}
	}
	return n
}

// IsDutchPhone reports whether a number is a Dutch telephone number: nine digits after 0 or +31 (5.4-phone-dutch).
func IsDutchPhone(number string) bool { return phoneDutch.MatchString(number) }
