package onboarding

import (
	"github.com/wattle-portal/wattle/core/value"
)

// CheckEmail judges a normalised address (5.9-email, 5.9-email-extra).
func CheckEmail(address string) []string {
	if value.IsEmail(address) {
		return nil
	}
	return []string{codeEmail}
}
