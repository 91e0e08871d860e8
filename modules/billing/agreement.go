package billing

import (
	"cmp"
	"slices"

	"github.com/wattle-portal/wattle/core/value"
)

// Status says where an agreement is in its life.
type Status string

// Statuses are the values that are known.
var Statuses = []Status{"ACTIVE", "FUTURE", "CANCELLED", statusTerminated}

const statusTerminated Status = "TERMINATED"

const electricity = "ELECTRICITY"

// ProductCategories are the values of product_category that are known (3-agreement-product-category).
var ProductCategories = []string{"ENERGY"}

// PaymentMethod says how a customer pays (3-enum-payment-method).
type PaymentMethod string

const methodDefault PaymentMethod = "DEFAULT"

// PaymentMethods are the values that are known.
var PaymentMethods = []PaymentMethod{methodDefault, "DIRECT_DEBIT_BUSINESS", "DIRECT_DEBIT_CONSUMER", "IDEAL", "INVOICE"}

// direct reports whether the label collects the term amount from the bank account by itself.
func (m PaymentMethod) direct() bool {
	return m == "DIRECT_DEBIT_BUSINESS" || m == "DIRECT_DEBIT_CONSUMER"
}

// Agreement is what a relation has agreed with the label (3-agreement-fields).
type Agreement struct {
	AgreementID string `json:"agreement_id"`
	Identifier  string `json:"agreement_identifier"`
	ID          string `json:"agreement_identifier_with_sequence" doc:"Identifies the agreement in every path"`
	Name        string `json:"name"`
	CompanyName string `json:"company_name" doc:"Filled: the agreement is with this daughter company"` // 3-agreement-company-name
	Period      Period `json:"period"`
	Category    string `json:"product_category" enum:"ENERGY"`
	Status      Status `json:"status" enum:"ACTIVE,FUTURE,CANCELLED,TERMINATED"`
	Current     bool   `json:"current" doc:"It holds today"`

	Addresses    []Address        `json:"addresses" nullable:"false"`
	TariffSheets []TariffSheet    `json:"tariff_sheets" nullable:"false"`
	Invoices     []Invoice        `json:"invoices" nullable:"false" doc:"The newest ten by due date"`
	Periodical   *Payment         `json:"periodical_payment,omitempty" doc:"Absent when nothing is collected periodically"`
	Prices       []PriceAgreement `json:"price_agreements" nullable:"false"`
}

// Period is from a first day to a last day, both inclusive; without a last day it goes on.
type Period struct {
	From value.Day  `json:"from"`
	To   *value.Day `json:"to" nullable:"true" doc:"Last day; null while no end is known"`
}

// Has reports whether a day lies in the period.
func (p Period) Has(day value.Day) bool {
	return !day.Before(p.From) && (p.To == nil || !day.After(*p.To))
}

// Address is where an agreement delivers.
type Address struct {
	Type        string       `json:"address_type" enum:"INVOICE,SHIPPING"`
	Street      string       `json:"street"`
	Number      string       `json:"house_number"`
	Extension   string       `json:"house_number_extension"`
	ZipCode     string       `json:"zip_code"`
	City        string       `json:"city"`
	Connections []Connection `json:"connections" nullable:"false"`
}

// Connection is a connection that an agreement delivers to; module usage knows the rest of it.
type Connection struct {
	EAN       string `json:"ean_code"`
	Commodity string `json:"commodity" enum:"ELECTRICITY,GAS"`
}

// Payment is what is collected for an agreement at every term (3-agreement-periodical-payment).
type Payment struct {
	Details Details       `json:"details"`
	Items   []Item        `json:"items" nullable:"false"`
	Method  PaymentMethod `json:"payment_method" enum:"DEFAULT,DIRECT_DEBIT_BUSINESS,DIRECT_DEBIT_CONSUMER,IDEAL,INVOICE"`
	IBAN    string        `json:"bank_account_number" doc:"The relation's, where it is collected by direct debit; else empty"`
}

// Details are the term amount and the range that it may be changed in.
type Details struct {
	Current  value.Cents `json:"current_amount"`
	Proposed value.Cents `json:"proposed_amount"`
	Min      value.Cents `json:"min_amount"`
	Max      value.Cents `json:"max_amount"`
}

// Item is a part of the term amount.
type Item struct {
	Category    string      `json:"category"`
	Description string      `json:"description"`
	Amount      value.Cents `json:"amount"`
}

// PriceAgreement is a price that holds for a time.
type PriceAgreement struct {
	Description string     `json:"description"`
	Commodity   string     `json:"commodity,omitempty" enum:"ELECTRICITY,GAS"`
	Unit        string     `json:"unit" doc:"What the price is for: kWh, m³, day, month …"`
	Amount      Price      `json:"amount"`
	From        value.Day  `json:"from"`
	To          *value.Day `json:"to" nullable:"true"`
}

// current says whether an agreement holds on a day: in its period, and neither cancelled nor still to begin.
func (a *Agreement) current(today value.Day) bool {
	return a.Status == "ACTIVE" && a.Period.Has(today)
}

// newestFirst orders agreements by start date, newest first.
func newestFirst(a, b *Agreement) int {
	if c := cmp.Compare(b.Period.From.String(), a.Period.From.String()); c != 0 {
		return c
	}
	return cmp.Compare(b.ID, a.ID)
}

// methodOf is how the relation pays: the payment method of the newest current agreement that has one, else of the newest.
// The agreements are ordered, newest first.
func methodOf(agreements []*agreed) PaymentMethod {
	with := slices.DeleteFunc(slices.Clone(agreements), func(a *agreed) bool { return a.Periodical == nil })
	if i := slices.IndexFunc(with, func(a *agreed) bool { return a.Current }); i >= 0 {
		return with[i].Periodical.Method
	}
	if len(with) > 0 {
		return with[0].Periodical.Method
	}
	return methodDefault
}

// electricity reports whether electricity is delivered under an agreement today: it holds, and has a connection for electricity or
// a product of it whose term has today in it.
func (a *agreed) electricity(today value.Day) bool {
	if !a.current(today) {
		return false
	}
	for _, at := range a.Addresses {
		if slices.ContainsFunc(at.Connections, func(c Connection) bool { return c.Commodity == electricity }) {
			return true
		}
	}
	return slices.ContainsFunc(a.Products, func(p Product) bool {
		return p.Commodity == electricity && Period{p.Start, p.End}.Has(today)
	})
}
