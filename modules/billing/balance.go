package billing

import "github.com/wattle-portal/wattle/core/value"

// BalanceStatus is the payment_status of an invoice. Its balance is the open amount (4-balance-field-reconcile).
type BalanceStatus string

// BalanceStatuses are the valid values (4-balance-status-enum).
var BalanceStatuses = []BalanceStatus{"OUTSTANDING", "PAID", "REFUND", "CANCELLED", "OPEN", "CLOSED", "SETTLED", "WRITE_OFF",
	"INVALID", "IN_SETTLEMENT", "OVERPAYMENT", "PAYMENT_IN_PROGRESS"}

// isPayable reports whether the customer has to pay an invoice with this status and balance. Other statuses, such as CANCELLED and
// WRITE_OFF, are also shown as Open (4-balance-show-open), but need not be paid (9-invoice-overdue).
func (s BalanceStatus) isPayable(balance value.Cents) bool {
	return (s == "OUTSTANDING" || s == "OPEN") && balance > 0
}
