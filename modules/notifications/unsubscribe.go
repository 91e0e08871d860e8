package notifications

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"strings"
)

// link is what the unsubscribe link of a mail stands for: mails of one kind to one relation.
type link struct {
	relation string
	kind     Kind
}

// linkKeySize is that of AES-256.
const linkKeySize = 32

// maxLink bounds a token.
const maxLink = 200

// aead of a label's key. A token needs no row: 50,000 mails would need as many, for ever.
func aead(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// seal makes the token of a link. It says nothing to its reader, and is good in the label only.
func (l link) seal(key []byte, label string) (string, error) {
	a, err := aead(key)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(a.Seal(nil, nil, []byte(string(l.kind)+" "+l.relation), []byte(label))), nil
}

// openLink reads a token; ok is false for one that the label did not make.
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
	return l, relation != "" && l.kind.known() && !l.kind.fixed()
}
