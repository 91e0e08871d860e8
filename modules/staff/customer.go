package staff

import (
	"strings"

	"github.com/wattle-portal/wattle/core/value"
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

// found is a relation as module account finds it.
type found struct {
	Relation     string `json:"relation"`
	DebtorNumber string `json:"debtor_number"`
	Name         string `json:"name"`
	Email        string `json:"email"`
	PhoneNumber  string `json:"phone_number"`
	Place        string `json:"place"`
}

// customer joins a relation with its login; an empty username is none.
func (f found) customer(username string) Customer {
	return Customer{Relation: f.Relation, DebtorNumber: f.DebtorNumber, Name: f.Name, Email: f.Email, PhoneNumber: f.PhoneNumber, Place: f.Place,
		Username: username, MayImpersonate: username != ""}
}

// relation is a relation as module account has it, whole.
type relation struct {
	DebtorNumber string    `json:"debtor_number"`
	Since        value.Day `json:"relation_since"`
	Initials     string    `json:"initials"`
	Prefix       string    `json:"prefix"`
	LastName     string    `json:"last_name"`
	Email        string    `json:"email"`
	PhoneNumber  string    `json:"phone_number"`
	Company      *struct {
		Name string `json:"name"`
	} `json:"company"`
	Addresses []Address `json:"addresses"`
}

// record is a relation with its login as staff see it. The bank account stays with account.
func (r relation) record(id, username string) Record {
	out := Record{Customer: Customer{Relation: id, DebtorNumber: r.DebtorNumber, Email: r.Email, PhoneNumber: r.PhoneNumber, Username: username,
		MayImpersonate: username != "", Name: strings.Join(strings.Fields(r.Initials+" "+r.Prefix+" "+r.LastName), " ")},
		Since: r.Since, Addresses: r.Addresses}
	if r.Company != nil {
		out.Company = r.Company.Name
	}
	if out.Name == "" {
		out.Name = out.Company
	}
	if out.Addresses == nil {
		out.Addresses = []Address{}
	}
	for _, a := range out.Addresses {
		if out.Place == "" || a.Type == "INVOICE" {
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
