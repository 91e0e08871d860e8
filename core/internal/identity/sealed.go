package identity

import (
	"strings"

	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/module"
)

const (
	sealedPrefix = "sealed:"
	mailPurpose  = "mail"
)

// sealed is a temporary password as it stands in a queued mail. Queue, backups of it and mails that cannot be delivered hold
// only this; the password itself is in the mail that leaves.
func (s *Service) sealed(l *label.Label, password string) string {
	return sealedPrefix + s.box.seal(mailPurpose, []byte(password), l.Key)
}

// MailOpener gives the function that puts what sealed closed back into a mail, the moment that it is sent. Secrets and dir are those
// of Deps.
func MailOpener(secrets func(name string) string, dir string) (func(labelKey string, m module.Mail) (module.Mail, error), error) {
	b, err := openBox(secrets(SecretName), dir)
	if err != nil {
		return nil, err
	}
	return func(labelKey string, m module.Mail) (module.Mail, error) {
		closed, ok := strings.CutPrefix(m.Code, sealedPrefix)
		if !ok {
			return m, nil
		}
		plain, err := b.open(mailPurpose, closed, labelKey)
		m.Code = string(plain)
		return m, err
	}, nil
}
