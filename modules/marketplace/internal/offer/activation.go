package offer

import (
	"strings"
	"unicode/utf8"
)

const CodeLength = 11 // 5.7-redeem-length

// checkCode returns the problem codes of the code of a personal offer, which has exactly 11 characters; blanks around it come with pasting
// (5.7-redeem-length).
func checkCode(entered string) []string {
	if utf8.RuneCountInString(strings.TrimSpace(entered)) != CodeLength {
		return []string{CodeCodeInvalid}
	}
	return nil
}
