package billing

import (
	"strings"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	nameMin = 3 // characters of an account holder's name (5.1-name-required)
	nameMax = 255
)

// BankAccount is a bank account that is asked for, or waits for the back office (7.1-put-iban).
type BankAccount struct {
	Number string `json:"change_bank_account_number" doc:"IBAN"`
	Name   string `json:"change_bank_account_name" doc:"Account holder"`
	From   string `json:"from_date" doc:"YYYY-MM-DD, tomorrow or later"` // text, so that a day that is none gets our code (5.1-date-format)
}

// BankDetails are the bank account in use and how is paid from it (3-bank-details-fields).
type BankDetails struct {
	Name   string        `json:"bank_account_name"`
	Number string        `json:"bank_account_number" doc:"IBAN, in full; a page shows its last four"`
	Method PaymentMethod `json:"payment_method" enum:"DEFAULT,DIRECT_DEBIT_BUSINESS,DIRECT_DEBIT_CONSUMER,IDEAL,INVOICE"`
}

// Check judges the form as it is sent, on a day, for a relation whose IBAN is current. It gives the account as it is to be stored.
func (b BankAccount) Check(current string, today value.Day) (BankAccount, []problem.FieldError) {
	b.Number, b.Name = value.NormaliseIBAN(b.Number), strings.TrimSpace(b.Name)
	var wrong []problem.FieldError
	for _, judged := range []struct {
		field string
		codes []string
	}{
		{"change_bank_account_number", CheckIBAN(b.Number, current)},
		{"change_bank_account_name", CheckAccountName(b.Name)},
		{"from_date", CheckFromDate(b.From, today)},
	} {
		for _, code := range judged.codes {
			wrong = append(wrong, problem.FieldError{Field: judged.field, Code: code})
		}
	}
	return b, wrong
}

// CheckAccountName judges the account holder's name (5.1-name-required, 5.1-name-max). Spaces around it do not count.
func CheckAccountName(name string) []string {
	switch n := utf8.RuneCountInString(strings.TrimSpace(name)); {
	case n < nameMin:
		return []string{codeNameRequired}
	case n > nameMax:
		return []string{codeNameTooLong}
	}
	return nil
}

// CheckFromDate judges the day from which another bank account holds (5.1-date-required, 5.1-date-min, 5.1-date-format). What is
// no day is as good as missing.
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
