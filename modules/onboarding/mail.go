package onboarding

import "github.com/wattle-portal/wattle/core/module"

// Core sends the email with the temporary password, so no module has that password.

// mailVerify returns the email with the link that verifies the email address of a registration.
func mailVerify(locale, to, token string) module.Mail {
	m := texts.Mail(locale, "onboarding.mail.verify", nil)
	m.To, m.Button.Path, m.Security = to, "/verify/"+token, true
	return m
}

// mailReceived returns the email that announces that staff will decide on the registration.
func mailReceived(locale, to string) module.Mail {
	m := texts.Mail(locale, "onboarding.mail.received", nil)
	m.To = to
	return m
}

// mailKnown returns the email that reports that the address already has an account. Only the owner of the mailbox receives this
// information.
func mailKnown(locale, to string) module.Mail {
	m := texts.Mail(locale, "onboarding.mail.known", nil)
	m.To, m.Button.Path = to, "/"
	return m
}

// mailRejected returns the email that reports the rejection of the registration, with the reason.
func mailRejected(locale, to, reason string) module.Mail {
	m := texts.Mail(locale, "onboarding.mail.rejected", module.Values{"reason": reason})
	m.To = to
	return m
}

// mailReactivate returns the email with the reactivation link.
func mailReactivate(locale, to, token string) module.Mail {
	m := texts.Mail(locale, "onboarding.mail.reactivate", nil)
	m.To, m.Button.Path, m.Security = to, "/reactivation/"+token, true
	return m
}
