// Package masterkey manages the identity key: the secret of an installation from which it derives the keys that encrypt secrets in the
// database (signing keys, provider tokens, webhook secrets, temporary passwords in queued emails). All processes of an installation have
// the same key. The database records the keys that it was written with, so that another key is refused at start, and a new key can replace
// the previous one while some processes still use it (docs/decisions/0027).
package masterkey

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
	"sync"
	"time"

	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// SecretName is the --secret-file entry (or environment variable) that contains the identity key. Without it, the key is in a file in
// the data folder.
const SecretName = "WATTLE_IDENTITY_KEY"

// File is the name of the key file in the data folder.
const File = "identity.key"

const minKeyLength = 32 // minimum length in characters

var b64 = base64.RawURLEncoding

// errSealed is returned by Open for a value that was not sealed with a known key.
var errSealed = errors.New("identity: the value was sealed with another key; is " + SecretName + " or " + File + " the right one?")

// Key is the identity key of a process, with the other accepted keys. It is safe for concurrent use.
type Key struct {
	own   []byte // the key that this process was started with
	file  string // the file of the key; empty when the key is a secret
	isNew bool   // Load generated the key and has not written it to a file yet

	readMu sync.Mutex // held while reading the accepted keys

	mu      sync.Mutex
	roots   [][]byte // accepted keys: the first one seals, all of them open
	store   *store.Store
	readAt  time.Time // when roots were last read, by wall time
	readErr error     // result of the last read
}

// Load reads the key from the secret, or from its file in dir. When there is no file, it generates a key, which Keep or Use writes to the
// file.
func Load(secret, dir string) (*Key, error) {
	if secret != "" {
		if len(secret) < minKeyLength {
			return nil, fmt.Errorf("identity: %s is shorter than %d characters", SecretName, minKeyLength)
		}
		return newKey([]byte(secret)), nil
	}
	if dir == "" {
		return nil, fmt.Errorf("identity: neither %s nor a data folder", SecretName)
	}
	file := filepath.Join(dir, File)
	root, err := os.ReadFile(file)
	made := errors.Is(err, fs.ErrNotExist)
	if made {
		root, err = []byte(Generate()), nil
	}
	if err != nil {
		return nil, fmt.Errorf("identity: %w", err)
	}
	if len(root) < minKeyLength {
		return nil, fmt.Errorf("identity: %s in the data folder is damaged", File)
	}
	k := newKey(root)
	k.file, k.isNew = file, made
	return k, nil
}

func newKey(own []byte) *Key { return &Key{own: own, roots: [][]byte{own}} }

// Generate returns a new random key as a string.
func Generate() string { return rand.Text() + rand.Text() }

// Keep writes a generated key to its file. If several processes do so, the first one wins: linking fails for the others because the file
// exists, and Keep then reads that key.
func (k *Key) Keep() error {
	if !k.isNew {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(k.file), 0o700); err != nil {
		return fmt.Errorf("identity: %w", err)
	}
	name, err := k.writeTemporary(k.own)
	if err != nil {
		return err
	}
	defer os.Remove(name)
	if err := os.Link(name, k.file); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("identity: %w", err)
	}
	own, err := os.ReadFile(k.file)
	if err != nil {
		return fmt.Errorf("identity: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.own, k.roots, k.isNew = own, [][]byte{own}, false
	return nil
}

// writeTemporary writes a key to a temporary file in the folder of the key, with mode 0600, and returns its path.
func (k *Key) writeTemporary(key []byte) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(k.file), ".identity-*") // mode 0600
	if err != nil {
		return "", fmt.Errorf("identity: %w", err)
	}
	_, err = f.Write(key)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("identity: %w", err), os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// replace replaces the key in the key file.
func (k *Key) replace(key []byte) error {
	name, err := k.writeTemporary(key)
	if err != nil {
		return err
	}
	if err := os.Rename(name, k.file); err != nil {
		return errors.Join(fmt.Errorf("identity: %w", err), os.Remove(name))
	}
	return nil
}

func derive(root []byte, purpose string) []byte {
	out, err := hkdf.Key(sha256.New, root, nil, "wattle identity "+purpose, 32)
	if err != nil {
		panic(err) // only for a length that HKDF with SHA-256 cannot return
	}
	return out
}

func aead(root []byte, purpose string) cipher.AEAD {
	c, err := aes.NewCipher(derive(root, purpose))
	if err != nil {
		panic(err) // only for a wrong key length
	}
	a, err := cipher.NewGCMWithRandomNonce(c)
	if err != nil {
		panic(err)
	}
	return a
}

func seal(root []byte, purpose string, plain []byte, boundTo []string) string {
	return b64.EncodeToString(aead(root, purpose).Seal(nil, nil, plain, []byte(strings.Join(boundTo, "\x00"))))
}

func open(root []byte, purpose, sealed string, boundTo []string) ([]byte, error) {
	raw, err := b64.DecodeString(sealed)
	if err != nil {
		return nil, errors.New("identity: not a sealed value")
	}
	a := aead(root, purpose)
	if len(raw) < a.Overhead() {
		return nil, errors.New("identity: not a sealed value")
	}
	plain, err := a.Open(nil, nil, raw, []byte(strings.Join(boundTo, "\x00")))
	if err != nil {
		return nil, errSealed
	}
	return plain, nil
}

// Seal encrypts with the newest key. The owner of the value (label, id) is authenticated with it, so that a sealed value
// cannot be moved to another row.
func (k *Key) Seal(purpose string, plain []byte, boundTo ...string) string {
	return seal(k.acceptedKeys(refreshInterval)[0], purpose, plain, boundTo)
}

// Open decrypts a sealed value, with any accepted key. If none of them can open the value, Open reads the accepted keys again.
func (k *Key) Open(purpose, sealed string, boundTo ...string) (plain []byte, err error) {
	for _, age := range []time.Duration{refreshInterval, 0} {
		for _, root := range k.acceptedKeys(age) {
			if plain, err = open(root, purpose, sealed, boundTo); err == nil {
				return plain, nil
			}
		}
		if !errors.Is(err, errSealed) {
			return nil, err
		}
	}
	return nil, err
}

// MACs returns keyed hashes, for values that are too short to be hashed without a key. The first one uses the newest key and must be
// stored; the others use the other accepted keys, which may have been used for a stored value.
func (k *Key) MACs(purpose string, parts ...string) (out []string) {
	for _, root := range k.acceptedKeys(refreshInterval) {
		h := hmac.New(sha256.New, derive(root, purpose))
		h.Write([]byte(strings.Join(parts, "\x00")))
		out = append(out, b64.EncodeToString(h.Sum(nil)))
	}
	return out
}
