package billing

// BalanceStatus says what became of an invoice; it is the payment_status of an invoice, whose balance is the amount that is still
// open (4-balance-field-reconcile).
type BalanceStatus string

// BalanceStatuses are the values that are known (4-balance-status-enum). What the browser shows for each is its own business.
var BalanceStatuses = []BalanceStatus{"OUTSTANDING", "PAID", "REFUND", "CANCELLED", "OPEN", "CLOSED", "SETTLED", "WRITE_OFF",
	"INVALID", "IN_SETTLEMENT", "OVERPAYMENT", "PAYMENT_IN_PROGRESS"}
