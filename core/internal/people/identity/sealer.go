package identity

import (
	"crypto/hmac"
	"encoding/base64"

	"github.com/wattle-portal/wattle/core/internal/storage/masterkey"
)

// SecretName is the --secret-file entry (or environment variable) that contains the identity key.
const SecretName = masterkey.SecretName

var b64 = base64.RawURLEncoding

// sealer encrypts what this package stores.
type sealer struct{ key *masterkey.Key }

// openSealer loads the identity key. When there is none it makes one and stores it.
func openSealer(secret, dir string) (*sealer, error) {
	k, err := masterkey.Load(secret, dir)
	if err == nil {
		err = k.Keep()
	}
	return &sealer{k}, err
}

// seal encrypts plain. What the value belongs to (label, id) is authenticated with it, so that a sealed value cannot be moved to
// another row.
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
