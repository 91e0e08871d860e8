package identity

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// SecretName is the --secret-file entry (or environment variable) whose text encrypts what lies in the database: signing keys and
// a provider's tokens. Replicas share it. Without it a key is made and kept in the data folder.
const SecretName = "WATTLE_IDENTITY_KEY"

const secretMin = 32 // characters

var b64 = base64.RawURLEncoding

// box encrypts and authenticates with keys derived from one root, a key per purpose.
type box struct{ root []byte }

// openBox reads the root from the secret, or from identity.key in dir, which it makes when it is not there.
func openBox(secret, dir string) (*box, error) {
	if secret != "" {
		if len(secret) < secretMin {
			return nil, fmt.Errorf("identity: %s is shorter than %d characters", SecretName, secretMin)
		}
		return &box{[]byte(secret)}, nil
	}
	if dir == "" {
		return nil, fmt.Errorf("identity: neither %s nor a data folder", SecretName)
	}
	file := filepath.Join(dir, "identity.key")
	root, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		root, err = makeRoot(dir, file)
	}
	if err != nil {
		return nil, fmt.Errorf("identity: %w", err)
	}
	if len(root) < secretMin {
		return nil, errors.New("identity: identity.key in the data folder is damaged")
	}
	return &box{root}, nil
}

// makeRoot lets the first of several processes win: link fails when the file is there by now.
func makeRoot(dir, file string) ([]byte, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, ".identity-*") // mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	if _, err := f.WriteString(rand.Text() + rand.Text()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(f.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return os.ReadFile(file)
}

func (b *box) key(purpose string) []byte {
	k, err := hkdf.Key(sha256.New, b.root, nil, "wattle identity "+purpose, 32)
	if err != nil {
		panic(err) // only for a length that SHA-256 cannot give
	}
	return k
}

func (b *box) aead(purpose string) cipher.AEAD {
	c, err := aes.NewCipher(b.key(purpose))
	if err != nil {
		panic(err) // only for a wrong key length
	}
	a, err := cipher.NewGCMWithRandomNonce(c)
	if err != nil {
		panic(err)
	}
	return a
}

// seal encrypts; what it belongs to (label, id) is authenticated with it, so that a row cannot be moved.
func (b *box) seal(purpose string, plain []byte, belongs ...string) string {
	return b64.EncodeToString(b.aead(purpose).Seal(nil, nil, plain, []byte(strings.Join(belongs, "\x00"))))
}

func (b *box) open(purpose, sealed string, belongs ...string) ([]byte, error) {
	raw, err := b64.DecodeString(sealed)
	if err != nil {
		return nil, errors.New("identity: not a sealed value")
	}
	a := b.aead(purpose)
	if len(raw) < a.Overhead() {
		return nil, errors.New("identity: not a sealed value")
	}
	plain, err := a.Open(nil, nil, raw, []byte(strings.Join(belongs, "\x00")))
	if err != nil {
		return nil, errors.New("identity: a sealed value of another key; is " + SecretName + " or identity.key the right one?")
	}
	return plain, nil
}

// mac is a keyed hash, for what is too short to be hashed without a key.
func (b *box) mac(purpose string, parts ...string) string {
	h := hmac.New(sha256.New, b.key(purpose))
	h.Write([]byte(strings.Join(parts, "\x00")))
	return b64.EncodeToString(h.Sum(nil))
}

// hash is for secrets that are random and long.
func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return b64.EncodeToString(sum[:])
}

// same compares without telling how much was right.
func same(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }
