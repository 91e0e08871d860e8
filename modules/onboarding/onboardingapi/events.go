// Package onboardingapi is what other modules may know of module onboarding: its events.
package onboardingapi

import "github.com/wattle-portal/wattle/core/value"

// EventApproved is published when an applicant was let in. Its data is an Approved, its key the change request.
const EventApproved = "onboarding.approved"

// Approved is the data of EventApproved: the relation that the applicant becomes, and what he filled in.
type Approved struct {
	Change        string    `json:"change"`
	Relation      string    `json:"relation"` // id; as account.RelationID of the debtor number
	DebtorNumber  string    `json:"debtor_number"`
	RelationSince value.Day `json:"relation_since"`
	Salutation    string    `json:"salutation"`
	Name          string    `json:"name"`
	Applicant
}

// Applicant is what somebody filled in who asks to become a customer.
type Applicant struct {
	Initials          string  `json:"initials"`
	PreferredName     string  `json:"preferred_name"`
	Prefix            string  `json:"prefix,omitempty"`
	LastName          string  `json:"last_name"`
	Gender            string  `json:"gender"`
	BirthDate         string  `json:"birth_date"`
	PhoneNumber       string  `json:"phone_number"`
	Email             string  `json:"email"`
	Locale            string  `json:"locale"` // in which the form was filled in, and the mails are
	BankAccountNumber string  `json:"bank_account_number"`
	BankAccountName   string  `json:"bank_account_name"`
	Address           Address `json:"address"`
	// Unchecked says that the address register could not be reached: street and city are as they were typed, or missing.
	Unchecked bool `json:"unchecked,omitempty"`
}

// Address is where an applicant lives.
type Address struct {
	Street               string `json:"street"`
	HouseNumber          string `json:"house_number"`
	HouseNumberExtension string `json:"house_number_extension"`
	ZipCode              string `json:"zip_code"`
	City                 string `json:"city"`
}
