package onboarding

import "github.com/wattle-portal/wattle/core/module"

// CheckEmail judges a normalised address (5.9-email, 5.9-email-extra).
func CheckEmail(address string) []string {
	if module.IsEmail(address) {
		return nil
	}
	return []string{codeEmail}
}
