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

// hasher hashes passwords, a bounded number at the same time: each hash uses a core and memory.
type hasher struct {
	cost    Cost
	limiter *limiter
	dummy   string // verified when an account has no hash, so that both cases take the same time
}

const (
	saltLen, hashLen = 16, 32
	queuePerCore     = 32
)

// newHasher returns a hasher. While busy reports that other calls are served, at most cores cores hash (zero: half of them);
// otherwise all cores do.
func newHasher(c Cost, cores int, busy func() bool) *hasher {
	if c == (Cost{}) {
		c = DefaultCost
	}
	all := runtime.GOMAXPROCS(0)
	if cores <= 0 {
		cores = max(all/2, 1)
	}
	cores = min(cores, all)
	h := &hasher{cost: c, limiter: &limiter{max: all * queuePerCore, bound: func() int {
		if busy != nil && busy() {
			return cores
		}
		return all
	}}}
	h.dummy = h.randomHash(c)
	return h
}

// randomHash returns a random PHC string of a cost, which no password matches.
func (h *hasher) randomHash(c Cost) string {
	random := make([]byte, saltLen+hashLen)
	_, _ = rand.Read(random) // never fails
	return phc(c, random[:saltLen], random[saltLen:])
}

// hash returns the PHC string of a password. It returns ErrUnavailable when too many callers wait.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltLen)
	_, _ = rand.Read(salt) // never fails
	sum, err := h.run(ctx, password, salt, h.cost)
	if err != nil {
		return "", err
	}
	return phc(h.cost, salt, sum), nil
}

// verify reports whether a password matches a hash, and in stale whether the hash has another cost than new ones. An empty or
// invalid hash takes as long as a valid one and never matches.
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
	leave, err := h.limiter.enter(ctx)
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
