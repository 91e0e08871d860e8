package notifications

import "github.com/wattle-portal/wattle/core/module"

// subjects are the names of the optional kinds in the unsubscribe text of a mail.
var subjects = map[Kind]Text{
	Project: {"projecten", "projects"},
	News:    {"nieuws", "news"},
	Market:  {"de energiemarkt", "the energy market"},
}

// mailNotification returns a notification as a mail, in English for locale "en" and otherwise in Dutch. token is the unsubscribe token; it
// is empty for fixed kinds.
func mailNotification(locale, to string, k Kind, title, message Text, token string) module.Mail {
	m := module.Mail{To: to, Locale: locale, Subject: title.In(locale), Title: title.In(locale), Lines: paragraphs(message.In(locale), true),
		Button: &module.Button{Text: "Bekijk in het portaal", Path: "/notifications"}}
	if locale == "en" {
		m.Button.Text = "View in the portal"
	}
	if token == "" {
		m.After = []string{"Je krijgt dit bericht altijd, omdat het over je contract, je betalingen of je veiligheid gaat."}
		if locale == "en" {
			m.After = []string{"You always get this message, because it is about your contract, your payments or your security."}
		}
		return m
	}
	m.Unsubscribe = &module.Unsubscribe{Text: "Geen mail meer over " + subjects[k].NL, Path: "/unsubscribe?token=" + token,
		Call: "/notifications/unsubscribe/" + token}
	if locale == "en" {
		m.Unsubscribe.Text = "No more mail about " + subjects[k].EN
	}
	return m
}
