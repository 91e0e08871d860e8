package billing

import (
	"github.com/wattle-portal/wattle/core/value"
)

const (
	minIBAN = 15 // characters (5.1-iban-length)
	maxIBAN = 31
)

// CheckIBAN validates a normalized new IBAN; current is the one in use (5.1-iban-required, 5.1-iban-same, 5.1-iban-length,
// 5.1-iban-checksum-reconcile).
func CheckIBAN(iban, current string) []string {
	switch {
	case iban == "":
		return []string{codeIBANRequired}
	case iban == value.NormalizeIBAN(current), len(iban) < minIBAN, len(iban) > maxIBAN, !value.ValidIBAN(iban):
		return []string{codeIBANNotValid}
	}
	return nil
}
