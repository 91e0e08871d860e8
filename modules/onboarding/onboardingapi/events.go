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
	event.Of[Approved](EventApproved, change, "An applicant was let in, and becomes a relation"),
	event.Of[event.None](EventRejected, change, "An applicant was not let in"),
	event.Internally[event.None](EventReactivationAsked, "Id of the request, with which the e-mail address stays", "Somebody asked to wake an account"),
	event.Scheduled(EventSweep, "Applications and requests that have expired are forgotten"),
}

// Approved is the data of EventApproved: the new relation and the form of the applicant.
type Approved struct {
	Change        string    `json:"change" doc:"Id of the change request"`
	Relation      string    `json:"relation" doc:"Id of the relation, which follows from the debtor number"`
	DebtorNumber  string    `json:"debtor_number" doc:"Customer number that the portal gave"`
	RelationSince value.Day `json:"relation_since"`
	Salutation    string    `json:"salutation" enum:"MR,MRS"`
	Name          string    `json:"name" doc:"Full name"`
	Applicant
}

// Applicant is the form of a person who wants to become a customer.
type Applicant struct {
	Initials          string  `json:"initials"`
	PreferredName     string  `json:"preferred_name"`
	Prefix            string  `json:"prefix,omitempty" doc:"Of the last name, such as \"van der\""`
	LastName          string  `json:"last_name"`
	Gender            string  `json:"gender" enum:"MALE,FEMALE"`
	BirthDate         string  `json:"birth_date" format:"date"`
	PhoneNumber       string  `json:"phone_number"`
	Email             string  `json:"email"`
	Locale            string  `json:"locale" doc:"In which the form was filled in, and the mails are: nl or en"`
	BankAccountNumber string  `json:"bank_account_number" doc:"IBAN"`
	BankAccountName   string  `json:"bank_account_name" doc:"Holder"`
	Address           Address `json:"address"`
	Unchecked         bool    `json:"unchecked,omitempty" doc:"The address register could not be reached: street and city are as they were typed, or missing"`
}

// Address is the address of an applicant.
type Address struct {
	Street               string `json:"street"`
	HouseNumber          string `json:"house_number"`
	HouseNumberExtension string `json:"house_number_extension"`
	ZipCode              string `json:"zip_code" doc:"1234AB"`
	City                 string `json:"city"`
}
