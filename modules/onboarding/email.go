package onboarding

import (
	"github.com/wattle-portal/wattle/core/value"
)

// CheckEmail validates a normalized address and returns error codes (5.9-email, 5.9-email-extra).
func CheckEmail(address string) []string {
	if value.IsEmail(address) {
		return nil
	}
	return []string{codeEmail}
}
