package billingapi

import "time"

// EventIBANEffective comes on the first day of a bank account that was asked for and processed, or at once when that day has been.
// Its data is an IBANEffective, its key the relation.
const EventIBANEffective = "billing.iban_effective"

// IBANEffective is the data of EventIBANEffective.
type IBANEffective struct {
	Relation          string    `json:"relation"`
	BankAccountNumber string    `json:"bank_account_number"`
	BankAccountName   string    `json:"bank_account_name"`
	FromDate          string    `json:"from_date,omitempty"`
	Decided           time.Time `json:"decided"` // of two, the one that was decided last holds
}
