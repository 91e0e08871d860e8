package onboarding

import "unicode/utf8"

const zipCodeLength = 6 // characters (5.9-zip-length)

// CheckZipCode judges a normalised postal code: exactly six characters (5.9-zip-length). Whether it exists the address register says.
func CheckZipCode(code string) []string {
	if utf8.RuneCountInString(code) != zipCodeLength {
		return []string{codeZipCode}
	}
	return nil
}
