package onboarding

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Letters and digits, with an apostrophe or a hyphen between two of them, as Dutch names have (D'Ancona, Smit-Jansen). Accents may
// be part of a letter or follow it.
var namePattern = regexp.MustCompile(`^[\p{L}\p{M}0-9]+(?:['’-][\p{L}\p{M}0-9]+)*$`)

// NormaliseName trims and writes accented letters in one piece, so that the same name is the same text from any keyboard.
func NormaliseName(entered string) string { return norm.NFC.String(strings.TrimSpace(entered)) }

// CheckName judges a normalised preferred or last name: letters and digits, no digit at the beginning or the end; an underscore
// (beside a digit or not) and a space are refused (5.9-names, 5.9-names-reconcile, docs/decisions/0021).
func CheckName(name string) []string {
	if !namePattern.MatchString(name) || digit(name[0]) || digit(name[len(name)-1]) {
		return []string{codeName}
	}
	return nil
}

func digit(b byte) bool { return '0' <= b && b <= '9' }
