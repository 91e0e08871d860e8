package billing

import (
	"cmp"
	"slices"

	"github.com/wattle-portal/wattle/core/value"
)

// Status is the state of an agreement.
type Status string

// Statuses are the valid values.
var Statuses = []Status{"ACTIVE", "FUTURE", "CANCELLED", statusTerminated}

const statusTerminated Status = "TERMINATED"

const electricity = "ELECTRICITY"

// ProductCategories are the valid values of product_category (3-agreement-product-category).
var ProductCategories = []string{"ENERGY"}

// PaymentMethod is how a customer pays (3-enum-payment-method).
type PaymentMethod string

const methodDefault PaymentMethod = "DEFAULT"

// PaymentMethods are the valid values.
var PaymentMethods = []PaymentMethod{methodDefault, "DIRECT_DEBIT_BUSINESS", "DIRECT_DEBIT_CONSUMER", "IDEAL", "INVOICE"}

// isDirectDebit reports whether the term amount is collected by direct debit.
func (m PaymentMethod) isDirectDebit() bool {
	return m == "DIRECT_DEBIT_BUSINESS" || m == "DIRECT_DEBIT_CONSUMER"
}

// Agreement is an agreement between a relation and the label (3-agreement-fields).
type Agreement struct {
	AgreementID string `json:"agreement_id" doc:"Id of the agreement in the back office"`
	Identifier  string `json:"agreement_identifier" doc:"Identifier of the agreement without its sequence, as customers see it"`
	ID          string `json:"agreement_identifier_with_sequence" doc:"Id of the agreement in all paths"`
	Name        string `json:"name" doc:"Name of the agreement, such as the name of its product"`
	CompanyName string `json:"company_name" doc:"Name of the subsidiary that the agreement is with; empty: none"` // 3-agreement-company-name
	Period      Period `json:"period" doc:"Days on which the agreement applies"`
	Category    string `json:"product_category" enum:"ENERGY" doc:"Category of the product"`
	Status      Status `json:"status" enum:"ACTIVE,FUTURE,CANCELLED,TERMINATED" doc:"State of the agreement in the back office"`
	Current     bool   `json:"current" doc:"Whether the agreement is active today"`

	Addresses    []Address        `json:"addresses" nullable:"false" doc:"Addresses of the agreement, with their connections"`
	TariffSheets []TariffSheet    `json:"tariff_sheets" nullable:"false" doc:"Tariff sheets that were sent to the customer"`
	Invoices     []Invoice        `json:"invoices" nullable:"false" doc:"The ten newest invoices by due date, and further ones of the year of the tenth"`
	Periodical   *Payment         `json:"periodical_payment,omitempty" doc:"Periodical payment; absent if nothing is collected periodically"`
	Prices       []PriceAgreement `json:"price_agreements" nullable:"false" doc:"Agreed prices, each with the days on which it applies"`
}

// Period is a range of days, including the first and the last one. A nil To means no end.
type Period struct {
	From value.Day  `json:"from" doc:"First day"`
	To   *value.Day `json:"to" nullable:"true" doc:"Last day; null: no end is known"`
}

// Has reports whether the period contains a day.
func (p Period) Has(day value.Day) bool {
	return !day.Before(p.From) && (p.To == nil || !day.After(*p.To))
}

// Address is an address of an agreement.
type Address struct {
	Type        string       `json:"address_type" enum:"INVOICE,SHIPPING" doc:"INVOICE: invoices are sent there; SHIPPING: an address of delivery"`
	Street      string       `json:"street" doc:"Name of the street"`
	Number      string       `json:"house_number" doc:"House number without its extension"`
	Extension   string       `json:"house_number_extension" doc:"House number extension; empty: none"`
	ZipCode     string       `json:"zip_code" doc:"Postal code; Dutch ones as 1234AB"`
	City        string       `json:"city" doc:"Name of the city"`
	Connections []Connection `json:"connections" nullable:"false" doc:"Connections of the agreement at the address"`
}

