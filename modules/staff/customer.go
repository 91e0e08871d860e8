package staff

import (
	"strings"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// Customer is a relation as staff find it (6-staff-start-impersonation).
type Customer struct {
	Relation     string `json:"relation"`
	DebtorNumber string `json:"debtor_number"`
	Name         string `json:"name"`
	Email        string `json:"email"`
	PhoneNumber  string `json:"phone"`
	Place        string `json:"place"`
	Username     string `json:"username,omitempty" doc:"Of the account that an impersonation looks along with"`
	// MayImpersonate says that there is an account to look along with.
	MayImpersonate bool `json:"may_impersonate"`
}

// Record is one customer, opened: a look that the customer hears of.
type Record struct {
	Customer
	Since     value.Day `json:"relation_since,omitzero"`
	Company   string    `json:"company,omitempty"`
	Addresses []Address `json:"addresses" nullable:"false"`
}

// Address of a customer.
type Address struct {
	Type      string `json:"address_type" enum:"INVOICE,SHIPPING"`
	Street    string `json:"street"`
	Number    string `json:"house_number"`
	Extension string `json:"house_number_extension"`
	ZipCode   string `json:"zip_code"`
	City      string `json:"city"`
}

// customer joins a relation with its login; an empty username is none.
func customer(f accountapi.Found, username string) Customer {
	return Customer{Relation: f.Relation, DebtorNumber: f.DebtorNumber, Name: f.Name, Email: f.Email, PhoneNumber: f.PhoneNumber, Place: f.Place,
		Username: username, MayImpersonate: username != ""}
}

// record is a relation with its login as staff see it. The bank account stays with account.
func record(r accountapi.Relation, id, username string) Record {
	out := Record{Customer: Customer{Relation: id, DebtorNumber: r.DebtorNumber, Email: r.Email, PhoneNumber: r.PhoneNumber, Username: username,
		MayImpersonate: username != "", Name: strings.Join(strings.Fields(r.Initials+" "+r.Prefix+" "+r.LastName), " ")},
		Since: r.RelationSince, Company: r.Company.Name, Addresses: make([]Address, len(r.Addresses))}
	if out.Name == "" {
		out.Name = out.Company
	}
	for i, a := range r.Addresses {
		out.Addresses[i] = Address{a.AddressType, a.Street, a.HouseNumber, a.HouseNumberExtension, a.ZipCode, a.City}
		if out.Place == "" || a.AddressType == "INVOICE" {
			out.Place = a.City
		}
	}
	return out
}

// searchKind says of a search what may be kept: a mailbox or a name is personal, and the audit log forgets nothing.
func searchKind(q string) string {
	switch {
	case strings.Contains(q, "@"):
		return "email"
	case strings.ContainsAny(q, "0123456789"):
		return "number"
	}
	return "name"
}
