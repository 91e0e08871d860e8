package billing

import (
	"path"

	"github.com/wattle-portal/wattle/core/value"
)

// InvoiceType is the kind of an invoice (3-enum-invoice-type).
type InvoiceType string

// InvoiceTypes are the valid values.
var InvoiceTypes = []InvoiceType{"INVOICE", "PERIODICAL", "ANNUAL", "FINAL", "MAR", "MEAR", "DISCOUNT"}

// Invoice is an invoice or, with a negative amount, a credit note (3-invoice-fields).
type Invoice struct {
	ID          string        `json:"invoice_id" doc:"Id of the invoice, also in paths"`
	Agreement   string        `json:"agreement_identifier_with_sequence" doc:"Id of the agreement"`
	Type        InvoiceType   `json:"invoice_type" enum:"INVOICE,PERIODICAL,ANNUAL,FINAL,MAR,MEAR,DISCOUNT" doc:"Kind of the invoice"`
	Amount      value.Cents   `json:"amount" doc:"Amount in euros including VAT; negative: a credit note"`
	Balance     value.Cents   `json:"balance" doc:"Open amount in euros"`
	Link        string        `json:"invoice_link" doc:"Path of the file; empty: none"`
	IssueDate   value.Day     `json:"issue_date" doc:"Day of issue"`
	DueDate     value.Day     `json:"due_date" doc:"Last day to pay in time"`
	PeriodStart value.Day     `json:"period_start_date" doc:"First day of the period; empty: the invoice has no period"`
	PeriodEnd   value.Day     `json:"period_end_date" doc:"Last day of the period; empty: the invoice has no period"`
	Status      BalanceStatus `json:"payment_status" enum:"OUTSTANDING,PAID,REFUND,CANCELLED,OPEN,CLOSED,SETTLED,WRITE_OFF,INVALID,IN_SETTLEMENT,OVERPAYMENT,PAYMENT_IN_PROGRESS" doc:"State of the payment in the back office; balance is the open amount in every state"`
	Settlement  *Settlement   `json:"settlement,omitempty" doc:"Settlement that the invoice is part of; absent: none"`
}

// Settlement contains the invoices that were settled with each other (3-invoice-settlement).
type Settlement struct {
	Receivable Settled     `json:"receivable" doc:"Invoice with which the others are settled"`
	Payables   []Settled   `json:"payables" nullable:"false" doc:"Invoices that are settled with it"`
	Rest       value.Cents `json:"rest_amount" doc:"Amount in euros left after the settlement"`
	Reference  string      `json:"payment_reference" doc:"Reference of the payment"`
}

// Settled is an invoice in a settlement.
type Settled struct {
	Reference string      `json:"invoice_reference" doc:"Reference of the invoice"`
	Amount    value.Cents `json:"amount_value" doc:"Amount in euros of the invoice in the settlement"`
	Type      InvoiceType `json:"invoice_type" enum:"INVOICE,PERIODICAL,ANNUAL,FINAL,MAR,MEAR,DISCOUNT" doc:"Kind of the invoice"`
}

// Year is the total of the invoices of an agreement by year of the due date (2.1-invoices-year-basis).
type Year struct {
	Year   int         `json:"year" doc:"Year of the due dates"`
	Count  int         `json:"count" doc:"Number of invoices"`
	Amount value.Cents `json:"amount" doc:"Total amount in euros"`
	Open   value.Cents `json:"open" doc:"Open part of the total amount in euros"`
}

// Month is the total of the invoices of an agreement by month of the due date.
type Month struct {
	Month  string      `json:"month" doc:"Month of the due dates as YYYY-MM"`
	Amount value.Cents `json:"amount" doc:"Total amount in euros"`
}

// isPayable reports whether the customer has to pay the balance of the invoice.
func (i *Invoice) isPayable() bool { return i.Status.isPayable(i.Balance) }

// isOverdue reports whether the invoice has to be paid and its due date has passed. On its due date an invoice is not overdue yet
// (9-invoice-overdue).
func (i *Invoice) isOverdue(today value.Day) bool { return i.isPayable() && i.DueDate.Before(today) }

// OpenInvoices contains the invoices that the customer has to pay.
type OpenInvoices struct {
	Amount   value.Cents `json:"amount" doc:"Sum of the balances in euros"`
	Overdue  value.Cents `json:"overdue_amount" doc:"Sum in euros of the balances whose due date has passed"`
	Invoices []Invoice   `json:"invoices" nullable:"false" doc:"Oldest due date first"`
}

// newOpenInvoices selects and adds up the invoices that have to be paid.
func newOpenInvoices(invoices []Invoice, today value.Day) OpenInvoices {
	out := OpenInvoices{Invoices: []Invoice{}}
	for _, i := range invoices {
		if !i.isPayable() {
			continue
		}
		out.Invoices = append(out.Invoices, i)
		out.Amount += i.Balance
		if i.isOverdue(today) {
			out.Overdue += i.Balance
		}
	}
	return out
}

// invoiceFileName returns the name of a downloaded invoice; stored is the name in the file store, which the API does not return.
func invoiceFileName(id, stored string) string { return "factuur-" + id + path.Ext(stored) }

func invoiceLink(id, file string) string {
	if file == "" {
		return ""
	}
	return "/api/v0/invoices/" + id + "/file"
}
