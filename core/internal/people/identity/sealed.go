package identity

import (
	"context"
	"errors"
	"strings"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

const (
	sealedPrefix = "sealed:"
	mailPurpose  = "mail"
)

// sealPassword returns an encrypted temporary password for a queued mail. The queue, its backups and undeliverable mails contain only
// this; the plain password is only in the mail that is sent.
func (s *Service) sealPassword(l *label.Label, password string) string {
	return sealedPrefix + s.sealer.seal(mailPurpose, []byte(password), l.Key)
}

// OpenMail decrypts the code of a mail that sealed encrypted. It is called just before the mail is sent.
func OpenMail(k *masterkey.Key, labelKey string, m module.Mail) (module.Mail, error) {
	closed, ok := strings.CutPrefix(m.Code, sealedPrefix)
	if !ok {
		return m, nil
	}
	plain, err := k.Open(mailPurpose, closed, labelKey)
	m.Code = string(plain)
	return m, err
}

// ResealMail encrypts the temporary password in a queued mail with the newest identity key; false when the mail has none.
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

// Reseal returns a Resealer for signing keys and tokens of providers.
func Reseal(s *store.Store) masterkey.Resealer {
	return func(ctx context.Context, k *masterkey.Key) error {
		return errors.Join(
			masterkey.Column{Table: "identity_keys", Name: "private", Purpose: "signing"}.Reseal(ctx, s, k),
			masterkey.Column{Table: "identity_sessions", Name: "tokens", Purpose: "tokens"}.Reseal(ctx, s, k))
	}
}

// Discard deletes what is unusable without the identity key that sealed it, within a transaction: signing keys, sessions and
// mailed codes.
func Discard(ctx context.Context, tx bun.IDB) error {
	var errs []error
	for _, table := range []string{"identity_keys", "identity_sessions", "identity_codes"} {
		_, err := tx.NewDelete().Table(table).Where("TRUE").Exec(ctx)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
