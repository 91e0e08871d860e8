package identity

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"errors"

	"github.com/uptrace/bun"

	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// SecretName is the --secret-file entry (or environment variable) that contains the identity key.
const SecretName = masterkey.SecretName

var b64 = base64.RawURLEncoding

// sealer encrypts secrets that this package stores.
type sealer struct{ key *masterkey.Key }

// openSealer loads the identity key. When there is none, it creates one and stores it.
func openSealer(secret, dir string) (*sealer, error) {
	k, err := masterkey.Load(secret, dir)
	if err == nil {
		err = k.Keep()
	}
	return &sealer{k}, err
}

// seal encrypts plain. The owner of the value (label, id) is authenticated with it, so that a sealed value cannot be moved to another row.
func (b *sealer) seal(purpose string, plain []byte, boundTo ...string) string {
	return b.key.Seal(purpose, plain, boundTo...)
}

func (b *sealer) open(purpose, sealed string, boundTo ...string) ([]byte, error) {
	return b.key.Open(purpose, sealed, boundTo...)
}

// macs returns keyed hashes: the first one is to be stored, the others match values that were stored under an older identity key
// that is still accepted.
func (b *sealer) macs(purpose string, parts ...string) []string { return b.key.MACs(purpose, parts...) }

// constantTimeEqual compares two strings in constant time.
func constantTimeEqual(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }

// Reseal returns a Resealer for signing keys and provider tokens.
func Reseal(s *store.Store) masterkey.Resealer {
	return func(ctx context.Context, k *masterkey.Key) error {
		return errors.Join(
			masterkey.Column{Table: "identity_keys", Name: "private", Purpose: "signing"}.Reseal(ctx, s, k),
			masterkey.Column{Table: "identity_sessions", Name: "tokens", Purpose: "tokens"}.Reseal(ctx, s, k))
	}
}

// Discard deletes, within a transaction, the data that is unusable without its identity key: signing keys, sessions and emailed codes.
func Discard(ctx context.Context, tx bun.IDB) error {
	var errs []error
	for _, table := range []string{"identity_keys", "identity_sessions", "identity_codes"} {
		_, err := tx.NewDelete().Table(table).Where("TRUE").Exec(ctx)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
