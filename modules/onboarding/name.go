package onboarding

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// namePattern matches letters and digits, with an apostrophe or hyphen between two of them, as in Dutch names (D'Ancona, Smit-Jansen).
// An accent may be part of a letter or follow it.
var namePattern = regexp.MustCompile(`^[\p{L}\p{M}0-9]+(?:['’-][\p{L}\p{M}0-9]+)*$`)

// NormalizeName trims the name and composes accented letters (NFC), so that equal names are equal strings.
func NormalizeName(entered string) string { return norm.NFC.String(strings.TrimSpace(entered)) }

// CheckName validates a normalized preferred or last name and returns error codes: letters and digits, no digit at the start or the end,
// no underscore and no space (5.9-names, 5.9-names-reconcile, docs/decisions/0021).
func CheckName(name string) []string {
	if !namePattern.MatchString(name) || digit(name[0]) || digit(name[len(name)-1]) {
		return []string{codeName}
	}
	return nil
}

func digit(b byte) bool { return '0' <= b && b <= '9' }
