package billing

import (
	"path"

	"github.com/wattle-portal/wattle/core/value"
)

// InvoiceType says what an invoice is for (3-enum-invoice-type).
type InvoiceType string

// InvoiceTypes are the values that are known.
var InvoiceTypes = []InvoiceType{"INVOICE", "PERIODICAL", "ANNUAL", "FINAL", "MAR", "MEAR", "DISCOUNT"}

// Invoice is a bill or, with a negative amount, a credit (3-invoice-fields).
type Invoice struct {
	ID          string        `json:"invoice_id"`
	Agreement   string        `json:"agreement_identifier_with_sequence"`
	Type        InvoiceType   `json:"invoice_type" enum:"INVOICE,PERIODICAL,ANNUAL,FINAL,MAR,MEAR,DISCOUNT"`
	Amount      value.Cents   `json:"amount"`
	Balance     value.Cents   `json:"balance" doc:"What is still open"`
	Link        string        `json:"invoice_link" doc:"Path of the file, or empty when there is none"`
	IssueDate   value.Day     `json:"issue_date"`
	DueDate     value.Day     `json:"due_date"`
	PeriodStart value.Day     `json:"period_start_date" doc:"Empty for an invoice about no period"`
	PeriodEnd   value.Day     `json:"period_end_date"`
	Status      BalanceStatus `json:"payment_status" enum:"OUTSTANDING,PAID,REFUND,CANCELLED,OPEN,CLOSED,SETTLED,WRITE_OFF,INVALID,IN_SETTLEMENT,OVERPAYMENT,PAYMENT_IN_PROGRESS"`
	Settlement  *Settlement   `json:"settlement,omitempty"`
}

// Settlement says which invoices were settled with each other (3-invoice-settlement).
type Settlement struct {
	Receivable Settled     `json:"receivable"`
	Payables   []Settled   `json:"payables" nullable:"false"`
	Rest       value.Cents `json:"rest_amount"`
	Reference  string      `json:"payment_reference"`
}

// Settled is an invoice in a settlement.
type Settled struct {
	Reference string      `json:"invoice_reference"`
	Amount    value.Cents `json:"amount_value"`
	Type      InvoiceType `json:"invoice_type" enum:"INVOICE,PERIODICAL,ANNUAL,FINAL,MAR,MEAR,DISCOUNT"`
}

// Year is what an agreement was billed in the year of the due dates (2.1-invoices-year-basis).
type Year struct {
	Year   int         `json:"year"`
	Count  int         `json:"count" doc:"Invoices"`
	Amount value.Cents `json:"amount" doc:"What they add up to"`
	Open   value.Cents `json:"open" doc:"What of that is still open"`
}

// Month is what an agreement was billed in a month of due dates.
type Month struct {
	Month  string      `json:"month" doc:"YYYY-MM"`
	Amount value.Cents `json:"amount"`
}

// invoiceFileName is what a downloaded invoice is called; stored is its name in the file store, which no browser sees.
func invoiceFileName(id, stored string) string { return "factuur-" + id + path.Ext(stored) }

func invoiceLink(id, file string) string {
	if file == "" {
		return ""
	}
	return "/api/v0/invoices/" + id + "/file"
}
