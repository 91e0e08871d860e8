package billingapi

import (
	"time"

	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/value"
)

// Event types that module billing publishes.
const (
	EventIBANProcessed       = "billing.iban_processed"
	EventIBANRejected        = "billing.iban_rejected"
	EventIBANEffective       = "billing.iban_effective"
	EventTermAmountProcessed = "billing.term_amount_processed"
	EventTermAmountRejected  = "billing.term_amount_rejected"
)

const change = "Id of the change request"

// Events are the events that module billing publishes.
var Events = []event.Type{
	event.Of[IBANProcessed](EventIBANProcessed, change, "A change of bank account was processed"),
	event.Of[IBANRejected](EventIBANRejected, change, "A change of bank account was rejected"),
	event.Of[IBANEffective](EventIBANEffective, "Id of the relation", "A changed bank account is in use from today"),
	event.Of[TermAmountProcessed](EventTermAmountProcessed, change, "A change of a term amount was processed"),
	event.Of[TermAmountRejected](EventTermAmountRejected, change, "A change of a term amount was rejected"),
}

// IBANProcessed is the data of EventIBANProcessed.
type IBANProcessed struct {
	Relation          string `json:"relation" doc:"Id of the relation"`
	BankAccountNumber string `json:"bank_account_number" doc:"IBAN"`
	BankAccountName   string `json:"bank_account_name" doc:"Name of the account holder"`
	FromDate          string `json:"from_date,omitempty" format:"date" doc:"First day of the bank account; absent: at once"`
}

// IBANRejected is the data of EventIBANRejected.
type IBANRejected struct {
	Relation string `json:"relation" doc:"Id of the relation"`
}

// IBANEffective is the data of EventIBANEffective. The event is delivered on the first day of the bank account, or immediately if that day
// has passed.
type IBANEffective struct {
	Relation          string    `json:"relation" doc:"Id of the relation"`
	BankAccountNumber string    `json:"bank_account_number" doc:"IBAN"`
	BankAccountName   string    `json:"bank_account_name" doc:"Name of the account holder"`
	FromDate          string    `json:"from_date,omitempty" format:"date" doc:"First day of the bank account; absent: at once"`
	Decided           time.Time `json:"decided" doc:"Time of the decision; the last decision applies"`
}

// TermAmountProcessed is the data of EventTermAmountProcessed.
type TermAmountProcessed struct {
	Relation  string      `json:"relation" doc:"Id of the relation"`
	Agreement string      `json:"agreement" doc:"The agreement_identifier_with_sequence of the agreement"`
	Amount    value.Cents `json:"amount" doc:"New term amount in euros per month"`
}

// TermAmountRejected is the data of EventTermAmountRejected.
type TermAmountRejected struct {
	Relation  string `json:"relation" doc:"Id of the relation"`
	Agreement string `json:"agreement" doc:"The agreement_identifier_with_sequence of the agreement"`
}
