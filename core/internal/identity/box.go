package identity

import (
	"crypto/hmac"
	"encoding/base64"

	"github.com/wattle-portal/wattle/core/internal/masterkey"
)

// SecretName is the --secret-file entry (or environment variable) that holds the identity key.
const SecretName = masterkey.SecretName

var b64 = base64.RawURLEncoding

// box seals what this package stores.
type box struct{ key *masterkey.Key }

// openBox loads the identity key and, where there is none, keeps a new one.
func openBox(secret, dir string) (*box, error) {
	k, err := masterkey.Load(secret, dir)
	if err == nil {
		err = k.Keep()
	}
	return &box{k}, err
}

// seal encrypts; what it belongs to (label, id) is authenticated with it, so that a row cannot be moved.
func (b *box) seal(purpose string, plain []byte, belongs ...string) string {
	return b.key.Seal(purpose, plain, belongs...)
}

func (b *box) open(purpose, sealed string, belongs ...string) ([]byte, error) {
	return b.key.Open(purpose, sealed, belongs...)
}

// macs are keyed hashes: the first one is stored, the others may have been stored with an identity key that is still accepted.
func (b *box) macs(purpose string, parts ...string) []string { return b.key.MACs(purpose, parts...) }

// same compares without telling how much was right.
func same(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }
