package staff

import (
	"strings"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// Customer is a relation in the search results of staff (6-staff-start-impersonation).
type Customer struct {
	Relation     string `json:"relation"`
	DebtorNumber string `json:"debtor_number"`
	Name         string `json:"name"`
	Email        string `json:"email"`
	PhoneNumber  string `json:"phone"`
	Place        string `json:"place"`
	Username     string `json:"username,omitempty" doc:"Username of the account that staff can impersonate"`
	// MayImpersonate is true if the customer has an account.
	MayImpersonate bool `json:"may_impersonate"`
}

// Record is a customer with addresses. Every access is logged and shown to the customer.
type Record struct {
	Customer
	Since     value.Day `json:"relation_since,omitzero"`
	Company   string    `json:"company,omitempty"`
	Addresses []Address `json:"addresses" nullable:"false"`
}

// Address is an address of a customer.
type Address struct {
	Type      string `json:"address_type" enum:"INVOICE,SHIPPING"`
	Street    string `json:"street"`
	Number    string `json:"house_number"`
	Extension string `json:"house_number_extension"`
	ZipCode   string `json:"zip_code"`
	City      string `json:"city"`
}

// customer joins a relation with the username of its login, which may be empty.
func customer(f accountapi.Found, username string) Customer {
	return Customer{Relation: f.Relation, DebtorNumber: f.DebtorNumber, Name: f.Name, Email: f.Email, PhoneNumber: f.PhoneNumber, Place: f.Place,
		Username: username, MayImpersonate: username != ""}
}

// record converts a relation with its login, without its bank account.
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

// searchKind returns the kind of a search for the audit log. The log keeps no search texts, because addresses and names are personal and
// entries are never deleted.
func searchKind(q string) string {
	switch {
	case strings.Contains(q, "@"):
		return "email"
	case strings.ContainsAny(q, "0123456789"):
		return "number"
	}
	return "name"
}
