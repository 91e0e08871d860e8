package order

// Codes of transfers, activation, moves of shares and access.
const (
	codeKeyReused = "marketplace.key_reused" // 422: another request under the same key
)