// Connection is a connection of an agreement. Module usage stores its other data.
type Connection struct {
	EAN       string `json:"ean_code" doc:"EAN code of the connection, 18 digits"`
	Commodity string `json:"commodity" enum:"ELECTRICITY,GAS" doc:"What is supplied over the connection"`
}

// Payment is the periodical payment of an agreement (3-agreement-periodical-payment).
type Payment struct {
	Details Details       `json:"details" doc:"The term amount and the range in which it can be changed"`
	Items   []Item        `json:"items" nullable:"false" doc:"Parts of the term amount"`
	Method  PaymentMethod `json:"payment_method" enum:"DEFAULT,DIRECT_DEBIT_BUSINESS,DIRECT_DEBIT_CONSUMER,IDEAL,INVOICE" doc:"How the customer pays"`
	IBAN    string        `json:"bank_account_number" doc:"IBAN of the relation for direct debit, otherwise empty"`
}

// Details are the term amount and the range in which it can be changed.
type Details struct {
	Current  value.Cents `json:"current_amount" doc:"Current term amount in euros per month"`
	Proposed value.Cents `json:"proposed_amount" doc:"Recommended term amount in euros per month"`
	Min      value.Cents `json:"min_amount" doc:"Lowest term amount that can be requested, in euros"`
	Max      value.Cents `json:"max_amount" doc:"Highest term amount that can be requested, in euros"`
}

// Item is a part of the term amount.
type Item struct {
	Category    string      `json:"category" doc:"Category of the part in the back office"`
	Description string      `json:"description" doc:"What the part is for, as the customer sees it"`
	Amount      value.Cents `json:"amount" doc:"Part of the term amount in euros per month"`
}

// PriceAgreement is a price and the period in which it applies.
type PriceAgreement struct {
	Description string      `json:"description" doc:"What the price is for, as the customer sees it"`
	Kind        PriceKind   `json:"kind,omitempty" enum:"normal,low,single,feed_in,feed_in_cost,standing,grid,energy_tax,tax_reduction" doc:"What the price is for; absent: not known"`
	Commodity   string      `json:"commodity,omitempty" enum:"ELECTRICITY,GAS" doc:"Commodity of the price; absent: not of one commodity"`
	Unit        string      `json:"unit" doc:"Unit of the price, such as kWh, m³, day or month"`
	Amount      value.Price `json:"amount" doc:"Price of one unit in euros, at most five decimals"`
	IncludesVAT *bool       `json:"includes_vat,omitempty" doc:"Whether the amount includes VAT; absent: not known"`
	From        value.Day   `json:"from" doc:"First day of the price"`
	To          *value.Day  `json:"to" nullable:"true" doc:"Last day of the price; null: no end is known"`
}

// isCurrent reports whether an agreement is active and its period contains a day.
func (a *Agreement) isCurrent(today value.Day) bool {
	return a.Status == "ACTIVE" && a.Period.Has(today)
}

// newestFirst compares agreements by start date, latest first, then by id.
func newestFirst(a, b *Agreement) int {
	if c := cmp.Compare(b.Period.From.String(), a.Period.From.String()); c != 0 {
		return c
	}
	return cmp.Compare(b.ID, a.ID)
}

// paymentMethod returns the payment method of the newest current agreement with a term amount or, if none is current, of the newest
// agreement with one. The agreements must be sorted, newest first.
func paymentMethod(agreements []*storedAgreement) PaymentMethod {
	candidates := slices.DeleteFunc(slices.Clone(agreements), func(a *storedAgreement) bool { return a.Periodical == nil })
	if i := slices.IndexFunc(candidates, func(a *storedAgreement) bool { return a.Current }); i >= 0 {
		return candidates[i].Periodical.Method
	}
	if len(candidates) > 0 {
		return candidates[0].Periodical.Method
	}
	return methodDefault
}

// deliversElectricity reports whether an agreement delivers electricity on a day: it is current, and has an electricity connection or an
// electricity product whose period contains the day.
func (a *storedAgreement) deliversElectricity(today value.Day) bool {
	if !a.isCurrent(today) {
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
