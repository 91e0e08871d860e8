package onboarding

import (
	"github.com/wattle-portal/wattle/core/value"
)

// CheckPhone judges a normalised number: it must be a Dutch one (5.9-phone, 5.9-phone-rule).
func CheckPhone(number string) []string {
	if value.IsDutchPhone(number) {
		return nil
	}
	return []string{codePhone}
}
