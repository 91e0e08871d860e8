package outbox

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/module"
)

const webhookPurpose = "webhook"

// secrets is the column of sealed webhook secrets.
var secrets = masterkey.Column{Table: "outbox_webhooks", Name: "secret", Purpose: webhookPurpose}

func newSecret() string {
	var key [32]byte
	_, _ = rand.Read(key[:]) // never fails
	return "whsec_" + base64.StdEncoding.EncodeToString(key[:])
}

// unseal decrypts the secret of a webhook that was read from the database.
func (o *Outbox) unseal(w *Webhook) error {
	plain, err := o.Key.Open(webhookPurpose, w.Secret, w.Label, w.ID)
	w.Secret = string(plain)
	return err
}

// ResealMail seals the content of a waiting email with the newest key. It returns false when the email contains nothing sealed.
type ResealMail func(k *masterkey.Key, labelKey string, m module.Mail) (module.Mail, bool, error)

// Reseal seals webhook secrets, and the content of emails that are waiting or could not be delivered, with the newest identity key.
func Reseal(s *store.Store, mail ResealMail) masterkey.Resealer {
	return func(ctx context.Context, k *masterkey.Key) error {
		if err := secrets.Reseal(ctx, s, k); err != nil {
			return err
		}
		return s.Tx(ctx, func(ctx context.Context, tx bun.Tx) error {
			var mails []message
			if err := sealedMails(tx, &mails).Scan(ctx); err != nil {
				return err
			}
			for _, m := range mails {
				payload, err := reseal(k, mail, m.Label, m.Payload)
				if err != nil { // sealed with a key that is not accepted; the email could not be sent before either
					continue
				}
				if _, err := tx.NewUpdate().Model((*message)(nil)).Set("payload = ?", string(payload)).
					Where("label_key = ? AND module = ? AND id = ?", m.Label, m.Module, m.ID).Exec(ctx); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// sealedMails selects the unsent emails that may contain sealed values.
func sealedMails(tx bun.IDB, into *[]message) *bun.SelectQuery {
	return tx.NewSelect().Model(into).Where("kind = ? AND payload LIKE ?", store.RowMail, `%"sealed:%`)
}

func reseal(k *masterkey.Key, mail ResealMail, labelKey string, payload json.RawMessage) (json.RawMessage, error) {
	var m module.Mail
	if err := json.Unmarshal(payload, &m); err != nil {
		return nil, err
	}
	m, is, err := mail(k, labelKey, m)
	if err != nil || !is {
		return payload, err
	}
	return json.Marshal(m)
}

// Discard replaces, in a transaction, values that were sealed with a lost identity key. Each webhook gets a new secret, which hooks
// contains. Emails with a temporary password become dead letters; lost is their number.
func Discard(ctx context.Context, tx bun.IDB, k *masterkey.Key, now time.Time) (hooks []Webhook, lost int, err error) {
	if err := tx.NewSelect().Model(&hooks).OrderExpr("label_key, created_at, id").Scan(ctx); err != nil {
		return nil, 0, err
	}
	for i := range hooks {
		w := &hooks[i]
		w.Secret = newSecret()
		_, err := tx.NewUpdate().Model((*Webhook)(nil)).Set("secret = ?", k.Seal(webhookPurpose, []byte(w.Secret), w.Label, w.ID)).
			Where("label_key = ? AND id = ?", w.Label, w.ID).Exec(ctx)
		if err != nil {
			return nil, 0, err
		}
	}
	var mails []message
	if err := sealedMails(tx, &mails).Scan(ctx); err != nil {
		return nil, 0, err
	}
	for _, m := range mails {
		res, err := tx.NewUpdate().Model((*delivery)(nil)).Set("state = ?", dead).Set("error = ?",
			"sealed with an identity key that is lost").Set("ended_at = ?", now).
			Where("label_key = ? AND module = ? AND message_id = ? AND state = ?", m.Label, m.Module, m.ID, waiting).Exec(ctx)
		if err != nil {
			return nil, 0, err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return nil, 0, err
		}
		lost += int(n)
	}
	return hooks, lost, nil
}
