package onboarding

import (
	"github.com/wattle-portal/wattle/core/value"
)

// CheckPhone validates a normalized Dutch phone number and returns error codes (5.9-phone, 5.9-phone-rule).
func CheckPhone(number string) []string {
	if value.IsDutchPhone(number) {
		return nil
	}
	return []string{codePhone}
}
