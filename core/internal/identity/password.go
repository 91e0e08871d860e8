package identity

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
