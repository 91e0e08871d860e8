// Package onboardingapi contains the events of module onboarding, for other modules.
package onboardingapi

import (
	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/value"
)

// Event types that module onboarding publishes.
const (
	EventApproved              = "onboarding.approved"
	EventRejected              = "onboarding.rejected"
	EventReactivationRequested = "onboarding.reactivation_requested"
	EventSweep                 = "onboarding.sweep"
)

const change = "Id of the change request"

// Events are the events that module onboarding publishes.
var Events = []event.Type{
	event.Of[Approved](EventApproved, change, "An application was approved; the applicant becomes a relation"),
	event.Of[event.None](EventRejected, change, "An application was rejected"),
	event.Internal[event.None](EventReactivationRequested, "Id of the request; the e-mail address is not part of the event",
		"A reactivation was requested"),
	event.Scheduled(EventSweep, "Expired applications and requests are due for deletion"),
}

// Approved is the data of EventApproved: the new relation and the applicant's registration.
type Approved struct {
	Change        string    `json:"change" doc:"Id of the change request"`
	Relation      string    `json:"relation" doc:"Id of the relation, derived from the debtor number"`
	DebtorNumber  string    `json:"debtor_number" doc:"Customer number assigned by the portal"`
	RelationSince value.Day `json:"relation_since" doc:"First day as a customer"`
	Salutation    string    `json:"salutation,omitempty" enum:"MR,MRS" doc:"Form of address, from the gender; absent: none"`
	Name          string    `json:"name" doc:"Full name"`
	Applicant
}

// Applicant contains the registration of a person who wants to become a customer.
type Applicant struct {
	Initials          string  `json:"initials" doc:"Initials"`
	PreferredName     string  `json:"preferred_name" doc:"First name that the person uses"`
	Prefix            string  `json:"prefix,omitempty" doc:"Prefix of the last name, such as \"van der\""`
	LastName          string  `json:"last_name" doc:"Last name without its prefix"`
	Gender            string  `json:"gender" enum:"MALE,FEMALE,OTHER" doc:"Gender; OTHER: neither, or not said"`
	BirthDate         string  `json:"birth_date" format:"date" doc:"Date of birth"`
	PhoneNumber       string  `json:"phone_number" doc:"Phone number"`
	Email             string  `json:"email" doc:"E-mail address, which the applicant has verified"`
	Locale            string  `json:"locale" doc:"Language of the form and the mails: nl or en"`
	BankAccountNumber string  `json:"bank_account_number" doc:"IBAN"`
	BankAccountName   string  `json:"bank_account_name" doc:"Account holder"`
	Address           Address `json:"address" doc:"Address of the applicant"`
	Unchecked         bool    `json:"unchecked,omitempty" doc:"True if the address register was unavailable: street and city are as entered, or missing"`
}

// Address is the address of an applicant.
type Address struct {
	Street               string `json:"street" doc:"Name of the street"`
	HouseNumber          string `json:"house_number" doc:"House number without its extension"`
	HouseNumberExtension string `json:"house_number_extension" doc:"House number extension; empty: none"`
	ZipCode              string `json:"zip_code" doc:"Postal code, such as 1234AB"`
	City                 string `json:"city" doc:"Name of the city"`
}
