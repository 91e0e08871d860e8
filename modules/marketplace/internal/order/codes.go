package order

// Codes of placing an order.
const (
	codeKeyReused = "marketplace.key_reused" // 422: another request with the same key
)
