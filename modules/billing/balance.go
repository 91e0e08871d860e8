package billing

// BalanceStatus is the payment_status of an invoice. Its balance is the open amount (4-balance-field-reconcile).
type BalanceStatus string

// BalanceStatuses are the valid values (4-balance-status-enum).
var BalanceStatuses = []BalanceStatus{"OUTSTANDING", "PAID", "REFUND", "CANCELLED", "OPEN", "CLOSED", "SETTLED", "WRITE_OFF",
	"INVALID", "IN_SETTLEMENT", "OVERPAYMENT", "PAYMENT_IN_PROGRESS"}
