package billing

import (
	"strings"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	minName = 3 // characters of the name of the account holder (5.1-name-required)
	maxName = 255
)

// BankAccount is a requested or pending bank account (7.1-put-iban).
type BankAccount struct {
	Number string `json:"change_bank_account_number" doc:"IBAN"`
	Name   string `json:"change_bank_account_name" doc:"Name of the account holder"`
	// a string, so that an invalid day gets a problem code of this module (5.1-date-format)
	From string `json:"from_date" doc:"First day of the bank account as YYYY-MM-DD, tomorrow or later"`
}

// BankDetails are the bank account in use and the payment method (3-bank-details-fields).
type BankDetails struct {
	Name   string        `json:"bank_account_name" doc:"Name of the account holder"`
	Number string        `json:"bank_account_number" doc:"IBAN"`
	Method PaymentMethod `json:"payment_method" enum:"DEFAULT,DIRECT_DEBIT_BUSINESS,DIRECT_DEBIT_CONSUMER,IDEAL,INVOICE" doc:"How the customer pays"`
}

// Check validates the form on the day today against the relation's current IBAN. It returns the account as it is stored.
func (b BankAccount) Check(current string, today value.Day) (BankAccount, []problem.FieldError) {
	b.Number, b.Name = value.NormalizeIBAN(b.Number), strings.TrimSpace(b.Name)
	var fieldErrors []problem.FieldError
	for _, checked := range []struct {
		field string
		codes []string
	}{
		{"change_bank_account_number", CheckIBAN(b.Number, current)},
		{"change_bank_account_name", CheckAccountName(b.Name)},
		{"from_date", CheckFromDate(b.From, today)},
	} {
		for _, code := range checked.codes {
			fieldErrors = append(fieldErrors, problem.FieldError{Field: checked.field, Code: code})
		}
	}
	return b, fieldErrors
}

// CheckAccountName validates the name of the account holder (5.1-name-required, 5.1-name-max). Leading and trailing spaces do not count.
func CheckAccountName(name string) []string {
	switch n := utf8.RuneCountInString(strings.TrimSpace(name)); {
	case n < minName:
		return []string{codeNameRequired}
	case n > maxName:
		return []string{codeNameTooLong}
	}
	return nil
}

// CheckFromDate validates the first day of a new bank account (5.1-date-required, 5.1-date-min, 5.1-date-format). An invalid day gets the
// same code as a missing one.
func CheckFromDate(from string, today value.Day) []string {
	day, err := value.ParseDay(from)
	switch {
	case err != nil:
		return []string{codeDateRequired}
	case !day.After(today):
		return []string{codeDateTooEarly}
	}
	return nil
}
