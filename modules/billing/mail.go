package billing

import (
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// mailIBANRequested returns the email that notifies the relation's email address of a requested bank account change.
func mailIBANRequested(locale, to, iban string, from value.Day) module.Mail {
	m := texts.Mail(locale, "billing.mail.iban_requested", module.Values{"day": dayText(from), "digits": lastFour(iban)})
	m.To, m.Button.Path, m.Security = to, "/iban", true
	return m
}

// dayText formats a day as the portal shows it, which is the same in both languages.
func dayText(d value.Day) string {
	s := d.String() // 2026-11-20
	return s[8:] + "-" + s[5:7] + "-" + s[:4]
}

func lastFour(iban string) string { return iban[max(0, len(iban)-4):] }
