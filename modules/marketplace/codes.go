package marketplace

// Codes that this module's rules give. A code is the id of the text that the browser shows.
const (
	codeTransition  = "marketplace.transition"  // 409: the state machine has no such transition
	codeSharesGone  = "marketplace.shares_gone" // 409: not that many shares
	codeUnavailable = "marketplace.offer_unavailable"
)
