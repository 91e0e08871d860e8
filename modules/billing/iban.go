package billing

import (
	"github.com/wattle-portal/wattle/core/value"
)

const (
	ibanMin = 15 // characters (5.1-iban-length)
	ibanMax = 31
)

// CheckIBAN judges a normalised IBAN that is to take the place of the current one (5.1-iban-required, 5.1-iban-same,
// 5.1-iban-length, 5.1-iban-checksum-reconcile).
func CheckIBAN(iban, current string) []string {
	switch {
	case iban == "":
		return []string{codeIBANRequired}
	case iban == value.NormaliseIBAN(current), len(iban) < ibanMin, len(iban) > ibanMax, !value.ValidIBAN(iban):
		return []string{codeIBANNotValid}
	}
	return nil
}
