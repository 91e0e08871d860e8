package identity

import (
	"errors"
	"fmt"
)

// Cost is the cost of one argon2id hash (RFC 9106).
type Cost struct {
	Time    uint32 // passes over the memory
	Memory  uint32 // KiB
	Threads uint8  // lanes
}

// DefaultCost is the first setting that OWASP's Password Storage Cheat Sheet recommends: 19 MiB, two passes, one lane.
var DefaultCost = Cost{Time: 2, Memory: 19 << 10, Threads: 1}

// TestCost is for tests only.
var TestCost = Cost{Time: 1, Memory: 8, Threads: 1}

// Bounds of the costs that ParseCost accepts. Each of OWASP's settings reads and writes at least minWork KiB; less memory than
// minMemory does not slow down a graphics card. The upper bounds catch mistakes in units.
const (
	minMemory, maxMemory = 7 << 10, 1 << 20 // KiB
	minWork              = 35 << 10         // KiB times passes
	maxTime, maxThreads  = 20, 16
)

// String returns the cost as in a PHC string: m=19456,t=2,p=1.
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

// scanCost parses what String returns, of any strength.
func scanCost(s string) (c Cost, err error) {
	if _, err := fmt.Sscanf(s, "m=%d,t=%d,p=%d", &c.Memory, &c.Time, &c.Threads); err != nil {
		return c, err
	}
	if c.Time == 0 || c.Threads == 0 || c.String() != s {
		return c, errors.New("identity: not a cost")
	}
	return c, nil
}
