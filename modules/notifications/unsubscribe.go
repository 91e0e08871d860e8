package notifications

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"strings"
)

// link is the content of an unsubscribe link, which stops emails of one kind to one relation.
type link struct {
	relation string
	kind     Kind
}

// linkKeySize is the key size of AES-256 in bytes.
const linkKeySize = 32

// maxLink is the maximum length of a token.
const maxLink = 200

// aead returns the cipher for a label's key. Tokens are encrypted rather than stored, because 50,000 emails would need 50,000 rows that are
// never deleted.
func aead(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// seal returns the token of a link. The token is encrypted, and valid only for the label.
func (l link) seal(key []byte, label string) (string, error) {
	a, err := aead(key)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(a.Seal(nil, nil, []byte(string(l.kind)+" "+l.relation), []byte(label))), nil
}

// openLink decrypts a token; ok is false for an invalid token and for a token of another label.
func openLink(key []byte, label, token string) (l link, ok bool) {
	if len(token) > maxLink {
		return l, false
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil {
		return l, false
	}
	a, err := aead(key)
	if err != nil {
		return l, false
	}
	plain, err := a.Open(nil, nil, sealed, []byte(label))
	if err != nil {
		return l, false
	}
	kind, relation, _ := strings.Cut(string(plain), " ")
	l = link{relation, Kind(kind)}
	return l, relation != "" && l.kind.isKnown() && !l.kind.isFixed()
}
