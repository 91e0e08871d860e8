package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// passwordMin is what the identity service demands, beside a lower-case letter, an upper-case letter and a digit; the form allows
// shorter ones (5.5-password-length-reconcile).
const passwordMin = 8

// fieldMax bounds every field of an auth call, in characters (8-id-invalid-chars).
const fieldMax = 128

// CheckPassword judges a new password: nil or CodePasswordPolicy.
func CheckPassword(p string) []string {
	lower, upper, digit := false, false, false
	for _, r := range p {
		lower = lower || unicode.IsLower(r)
		upper = upper || unicode.IsUpper(r)
		digit = digit || unicode.IsDigit(r)
	}
	if utf8.RuneCountInString(p) < passwordMin || !lower || !upper || !digit {
		return []string{CodePasswordPolicy}
	}
	return nil
}

// Cost of one argon2id hash.
type Cost struct {
	Time    uint32
	Memory  uint32 // KiB
	Threads uint8
}

// DefaultCost takes about 0.1 s on one core.
var DefaultCost = Cost{Time: 3, Memory: 64 << 10, Threads: 1}

// TestCost is for tests only.
var TestCost = Cost{Time: 1, Memory: 8, Threads: 1}

// hasher hashes passwords, a few at a time: each takes a core and its memory.
type hasher struct {
	cost    Cost
	slots   chan struct{} // held while hashing
	waiting chan struct{} // held while hashing or waiting; full means: come back later
	dummy   string        // verified when there is nothing to verify, so that both take alike
}

const (
	saltLen, hashLen = 16, 32
	queuePerSlot     = 32
)

func newHasher(c Cost) *hasher {
	if c == (Cost{}) {
		c = DefaultCost
	}
	n := min(runtime.GOMAXPROCS(0), 8)
	h := &hasher{cost: c, slots: make(chan struct{}, n), waiting: make(chan struct{}, n*queuePerSlot)}
	random := make([]byte, saltLen+hashLen)
	_, _ = rand.Read(random) // never fails
	h.dummy = phc(c, random[:saltLen], random[saltLen:])
	return h
}

// hash makes the PHC form of a password. ErrUnavailable when too many wait.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltLen)
	_, _ = rand.Read(salt) // never fails
	sum, err := h.run(ctx, password, salt, h.cost)
	if err != nil {
		return "", err
	}
	return phc(h.cost, salt, sum), nil
}

// verify reports whether a password fits; stale, whether its hash was made at another cost. An empty or unreadable hash takes as
// long as a good one and never fits.
func (h *hasher) verify(ctx context.Context, password, stored string) (ok, stale bool, err error) {
	cost, salt, want, good := parsePHC(stored)
	if !good {
		cost, salt, want, _ = parsePHC(h.dummy)
	}
	sum, err := h.run(ctx, password, salt, cost)
	if err != nil {
		return false, false, err
	}
	return subtle.ConstantTimeCompare(sum, want) == 1 && good, cost != h.cost, nil
}

func (h *hasher) run(ctx context.Context, password string, salt []byte, c Cost) ([]byte, error) {
	select {
	case h.waiting <- struct{}{}:
		defer func() { <-h.waiting }()
	default:
		return nil, ErrUnavailable
	}
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, c.Time, c.Memory, c.Threads, hashLen), nil
}

func phc(c Cost, salt, sum []byte) string {
	e := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.Memory, c.Time, c.Threads, e.EncodeToString(salt), e.EncodeToString(sum))
}

func parsePHC(s string) (c Cost, salt, sum []byte, ok bool) {
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, false
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.Memory, &c.Time, &c.Threads); err != nil || c.Time == 0 || c.Threads == 0 {
		return c, nil, nil, false
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return c, nil, nil, false
	}
	sum, err = base64.RawStdEncoding.DecodeString(parts[5])
	return c, salt, sum, err == nil && len(sum) == hashLen
}

// newPassword makes a temporary password that the policy likes and that can be typed over: no 0, O, 1, l or I.
func newPassword() string {
	const lower, upper, digits = "abcdefghjkmnpqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789"
	return pick(upper, 2) + pick(lower, 5) + pick(digits, 4) + pick(lower, 3)
}

func pick(from string, n int) string {
	out := make([]byte, 0, n)
	for len(out) < n {
		var b [1]byte
		_, _ = rand.Read(b[:])                   // never fails
		if int(b[0]) < 256/len(from)*len(from) { // no letter more often than another
			out = append(out, from[int(b[0])%len(from)])
		}
	}
	return string(out)
}
