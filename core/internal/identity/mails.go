package identity

import (
	"context"

	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/scope"
	"github.com/wattle-portal/wattle/core/module"
)

// mailLocale returns the language of a mail to an account: that of the account, or else of the call, or else Dutch.
func mailLocale(ctx context.Context, r *login) string {
	for _, l := range []string{r.Locale, scope.Of(ctx).Locale} {
		if l == "nl" || l == "en" {
			return l
		}
	}
	return "nl"
}

// codeMail returns the mail with the code for a new password. It is the same for an account whose password cannot be reset yet.
func codeMail(ctx context.Context, l *label.Label, r *login, code string) module.Mail {
	if mailLocale(ctx, r) == "en" {
		return module.Mail{To: r.Email, Locale: "en", Code: code,
			Subject: "Your code for a new password",
			Title:   "Set a new password",
			Lines:   []string{"You asked for a new password for " + l.Info.Name + ". Enter this code on the sign-in page:"},
			After: []string{"The code works once and is valid for 30 minutes.",
				"Did we send you a temporary password that you have not used yet? Then sign in with that first.",
				"Was this not you? Then you need not do anything: your password stays as it is."}}
	}
	return module.Mail{To: r.Email, Locale: "nl", Code: code,
		Subject: "Je code voor een nieuw wachtwoord",
		Title:   "Nieuw wachtwoord instellen",
		Lines:   []string{"Je wilt een nieuw wachtwoord voor " + l.Info.Name + ". Vul deze code in op de inlogpagina:"},
		After: []string{"De code werkt één keer en is 30 minuten geldig.",
			"Heb je van ons een tijdelijk wachtwoord gekregen en nog niet gebruikt? Log daar dan eerst mee in.",
			"Heb je dit niet zelf aangevraagd? Dan hoef je niets te doen: je wachtwoord blijft zoals het was."}}
}

// inviteMail returns the mail with the temporary password of a new account.
func inviteMail(ctx context.Context, l *label.Label, r *login, password string) module.Mail {
	if mailLocale(ctx, r) == "en" {
		return module.Mail{To: r.Email, Locale: "en", Code: password,
			Subject: "Your account with " + l.Info.Name,
			Title:   "Welcome to " + l.Info.Name,
			Lines: []string{"We made an account for you. Your username is " + r.Username + ".",
				"Sign in with this temporary password. You then choose a password of your own."},
			Button: &module.Button{Text: "Sign in", Path: "/"},
			After:  []string{"The temporary password is valid for 7 days."}}
	}
	return module.Mail{To: r.Email, Locale: "nl", Code: password,
		Subject: "Je account bij " + l.Info.Name,
		Title:   "Welkom bij " + l.Info.Name,
		Lines: []string{"Je account staat klaar. Je gebruikersnaam is " + r.Username + ".",
			"Log in met dit tijdelijke wachtwoord. Daarna kies je meteen je eigen wachtwoord."},
		Button: &module.Button{Text: "Inloggen", Path: "/"},
		After:  []string{"Het tijdelijke wachtwoord is 7 dagen geldig."}}
}

// reactivationMail returns the mail with a temporary password for an existing account.
func reactivationMail(ctx context.Context, l *label.Label, r *login, password string) module.Mail {
	m := inviteMail(ctx, l, r, password)
	if m.Locale == "en" {
		m.Subject, m.Title = "Your account with "+l.Info.Name+" is active again", "Your account is active again"
		m.Lines[0] = "You can sign in again. Your username is " + r.Username + "."
		return m
	}
	m.Subject, m.Title = "Je account bij "+l.Info.Name+" is weer actief", "Je account is weer actief"
	m.Lines[0] = "Je kunt weer inloggen. Je gebruikersnaam is " + r.Username + "."
	return m
}
