package onboarding

import (
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/onboarding/onboardingapi"
)

// Application is a registration that was taken, as staff see it: the data of a change of kind onboarding.application. It is judged
// no more when it is loaded.
type Application struct {
	Initials      string  `json:"initials"`
	PreferredName string  `json:"preferred_name"`
	Prefix        string  `json:"prefix,omitempty"`
	LastName      string  `json:"last_name"`
	Gender        Gender  `json:"gender"`
	BirthDate     string  `json:"birth_date"`
	PhoneNumber   string  `json:"phone_number"`
	Email         string  `json:"email"`
	Locale        string  `json:"locale"` // in which the form was filled in, and the mails are
	IBAN          string  `json:"bank_account_number"`
	AccountName   string  `json:"bank_account_name"`
	Address       Address `json:"address"`
	// Unchecked says that the address register could not be reached: street and city are as they were typed, or missing.
	Unchecked bool `json:"unchecked,omitempty"`
}

// Address of an applicant, as the address register writes it.
type Address struct {
	Street      string `json:"street"`
	HouseNumber string `json:"house_number"`
	Extension   string `json:"house_number_extension"`
	ZipCode     string `json:"zip_code"`
	City        string `json:"city"`
}

// Waiting is a registration whose e-mail address is not verified yet.
type Waiting struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Email   string    `json:"email"`
	Filed   time.Time `json:"filed"`
	Expires time.Time `json:"expires" doc:"Until then the mailed link works"`
}

// application takes over a checked registration.
func (r Registration) application(locale string, at Address, unchecked bool) Application {
	return Application{Initials: r.Initials, PreferredName: r.PreferredName, Prefix: r.Prefix, LastName: r.LastName, Gender: r.Gender,
		BirthDate: r.BirthDate, PhoneNumber: r.PhoneNumber, Email: r.Email, Locale: locale, IBAN: r.IBAN, AccountName: r.AccountName,
		Address: at, Unchecked: unchecked}
}

// Name is how the applicant is called in a list and in an account.
func (a Application) Name() string {
	return strings.Join(strings.Fields(a.PreferredName+" "+a.Prefix+" "+a.LastName), " ")
}

// Applicant is the application as the event of its approval carries it.
func (a Application) Applicant() onboardingapi.Applicant {
	return onboardingapi.Applicant{Initials: a.Initials, PreferredName: a.PreferredName, Prefix: a.Prefix, LastName: a.LastName,
		Gender: string(a.Gender), BirthDate: a.BirthDate, PhoneNumber: a.PhoneNumber, Email: a.Email, Locale: a.Locale,
		BankAccountNumber: a.IBAN, BankAccountName: a.AccountName, Unchecked: a.Unchecked, Address: onboardingapi.Address{Street: a.Address.Street,
			HouseNumber: a.Address.HouseNumber, HouseNumberExtension: a.Address.Extension, ZipCode: a.Address.ZipCode, City: a.Address.City}}
}

// Salutation is the one of a relation.
func (a Application) Salutation() string {
	if a.Gender == "FEMALE" {
		return "MRS"
	}
	return "MR"
}

// DebtorNumber is the customer number that an approved application gets: P and twelve characters of the change's id. The back
// office keeps it, or imports the customer under its own (docs/decisions/0021).
func DebtorNumber(change string) string {
	return "P" + strings.ToUpper(value.StableID("onboarding", change)[:12])
}

// sameEmail is one text for all ways to write an address: only the pending application counts that is of the same mailbox.
func sameEmail(address string) string { return strings.ToLower(address) }
