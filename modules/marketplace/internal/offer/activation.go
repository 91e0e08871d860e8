package offer

import (
	"strings"
	"unicode/utf8"
)

const CodeLength = 11 // 5.7-redeem-length

// checkCode returns the error codes for the code of a personal offer, which has exactly 11 characters; surrounding blanks, as pasting
// adds, are ignored (5.7-redeem-length).
func checkCode(entered string) []string {
	if utf8.RuneCountInString(strings.TrimSpace(entered)) != CodeLength {
		return []string{CodeCodeInvalid}
	}
	return nil
}
