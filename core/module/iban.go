package module

import "strings"

// bbans says per country what follows the country and the two check digits: a count and n (digits), a (letters) or c (either), as
// in the IBAN registry of SWIFT, the registration authority of ISO 13616 (with the territories that use another country's).
// National check digits inside are not judged: they are no part of the standard.
var bbans = map[string]string{
	"AD": "8n12c", "AE": "19n", "AL": "8n16c", "AT": "16n", "AX": "14n", "AZ": "4a20c", "BA": "16n",
	"BE": "12n", "BG": "4a6n8c", "BH": "4a14c", "BR": "23n1a1c", "BY": "4a4n16c", "CH": "5n12c", "CR": "18n",
	"CY": "8n16c", "CZ": "20n", "DE": "18n", "DK": "14n", "DO": "4a20n", "EE": "16n", "EG": "25n",
	"ES": "20n", "FI": "14n", "FO": "14n", "FR": "10n11c2n", "GB": "4a14n", "GE": "2c16n", "GF": "10n11c2n",
	"GI": "4a15c", "GL": "14n", "GP": "10n11c2n", "GR": "7n16c", "GT": "24c", "HR": "17n", "HU": "24n",
	"IE": "4c14n", "IL": "19n", "IQ": "4a15n", "IS": "22n", "IT": "1a10n12c", "JO": "4a4n18c", "KW": "4a22c",
	"KZ": "3n13c", "LB": "4n20c", "LC": "4a24c", "LI": "5n12c", "LT": "16n", "LU": "3n13c", "LV": "4a13c",
	"LY": "21n", "MC": "10n11c2n", "MD": "20c", "ME": "18n", "MF": "10n11c2n", "MK": "3n10c2n", "MN": "16n",
	"MQ": "10n11c2n", "MR": "23n", "MT": "4a5n18c", "MU": "4a19n3a", "NC": "10n11c2n", "NI": "4a20n", "NL": "4a10n",
	"NO": "11n", "OM": "3n16c", "PF": "10n11c2n", "PK": "4c16n", "PL": "24n", "PM": "10n11c2n", "PS": "4c21n",
	"PT": "21n", "QA": "4a21c", "RE": "10n11c2n", "RO": "4a16c", "RS": "18n", "RU": "14n15c", "SA": "2n18c",
	"SC": "4a20n3a", "SD": "14n", "SE": "20n", "SI": "15n", "SK": "20n", "SM": "1a10n12c", "SO": "19n",
	"ST": "21n", "SV": "4a20n", "TF": "10n11c2n", "TL": "19n", "TN": "20n", "TR": "5n17c", "UA": "6n19c",
	"VA": "18n", "VG": "4c16n", "WF": "10n11c2n", "XK": "16n", "YE": "4a4n18c", "YT": "10n11c2n",
}

// NormaliseIBAN removes all that is no letter or digit and writes the rest in capitals (5.1-iban-normalise).
func NormaliseIBAN(entered string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case '0' <= r && r <= '9', 'A' <= r && r <= 'Z':
			return r
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		}
		return -1
	}, entered)
}

// ValidIBAN reports whether a normalised IBAN has the format of its country and the right check digits.
func ValidIBAN(iban string) bool {
	if len(iban) < 4 || !allOf(iban[2:4], 'n') {
		return false
	}
	format, known := bbans[iban[:2]]
	return known && fitsBBAN(iban[4:], format) && mod97(iban[4:]+iban[:4]) == 1
}

// fitsBBAN reports whether a text is made as a format such as 4a10n says.
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

// allOf reports whether each character is of a kind: n, a or c.
func allOf(text string, kind byte) bool {
	for _, c := range []byte(text) {
		digit, letter := '0' <= c && c <= '9', 'A' <= c && c <= 'Z'
		if !(digit && kind != 'a' || letter && kind != 'n') {
			return false
		}
	}
	return true
}

// mod97 is the remainder of the number that a text of digits and letters stands for, where A is 10 and Z is 35 (ISO 7064).
func mod97(text string) (rest int) {
	for _, c := range []byte(text) {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
			continue
		}
		rest = (rest*10 + int(c-'0')) % 97
	}
	return rest
}
