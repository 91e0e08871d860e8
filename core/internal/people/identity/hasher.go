package identity

import (
	"container/list"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/crypto/argon2"
)

// Cost is the cost of one argon2id hash (RFC 9106).
type Cost struct {
	Time    uint32 // passes over the memory
	Memory  uint32 // KiB
	Threads uint8  // lanes
}

// DefaultCost is the first argon2id configuration in OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
var DefaultCost = Cost{Time: 2, Memory: 19 << 10, Threads: 1}

// TestCost is for tests only.
var TestCost = Cost{Time: 1, Memory: 8, Threads: 1}

// Bounds of the costs that ParseCost accepts. Each OWASP configuration reads and writes at least minWork KiB; less memory than minMemory
// does not slow down a graphics card. The upper bounds catch wrong units.
const (
	minMemory, maxMemory = 7 << 10, 1 << 20 // KiB
	minWork              = 35 << 10         // KiB times passes
	maxTime, maxThreads  = 20, 16
)

// String returns the cost as written in a PHC string: m=19456,t=2,p=1.
func (c Cost) String() string { return fmt.Sprintf("m=%d,t=%d,p=%d", c.Memory, c.Time, c.Threads) }

// ParseCost parses a cost for hashing new passwords. It returns an error for a cost that is weaker than OWASP's weakest
// recommendation.
func ParseCost(s string) (Cost, error) {
	c, err := scanCost(s)
	switch {
	case err != nil:
		return Cost{}, fmt.Errorf("%q is not a cost such as %s (KiB of memory, passes, lanes)", s, DefaultCost)
	case c.Memory < minMemory || uint64(c.Memory)*uint64(c.Time) < minWork:
		return Cost{}, fmt.Errorf("%s is weaker than m=7168,t=5,p=1, the least that OWASP recommends", c)
	case c.Memory > maxMemory || c.Time > maxTime || c.Threads > maxThreads:
		return Cost{}, fmt.Errorf("%s is more than m=%d,t=%d,p=%d", c, maxMemory, maxTime, maxThreads)
	}
	return c, nil
}

// scanCost parses the result of Cost.String, whatever its strength.
func scanCost(s string) (c Cost, err error) {
	if _, err := fmt.Sscanf(s, "m=%d,t=%d,p=%d", &c.Memory, &c.Time, &c.Threads); err != nil {
		return c, err
	}
	if c.Time == 0 || c.Threads == 0 || c.String() != s {
		return c, errors.New("identity: not a cost")
	}
	return c, nil
}

// hasher hashes passwords. It limits the number of parallel hashes, because each of them uses a core and memory.
type hasher struct {
	cost    Cost
	limiter *limiter
	dummy   string // hash that is verified for an account without one, so that both cases take the same time
}

const (
	saltLen, hashLen = 16, 32
	queuePerCore     = 32
)

// newHasher returns a hasher. While busy reports that other requests are served, hashing uses at most the given number of cores (zero: half
// of them); otherwise it uses all cores.
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

// randomHash returns a random PHC string with the given cost, which no password matches.
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

// verify reports whether a password matches a hash, and in stale whether the cost of the hash differs from that of new hashes. An empty or
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

// limiter limits how many callers run at the same time, in order of arrival. It evaluates the bound whenever a caller arrives or leaves, so
// that the bound may depend on the other work of the process.
type limiter struct {
	bound func() int // at least 1
	max   int        // maximum number of running and waiting callers

	mu      sync.Mutex
	running int
	queue   list.List // of chan struct{}, which admit closes
}

// enter waits for a turn; leave ends the turn. It returns ErrUnavailable when too many callers wait.
func (g *limiter) enter(ctx context.Context) (leave func(), err error) {
	g.mu.Lock()
	if g.running+g.queue.Len() >= g.max {
		g.mu.Unlock()
		return nil, ErrUnavailable
	}
	turn := make(chan struct{})
	place := g.queue.PushBack(turn)
	g.admit()
	g.mu.Unlock()
	select {
	case <-turn:
		return g.leave, nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-turn: // the caller was admitted at the same moment
		g.running--
	default:
		g.queue.Remove(place)
	}
	g.admit()
	return nil, ctx.Err()
}

func (g *limiter) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.admit()
}

// admit lets callers run up to the bound. The caller holds mu.
func (g *limiter) admit() {
	for g.queue.Len() > 0 && g.running < g.bound() {
		g.running++
		close(g.queue.Remove(g.queue.Front()).(chan struct{}))
	}
}
