package order

// Error codes of baskets and orders.
const (
	codeOwnOffer        = "marketplace.own_offer"
	codeAddressRequired = "marketplace.address_required"
	codePaymentsOff     = "marketplace.payments_off"    // 409: the label has no payment provider
	codeWithdrawalOver  = "marketplace.withdrawal_over" // 409: the withdrawal period is over
)
