package offer

// Error codes of offers. Exported ones are also used by other packages. A code is the id of the text that the browser shows.
const (
	CodeUnavailable = "marketplace.offer_unavailable"

	CodeRequired      = "marketplace.required"
	CodeInvalidInput  = "marketplace.invalid_input"
	CodeSharesRange   = "marketplace.shares_range"
	CodeNotEnough     = "marketplace.not_enough_shares"
	codeMaxPrice      = "marketplace.max_price"
	codeMinPrice      = "marketplace.min_price"
	codeDateRange     = "marketplace.date_range"
	codeSelling       = "marketplace.selling_not_allowed"
	CodeReasonUnknown = "marketplace.reason_unknown"
	CodeCodeInvalid   = "marketplace.code_invalid" // 5.7-redeem-length
)
