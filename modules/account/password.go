package account

import (
	"strings"
	"unicode/utf8"
)

// Minimum and maximum length of a password in the form, in characters (5.5-password-rule). The identity service requires at least 8, so a
// password of 6 or 7 characters passes this check and is refused there with password_policy (5.5-password-length-reconcile).
const (
	minPassword = 6
	maxPassword = 50
)

// CheckPassword validates a new password: a digit, a lower-case and an upper-case letter, 6 to 50 characters. The browser applies the same
// rule; the identity service decides.
func CheckPassword(entered string) []string {
	n := utf8.RuneCountInString(entered)
	if n < minPassword || n > maxPassword ||
		!strings.ContainsFunc(entered, inRange('0', '9')) ||
		!strings.ContainsFunc(entered, inRange('a', 'z')) ||
		!strings.ContainsFunc(entered, inRange('A', 'Z')) {
		return []string{codePasswordRule}
	}
	return nil
}

func inRange(lo, hi rune) func(rune) bool { return func(r rune) bool { return lo <= r && r <= hi } }
