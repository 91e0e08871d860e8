package offer

import (
	"strings"
	"unicode/utf8"
)

const CodeLength = 11 // 5.7-redeem-length

// CheckCode judges the code of a personal offer: exactly 11 characters; blanks around it come with pasting (5.7-redeem-length).
func CheckCode(entered string) []string {
	if utf8.RuneCountInString(strings.TrimSpace(entered)) != CodeLength {
		return []string{CodeCodeInvalid}
	}
	return nil
}
