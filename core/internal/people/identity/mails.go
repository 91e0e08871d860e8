package identity

import (
	"context"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/mail"
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

// mailOf returns a mail to an account. The code is in the mail, not in the values of its texts.
func mailOf(ctx context.Context, id string, l *label.Label, r *login, code string) module.Mail {
	m := mail.Texts.Mail(mailLocale(ctx, r), id, module.Values{"name": l.Info.Name, "username": r.Username})
	m.To, m.Code = r.Email, code
	if m.Button != nil {
		m.Button.Path = "/"
	}
	return m
}

// codeMail returns the mail with the code for a new password. It is the same for an account whose password cannot be reset yet.
func codeMail(ctx context.Context, l *label.Label, r *login, code string) module.Mail {
	m := mailOf(ctx, "core.mail.code", l, r, code)
	m.Security = true
	return m
}

// inviteMail returns the mail with the temporary password of a new account.
func inviteMail(ctx context.Context, l *label.Label, r *login, password string) module.Mail {
	return mailOf(ctx, "core.mail.invite", l, r, password)
}

// reactivationMail returns the mail with a temporary password for an existing account.
func reactivationMail(ctx context.Context, l *label.Label, r *login, password string) module.Mail {
	m := mailOf(ctx, "core.mail.reactivated", l, r, password)
	m.Security = true
	return m
}
