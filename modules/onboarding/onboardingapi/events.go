// Package onboardingapi contains the events of module onboarding, for other modules.
package onboardingapi

import (
	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/value"
)

// Types of the events that module onboarding publishes.
const (
	EventApproved          = "onboarding.approved"
	EventRejected          = "onboarding.rejected"
	EventReactivationAsked = "onboarding.reactivation_asked"
	EventSweep             = "onboarding.sweep"
)

const change = "Id of the change request"

// Events are the events that module onboarding publishes.
var Events = []event.Type{
	event.Of[Approved](EventApproved, change, "An application was approved; the applicant becomes a relation"),
	event.Of[event.None](EventRejected, change, "An application was rejected"),
	event.Internally[event.None](EventReactivationAsked, "Id of the request; the e-mail address is not part of the event", "A reactivation was requested"),
	event.Scheduled(EventSweep, "Expired applications and requests are due for deletion"),
}

// Approved is the data of EventApproved: the new relation and the form of the applicant.
type Approved struct {
	Change        string    `json:"change" doc:"Id of the change request"`
	Relation      string    `json:"relation" doc:"Id of the relation, derived from the debtor number"`
	DebtorNumber  string    `json:"debtor_number" doc:"Customer number assigned by the portal"`
	RelationSince value.Day `json:"relation_since"`
	Salutation    string    `json:"salutation" enum:"MR,MRS"`
	Name          string    `json:"name" doc:"Full name"`
	Applicant
}

// Applicant is the form of a person who wants to become a customer.
type Applicant struct {
	Initials          string  `json:"initials"`
	PreferredName     string  `json:"preferred_name"`
	Prefix            string  `json:"prefix,omitempty" doc:"Prefix of the last name, such as \"van der\""`
	LastName          string  `json:"last_name"`
	Gender            string  `json:"gender" enum:"MALE,FEMALE"`
	BirthDate         string  `json:"birth_date" format:"date"`
	PhoneNumber       string  `json:"phone_number"`
	Email             string  `json:"email"`
	Locale            string  `json:"locale" doc:"Language of the form and the mails: nl or en"`
	BankAccountNumber string  `json:"bank_account_number" doc:"IBAN"`
	BankAccountName   string  `json:"bank_account_name" doc:"Account holder"`
	Address           Address `json:"address"`
	Unchecked         bool    `json:"unchecked,omitempty" doc:"True if the address register was unavailable: street and city are as entered, or missing"`
}

// Address is the address of an applicant.
type Address struct {
	Street               string `json:"street"`
	HouseNumber          string `json:"house_number"`
	HouseNumberExtension string `json:"house_number_extension"`
	ZipCode              string `json:"zip_code" doc:"Postal code, such as 1234AB"`
	City                 string `json:"city"`
}
