package billing

import (
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// mailIBANRequested returns the mail that notifies the relation's e-mail address of a requested change of bank account. Every locale except
// "en" gets Dutch.
func mailIBANRequested(locale, to, iban string, from value.Day) module.Mail {
	m := module.Mail{To: to, Locale: locale, Button: &module.Button{Path: "/iban"}}
	on := dayText(from)
	if locale == "en" {
		m.Subject, m.Title, m.Button.Text = "You asked us to use another bank account", "Your bank account is about to change", "View your request"
		m.Lines = []string{
			"You asked us to use the account ending in " + lastFour(iban) + " from " + on + " on.",
			"We are processing your request. Until then nothing changes.",
		}
		m.After = []string{"Was this not you? Please contact us straight away."}
		return m
	}
	m.Subject, m.Title, m.Button.Text = "Je vroeg om een ander rekeningnummer", "Je rekeningnummer wordt gewijzigd", "Bekijk je aanvraag"
	m.Lines = []string{
		"Je vroeg ons om vanaf " + on + " de rekening te gebruiken die eindigt op " + lastFour(iban) + ".",
		"We verwerken je aanvraag. Tot die tijd verandert er niets.",
	}
	m.After = []string{"Was jij dit niet? Neem dan meteen contact met ons op."}
	return m
}

// dayText returns a day as the portal shows it, in both languages.
func dayText(d value.Day) string {
	s := d.String() // 2026-11-20
	return s[8:] + "-" + s[5:7] + "-" + s[:4]
}

func lastFour(iban string) string { return iban[max(0, len(iban)-4):] }
