package account

import (
	"regexp"

	"github.com/wattle-portal/wattle/core/value"
)

var phoneInternational = regexp.MustCompile(`^\+[0-9]{9,12}$`)

// CheckPhone validates a phone number as entered (5.4-phone-dutch, 5.4-phone-international) and returns the problem codes. Forms normalize
// the number before they call it.
func CheckPhone(number string) []string {
	if value.IsDutchPhone(number) || phoneInternational.MatchString(number) {
		return nil
	}
	return []string{codePhoneInvalid}
}

// ParsePhone normalizes a phone number from a request. The number must be valid both as sent and after normalization
// (5.4-phone-request-format, 5.4-phone-request-format-reconcile).
func ParsePhone(sent string) (string, []string) {
	if codes := CheckPhone(sent); codes != nil {
		return "", codes
	}
	number := value.NormalizePhone(sent)
	return number, CheckPhone(number)
}
