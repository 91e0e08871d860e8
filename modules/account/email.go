package account

import (
	"github.com/wattle-portal/wattle/core/value"
)

// CheckEmail validates a normalized email address (5.3-email-pattern).
func CheckEmail(address string) []string {
	if value.IsEmail(address) {
		return nil
	}
	return []string{codeEmailInvalid}
}
