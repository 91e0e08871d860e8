package notifications

import "github.com/wattle-portal/wattle/core/module"

// mailNotification returns a notification as an email, in English for locale "en" and otherwise in Dutch. token is the unsubscribe token;
// it is empty for fixed kinds.
func mailNotification(locale, to string, k Kind, title, message Text, token string) module.Mail {
	const optional, fixed = "notifications.mail.optional", "notifications.mail.fixed"
	id, v := optional, module.Values{"kind": string(k)}
	if token == "" {
		id = fixed
	}
	m := texts.Mail(locale, id, v)
	m.To, m.Subject, m.Title, m.Lines = to, title.In(locale), title.In(locale), paragraphs(message.In(locale), true)
	m.Button.Path = "/notifications"
	if token != "" {
		m.Unsubscribe = &module.Unsubscribe{Text: texts.Text(locale, optional+".unsubscribe", v), Path: "/unsubscribe?token=" + token,
			Call: "/notifications/unsubscribe/" + token}
	}
	return m
}
