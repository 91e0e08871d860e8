package onboarding

import "github.com/wattle-portal/wattle/core/module"

// Each function below returns a mail, in English for locale "en" and otherwise in Dutch. Core sends the mail with the temporary password,
// so no module has that password.

// mailVerify returns the mail with the link that verifies the e-mail address of a registration.
func mailVerify(locale, to, token string) module.Mail {
	m := module.Mail{To: to, Locale: locale, Button: &module.Button{Path: "/verify/" + token}}
	if locale == "en" {
		m.Subject, m.Title, m.Button.Text = "Confirm your email address", "Is this your email address?", "Confirm email address"
		m.Lines = []string{"You asked for access. Confirm your email address with the button below: then we look at your application."}
		m.After = []string{"The button works for 7 days. Did you not ask for this? Then do nothing, and nothing happens."}
		return m
	}
	m.Subject, m.Title, m.Button.Text = "Bevestig je e-mailadres", "Is dit je e-mailadres?", "E-mailadres bevestigen"
	m.Lines = []string{"Je hebt toegang aangevraagd. Bevestig je e-mailadres met de knop hieronder: daarna bekijken we je aanvraag."}
	m.After = []string{"De knop werkt 7 dagen. Heb je dit niet aangevraagd? Dan hoef je niets te doen en gebeurt er niets."}
	return m
}

// mailReceived returns the mail that staff will decide on the application.
func mailReceived(locale, to string) module.Mail {
	m := module.Mail{To: to, Locale: locale}
	if locale == "en" {
		m.Subject, m.Title = "We have your application", "Thank you, we have your application"
		m.Lines = []string{"We look at it and let you know by email. Is all well? Then that email has your login details."}
		return m
	}
	m.Subject, m.Title = "We hebben je aanvraag", "Bedankt, we hebben je aanvraag"
	m.Lines = []string{"We bekijken je aanvraag en laten je per e-mail iets weten. Is alles in orde? Dan staan je inloggegevens in die e-mail."}
	return m
}

// mailKnown returns the mail that the address already has an account. Only the reader of the mailbox gets this information.
func mailKnown(locale, to string) module.Mail {
	m := module.Mail{To: to, Locale: locale, Button: &module.Button{Path: "/"}}
	if locale == "en" {
		m.Subject, m.Title, m.Button.Text = "You already have an account", "You already have an account", "Sign in"
		m.Lines = []string{"There is an account with this email address, so you need not apply.",
			"Do you not get in? On the sign-in page you choose a new password, or you reactivate your account."}
		return m
	}
	m.Subject, m.Title, m.Button.Text = "Je hebt al een account", "Je hebt al een account", "Inloggen"
	m.Lines = []string{"Er is al een account met dit e-mailadres. Je hoeft dus geen toegang aan te vragen.",
		"Kom je er niet in? Op de inlogpagina kies je een nieuw wachtwoord of activeer je je account opnieuw."}
	return m
}

// mailRejected returns the mail that the application was rejected, with the reason.
func mailRejected(locale, to, reason string) module.Mail {
	m := module.Mail{To: to, Locale: locale}
	if locale == "en" {
		m.Subject, m.Title = "About your application", "We cannot give you access"
		m.Lines = []string{"We looked at your application and cannot approve it."}
		if reason != "" {
			m.Lines = append(m.Lines, "The reason: "+reason)
		}
		m.After = []string{"Do you have a question about this? Then get in touch with us."}
		return m
	}
	m.Subject, m.Title = "Over je aanvraag", "We kunnen je geen toegang geven"
	m.Lines = []string{"We hebben je aanvraag bekeken en kunnen die niet goedkeuren."}
	if reason != "" {
		m.Lines = append(m.Lines, "De reden: "+reason)
	}
	m.After = []string{"Heb je hier een vraag over? Neem dan contact met ons op."}
	return m
}

// mailReactivate returns the mail with the reactivation link.
func mailReactivate(locale, to, token string) module.Mail {
	m := module.Mail{To: to, Locale: locale, Button: &module.Button{Path: "/reactivation/" + token}}
	if locale == "en" {
		m.Subject, m.Title, m.Button.Text = "Reactivate your account", "Reactivate your account", "Reactivate account"
		m.Lines = []string{"You want to use your account again. With the button below you reactivate it; we then mail you a temporary password."}
		m.After = []string{"The button works once, for 24 hours. Was this not you? Then do nothing, and nothing changes."}
		return m
	}
	m.Subject, m.Title, m.Button.Text = "Activeer je account opnieuw", "Activeer je account opnieuw", "Account activeren"
	m.Lines = []string{"Je wilt je account weer gebruiken. Met de knop hieronder activeer je het; daarna mailen we je een tijdelijk wachtwoord."}
	m.After = []string{"De knop werkt één keer, 24 uur lang. Was jij dit niet? Dan hoef je niets te doen en verandert er niets."}
	return m
}
