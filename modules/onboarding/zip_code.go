package onboarding

import "unicode/utf8"

const zipCodeLength = 6 // characters (5.9-zip-length)

// CheckZipCode validates a normalized postal code and returns error codes: exactly six characters (5.9-zip-length). The address register
// decides whether it exists.
func CheckZipCode(code string) []string {
	if utf8.RuneCountInString(code) != zipCodeLength {
		return []string{codeZipCode}
	}
	return nil
}
