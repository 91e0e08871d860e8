package identity

import (
	"context"
	"errors"
	"strings"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/label"
	"github.com/wattle-portal/wattle/core/internal/masterkey"
	"github.com/wattle-portal/wattle/core/internal/store"
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

// OpenMail puts what sealed closed back into a mail, the moment that it is sent.
func OpenMail(k *masterkey.Key, labelKey string, m module.Mail) (module.Mail, error) {
	closed, ok := strings.CutPrefix(m.Code, sealedPrefix)
	if !ok {
		return m, nil
	}
	plain, err := k.Open(mailPurpose, closed, labelKey)
	m.Code = string(plain)
	return m, err
}

// ResealMail seals the temporary password of a mail that waits with the newest identity key; false when the mail has none.
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

// Reseal seals signing keys and tokens of providers with the newest identity key.
func Reseal(s *store.Store) masterkey.Resealer {
	return func(ctx context.Context, k *masterkey.Key) error {
		return errors.Join(
			masterkey.Column{Table: "identity_keys", Name: "private", Purpose: "signing"}.Reseal(ctx, s, k),
			masterkey.Column{Table: "identity_sessions", Name: "tokens", Purpose: "tokens"}.Reseal(ctx, s, k))
	}
}

// Discard deletes what cannot be used without the identity key that it was sealed with, in a transaction: signing keys, sessions
// and mailed codes.
func Discard(ctx context.Context, tx bun.IDB) error {
	var errs []error
	for _, table := range []string{"identity_keys", "identity_sessions", "identity_codes"} {
		_, err := tx.NewDelete().Table(table).Where("TRUE").Exec(ctx)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
