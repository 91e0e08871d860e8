package account

import "github.com/wattle-portal/wattle/core/module"

// Each function returns one mail in Dutch or English; every locale except "en" gets Dutch.

// mailVerify returns the mail that asks the owner of the new address to confirm it.
func mailVerify(locale, to, token string) module.Mail {
	m := module.Mail{To: to, Locale: locale, Button: &module.Button{Path: "/verify/" + token}}
	if locale == "en" {
		m.Subject, m.Title, m.Button.Text = "Confirm your new email address", "Is this your new email address?", "Confirm email address"
		m.Lines = []string{
			"You asked us to use this address from now on. Confirm it with the button below.",
			"Until then we keep writing to your current address.",
		}
		m.After = []string{"The button works for 7 days. Did you not ask for this? Then do nothing, and nothing changes."}
		return m
	}
	m.Subject, m.Title, m.Button.Text = "Bevestig je nieuwe e-mailadres", "Is dit je nieuwe e-mailadres?", "E-mailadres bevestigen"
	m.Lines = []string{
		"Je vroeg ons om voortaan dit adres te gebruiken. Bevestig het met de knop hieronder.",
		"Tot die tijd schrijven we je op je huidige adres.",
	}
	m.After = []string{"De knop werkt 7 dagen. Heb je dit niet gevraagd? Dan hoef je niets te doen en verandert er niets."}
	return m
}

// mailChangeRequested returns the mail that notifies the current address of the requested change, without the new address.
func mailChangeRequested(locale, to string) module.Mail {
	m := module.Mail{To: to, Locale: locale, Button: &module.Button{Path: "/contact"}}
	if locale == "en" {
		m.Subject, m.Title, m.Button.Text = "You asked to change your email address", "Your email address is about to change", "Contact us"
		m.Lines = []string{
			"You asked us to change your email address. We have sent a message to the new address to confirm it.",
			"From then on we write to the new address only.",
		}
		m.After = []string{"Was this not you? Please tell us straight away."}
		return m
	}
	m.Subject, m.Title, m.Button.Text = "Je vroeg om een ander e-mailadres", "Je e-mailadres wordt gewijzigd", "Neem contact op"
	m.Lines = []string{
		"Je vroeg ons om je e-mailadres te wijzigen. We hebben een bericht naar het nieuwe adres gestuurd om het te bevestigen.",
		"Daarna schrijven we je alleen nog op het nieuwe adres.",
	}
	m.After = []string{"Was jij dit niet? Laat het ons dan meteen weten."}
	return m
}

// mailContact returns the mail with a customer's message to the customer service of the label. It is in Dutch, for staff.
func mailContact(to string, r *Relation, c Contact) module.Mail {
	subjects := map[Subject]string{"payments": "betalingen", "products": "producten", "usage": "verbruik", "relocation": "verhuizen",
		"suggestion": "suggestie of klacht", "other": "overig"}
	return module.Mail{To: to, Locale: "nl",
		Subject: "Bericht van klant " + r.DebtorNumber + ": " + subjects[c.Subject],
		Title:   "Bericht over " + subjects[c.Subject],
		Lines:   []string{c.Message},
		After:   []string{"Klantnummer " + r.DebtorNumber, r.Name(), r.Email, r.PhoneNumber}}
}
