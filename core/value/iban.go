package value

import "strings"

// bbans, in iban_gen.go, contains the format of the account number per country, after the country code and the two check digits: a count
// followed by n (digits), a (letters) or c (either), as in the IBAN registry of SWIFT, the registration authority of ISO 13616
// (9-iban-registry). National check digits are not verified, because they are not part of the standard.

// NormalizeIBAN removes everything except letters and digits, and the word IBAN at the start. It returns the rest in upper case
// (5.1-iban-normalise).
func NormalizeIBAN(entered string) string {
	return strings.TrimPrefix(strings.Map(func(r rune) rune {
		switch {
		case '0' <= r && r <= '9', 'A' <= r && r <= 'Z':
			return r
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		}
		return -1
	}, entered), "IBAN")
}

// ValidIBAN reports whether a normalized IBAN has the format of its country and correct check digits.
func ValidIBAN(iban string) bool {
	if len(iban) < 4 || !allOf(iban[2:4], 'n') {
		return false
	}
	format, known := bbans[iban[:2]]
	return known && fitsBBAN(iban[4:], format) && mod97(iban[4:]+iban[:4]) == 1
}

// fitsBBAN reports whether text matches a format such as 4a10n.
func fitsBBAN(text, format string) bool {
	count := 0
	for _, c := range []byte(format) {
		if '0' <= c && c <= '9' {
			count = count*10 + int(c-'0')
			continue
		}
		if len(text) < count || !allOf(text[:count], c) {
			return false
		}
		text, count = text[count:], 0
	}
	return text == ""
}

// allOf reports whether all characters of text are of one kind: n, a or c.
func allOf(text string, kind byte) bool {
	for _, c := range []byte(text) {
		digit, letter := '0' <= c && c <= '9', 'A' <= c && c <= 'Z'
		if !(digit && kind != 'a' || letter && kind != 'n') {
			return false
		}
	}
	return true
}

// mod97 returns, modulo 97, the number that text represents when A is 10 and Z is 35 (ISO 7064).
func mod97(text string) (remainder int) {
	for _, c := range []byte(text) {
		if c >= 'A' {
			remainder = (remainder*100 + int(c-'A') + 10) % 97
			continue
		}
		remainder = (remainder*10 + int(c-'0')) % 97
	}
	return remainder
}
