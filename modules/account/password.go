package account

import (
	"strings"
	"unicode/utf8"
)

// Bounds of the password form, in characters (5.5-password-rule). The identity service demands more: at least 8, so a password
// of 6 or 7 passes here and comes back as password_policy (5.5-password-length-reconcile).
const (
	passwordMin = 6
	passwordMax = 50
)

// CheckPassword is the rule of the change form for a new password: a digit, a lower-case and an upper-case letter, 6 to 50
// characters. The browser runs its twin; the identity service has the last word.
func CheckPassword(entered string) []string {
	n := utf8.RuneCountInString(entered)
	if n < passwordMin || n > passwordMax ||
		!strings.ContainsFunc(entered, between('0', '9')) ||
		!strings.ContainsFunc(entered, between('a', 'z')) ||
		!strings.ContainsFunc(entered, between('A', 'Z')) {
		return []string{codePasswordRule}
	}
	return nil
}

func between(lo, hi rune) func(rune) bool { return func(r rune) bool { return lo <= r && r <= hi } }
