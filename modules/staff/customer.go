package staff

import (
	"strings"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/account/accountapi"
)

// Customer is a relation in the search results of staff (6-staff-start-impersonation).
type Customer struct {
	Relation       string `json:"relation" doc:"Id of the relation"`
	DebtorNumber   string `json:"debtor_number" doc:"Customer number of the back office"`
	Name           string `json:"name" doc:"Full name, or the company name"`
	Email          string `json:"email" doc:"E-mail address of the relation"`
	PhoneNumber    string `json:"phone" doc:"Phone number of the relation"`
	Place          string `json:"place" doc:"Town of the invoice address"`
	Username       string `json:"username,omitempty" doc:"Username of the account that staff can impersonate"`
	MayImpersonate bool   `json:"may_impersonate" doc:"Whether the customer has an account that staff can impersonate"`
}

// CustomerNumber is the number and the name of a relation.
type CustomerNumber struct {
	Relation     string `json:"relation" doc:"Id of the relation"`
	DebtorNumber string `json:"debtor_number" doc:"Customer number of the back office"`
	Name         string `json:"name" doc:"Full name, or the company name; empty: not known"`
}

// Record is a customer with addresses. Every access is logged and shown to the customer.
type Record struct {
	Customer
	Since     value.Day `json:"relation_since,omitzero" doc:"First day of the relation"`
	Company   string    `json:"company,omitempty" doc:"Company name"`
	Addresses []Address `json:"addresses" nullable:"false" doc:"Addresses of the customer"`
}

// Address is an address of a customer.
type Address struct {
	Type      string `json:"address_type" enum:"INVOICE,SHIPPING" doc:"Invoice or shipping address"`
	Street    string `json:"street" doc:"Street name"`
	Number    string `json:"house_number" doc:"House number without extension"`
	Extension string `json:"house_number_extension" doc:"Extension of the house number; empty: none"`
	ZipCode   string `json:"zip_code" doc:"Postal code, such as 1234AB"`
	City      string `json:"city" doc:"Town"`
}

// customer joins a relation with the username of its login, which may be empty.
func customer(f accountapi.Found, username string) Customer {
	return Customer{Relation: f.Relation, DebtorNumber: f.DebtorNumber, Name: f.Name, Email: f.Email, PhoneNumber: f.PhoneNumber,
		Place: f.Place, Username: username, MayImpersonate: username != ""}
}

// record converts a relation with its login, without its bank account.
func record(r accountapi.Relation, id, username string) Record {
	out := Record{Customer: Customer{Relation: id, DebtorNumber: r.DebtorNumber, Email: r.Email, PhoneNumber: r.PhoneNumber,
		Username: username, MayImpersonate: username != "", Name: strings.Join(strings.Fields(r.Initials+" "+r.Prefix+" "+r.LastName), " ")},
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
