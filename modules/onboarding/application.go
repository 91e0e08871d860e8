package onboarding

import (
	"strings"
	"time"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/onboarding/onboardingapi"
)

// Application contains the data of a registration, verified or not. It is the document of an unverified registration, and the data of the
// change request of kind onboarding.application that a verified registration becomes. It is not validated when it is loaded.
type Application struct {
	Initials      string  `json:"initials"`
	PreferredName string  `json:"preferred_name"`
	Prefix        string  `json:"prefix,omitempty"`
	LastName      string  `json:"last_name"`
	Gender        Gender  `json:"gender"`
	BirthDate     string  `json:"birth_date"`
	PhoneNumber   string  `json:"phone_number"`
	Email         string  `json:"email"`
	Locale        string  `json:"locale"` // locale of the form and the emails
	IBAN          string  `json:"bank_account_number"`
	AccountName   string  `json:"bank_account_name"`
	Address       Address `json:"address"`
	// Unchecked is true if the address register was unavailable: street and city are as entered, or empty.
	Unchecked bool `json:"unchecked,omitempty"`
}

// Address is the address of an applicant, as in the address register.
type Address struct {
	Street      string `json:"street"`
	HouseNumber string `json:"house_number"`
	Extension   string `json:"house_number_extension"`
	ZipCode     string `json:"zip_code"`
	City        string `json:"city"`
}

// Waiting is an unverified registration: its email address is not verified yet.
type Waiting struct {
	ID      string    `json:"id" doc:"Id of the registration"`
	Name    string    `json:"name" doc:"Full name of the applicant"`
	Email   string    `json:"email" doc:"E-mail address that is not verified yet"`
	Filed   time.Time `json:"filed" doc:"Time of the registration"`
	Expires time.Time `json:"expires" doc:"End of the validity of the mailed link"`
}

// application converts a valid form to the data of a registration.
func (r Registration) application(locale string, at Address, unchecked bool) Application {
	return Application{Initials: r.Initials, PreferredName: r.PreferredName, Prefix: r.Prefix, LastName: r.LastName, Gender: r.Gender,
		BirthDate: r.BirthDate, PhoneNumber: r.PhoneNumber, Email: r.Email, Locale: locale, IBAN: r.IBAN, AccountName: r.AccountName,
		Address: at, Unchecked: unchecked}
}

// Name returns the full name of the applicant.
func (a Application) Name() string {
	return strings.Join(strings.Fields(a.PreferredName+" "+a.Prefix+" "+a.LastName), " ")
}

// Applicant returns the registration as data of EventApproved.
func (a Application) Applicant() onboardingapi.Applicant {
	return onboardingapi.Applicant{Initials: a.Initials, PreferredName: a.PreferredName, Prefix: a.Prefix, LastName: a.LastName,
		Gender: string(a.Gender), BirthDate: a.BirthDate, PhoneNumber: a.PhoneNumber, Email: a.Email, Locale: a.Locale,
		BankAccountNumber: a.IBAN, BankAccountName: a.AccountName, Unchecked: a.Unchecked,
		Address: onboardingapi.Address{Street: a.Address.Street,
			HouseNumber: a.Address.HouseNumber, HouseNumberExtension: a.Address.Extension, ZipCode: a.Address.ZipCode, City: a.Address.City}}
}

// Salutation returns the salutation of the relation: none for GenderOther.
func (a Application) Salutation() string {
	switch a.Gender {
	case GenderOther:
		return ""
	case "FEMALE":
		return "MRS"
	default:
		return "MR"
	}
}

// DebtorNumber returns the customer number of an approved registration: P and twelve characters derived from the id of the change. The back
// office keeps it, or imports the customer under another number (docs/decisions/0021).
func DebtorNumber(change string) string {
	return "P" + strings.ToUpper(value.StableID("onboarding", change)[:12])
}

// mailboxKey returns the address in lower case, so that a mailbox has at most one pending registration.
func mailboxKey(address string) string { return strings.ToLower(address) }
