package onboarding

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const zipCodeLength = 6 // characters (5.9-zip-length)

// NormaliseZipCode removes spaces and writes the rest in capitals, before anything is counted (5.9-zip-normalise-reconcile).
func NormaliseZipCode(entered string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, entered))
}

// CheckZipCode judges a normalised postal code: exactly six characters (5.9-zip-length). Whether it exists the address register says.
func CheckZipCode(code string) []string {
	if utf8.RuneCountInString(code) != zipCodeLength {
		return []string{codeZipCode}
	}
	return nil
}
