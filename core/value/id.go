package value

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

var idText = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewID returns an opaque random id of 26 characters.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return idText.EncodeToString(b[:])
}

// StableID returns an opaque id that is always the same for the same natural key, so that an import finds the rows that it wrote before,
// and two modules can derive the same id without calling each other: StableID(label, "relation", debtorNumber).
func StableID(parts ...string) string {
	h := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return idText.EncodeToString(h[:16])
}
