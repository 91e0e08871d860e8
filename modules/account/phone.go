package account

import (
	"regexp"

	"github.com/wattle-portal/wattle/core/value"
)

var phoneInternational = regexp.MustCompile(`^\+[0-9]{9,12}$`)

// CheckPhone judges a number as it stands (5.4-phone-dutch, 5.4-phone-international). A form normalises first.
func CheckPhone(number string) []string {
	if value.IsDutchPhone(number) || phoneInternational.MatchString(number) {
		return nil
	}
	return []string{codePhoneInvalid}
}

// ReadPhone takes a number from a request: as sent it must already fit, and so must what it is normalised to
// (5.4-phone-request-format, 5.4-phone-request-format-reconcile).
func ReadPhone(sent string) (string, []string) {
	if codes := CheckPhone(sent); codes != nil {
		return "", codes
	}
	number := value.NormalisePhone(sent)
	return number, CheckPhone(number)
}
