package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
)

// hasher hashes passwords, a few at a time: each takes a core and its memory.
type hasher struct {
	cost  Cost
	gate  *gate
	dummy string // verified when there is nothing to verify, so that both take alike
}

const (
	saltLen, hashLen = 16, 32
	queuePerCore     = 32
)

// newHasher makes a hasher. While busy reports that other calls are served it hashes on at most cores cores (zero: half of them),
// else on all.
func newHasher(c Cost, cores int, busy func() bool) *hasher {
	if c == (Cost{}) {
		c = DefaultCost
	}
	all := runtime.GOMAXPROCS(0)
	if cores <= 0 {
		cores = max(all/2, 1)
	}
	cores = min(cores, all)
	h := &hasher{cost: c, gate: &gate{max: all * queuePerCore, bound: func() int {
		if busy != nil && busy() {
			return cores
		}
		return all
	}}}
	h.dummy = h.like(c)
	return h
}

// like is the PHC form of a password that nobody has, at a cost.
func (h *hasher) like(c Cost) string {
	random := make([]byte, saltLen+hashLen)
	_, _ = rand.Read(random) // never fails
	return phc(c, random[:saltLen], random[saltLen:])
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
	leave, err := h.gate.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return argon2.IDKey([]byte(password), salt, c.Time, c.Memory, c.Threads, hashLen), nil
}

func phc(c Cost, salt, sum []byte) string {
	e := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$%s$%s$%s", argon2.Version, c, e.EncodeToString(salt), e.EncodeToString(sum))
}

func parsePHC(s string) (c Cost, salt, sum []byte, ok bool) {
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, false
	}
	c, err := scanCost(parts[3])
	if err != nil {
		return c, nil, nil, false
	}
	salt, err = base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return c, nil, nil, false
	}
	sum, err = base64.RawStdEncoding.DecodeString(parts[5])
	return c, salt, sum, err == nil && len(sum) == hashLen
}
