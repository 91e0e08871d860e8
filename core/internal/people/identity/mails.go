package identity

import (
	"context"
	"strings"

	"github.com/wattle-portal/wattle/core/internal/base/scope"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/mail"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/module"
)

// mailLocale returns the language of an email to an account: the language of the account, otherwise that of the request, otherwise Dutch.
func mailLocale(ctx context.Context, r *login) string {
	for _, l := range []string{r.Locale, scope.Of(ctx).Locale} {
		if l == "nl" || l == "en" {
			return l
		}
	}
	return "nl"
}

// mailOf returns an email to an account. The code is a field of the email, not a value in its texts.
func mailOf(ctx context.Context, id string, l *label.Label, r *login, code string) module.Mail {
	m := mail.Texts.Mail(mailLocale(ctx, r), id, module.Values{"name": l.Info.Name, "username": r.Username})
	m.To, m.Code = r.Email, code
	if m.Button != nil {
		m.Button.Path = "/"
	}
	return m
}

// codeMail returns the email with the code for a new password. It is the same for an account whose password cannot be reset yet.
func codeMail(ctx context.Context, l *label.Label, r *login, code string) module.Mail {
	m := mailOf(ctx, "core.mail.code", l, r, code)
	m.Security = true
	return m
}

// inviteMail returns the email with the temporary password of a new account.
func inviteMail(ctx context.Context, l *label.Label, r *login, password string) module.Mail {
	return mailOf(ctx, "core.mail.invite", l, r, password)
}

// reactivationMail returns the email with a temporary password for an existing account.
func reactivationMail(ctx context.Context, l *label.Label, r *login, password string) module.Mail {
	m := mailOf(ctx, "core.mail.reactivated", l, r, password)
	m.Security = true
	return m
}

const (
	sealedPrefix = "sealed:"
	mailPurpose  = "mail"
)

// sealPassword encrypts a temporary password for a queued email. The queue, its backups and undeliverable emails contain only the encrypted
// password; only the email that is sent contains the plain one.
func (b *sealer) sealPassword(l *label.Label, password string) string {
	return sealedPrefix + b.seal(mailPurpose, []byte(password), l.Key)
}

// OpenMail decrypts the code in an email that sealPassword encrypted. It is called just before the email is sent.
func OpenMail(k *masterkey.Key, labelKey string, m module.Mail) (module.Mail, error) {
	closed, ok := strings.CutPrefix(m.Code, sealedPrefix)
	if !ok {
		return m, nil
	}
	plain, err := k.Open(mailPurpose, closed, labelKey)
	m.Code = string(plain)
	return m, err
}

// ResealMail encrypts the temporary password in a queued email with the newest identity key; it returns false when the email contains no
// password.
func ResealMail(k *masterkey.Key, labelKey string, m module.Mail) (module.Mail, bool, error) {
	if !strings.HasPrefix(m.Code, sealedPrefix) {
		return m, false, nil
	}
	m, err := OpenMail(k, labelKey, m)
	if err == nil {
		m.Code = sealedPrefix + k.Seal(mailPurpose, []byte(m.Code), labelKey)
	}
	return m, true, err
}
