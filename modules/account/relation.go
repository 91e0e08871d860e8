package account

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Salutation is the form of address of a relation (3-relation-salutation).
type Salutation string

// Salutations are the valid values; a relation without a person may have none.
var Salutations = []Salutation{"MR", "MRS", "THEHEIRSOF"}

// TimeOfUse is the period of a company's normal tariff: 7:00 to 21:00, 7:00 to 23:00, or the whole day (3-time-of-use-enum).
type TimeOfUse string

// TimesOfUse are the valid values.
var TimesOfUse = []TimeOfUse{"T_7_21", "T_7_23", "T_0_24"}

// Relation is a customer of the label: a person, a company or both (3-relation-fields).
type Relation struct {
	Company           *Company   `json:"company,omitempty" doc:"Company of the relation; absent for a person"`
	DebtorNumber      string     `json:"debtor_number" doc:"Customer number of the back office"`
	RelationSince     value.Day  `json:"relation_since,omitzero" doc:"First day as a customer; absent: not known"`
	Initials          string     `json:"initials" doc:"Initials of the person; empty for a company without one"`
	Prefix            string     `json:"prefix" doc:"Prefix of the last name, such as van der; empty: none"`
	LastName          string     `json:"last_name" doc:"Last name of the person; empty for a company without one"`
	Email             string     `json:"email" doc:"E-mail address from the administration; the one of the account may differ"`
	PhoneNumber       string     `json:"phone_number" doc:"Phone number"`
	BankAccountNumber string     `json:"bank_account_number" doc:"IBAN from which the customer pays"`
	BankAccountName   string     `json:"bank_account_name" doc:"Name of the account holder"`
	Salutation        Salutation `json:"salutation,omitempty" enum:"MR,MRS,THEHEIRSOF" doc:"Form of address; absent: none"`
	Addresses         []Address  `json:"addresses" nullable:"false" doc:"Addresses of the relation, as the back office sent them"`
}

// Company is the company of a relation (3-company-extra-fields).
type Company struct {
	COCNumber string    `json:"coc_number" doc:"Number in the register of the chamber of commerce"`
	VATNumber string    `json:"vat_number" doc:"VAT identification number"`
	Name      string    `json:"name" doc:"Name of the company"`
	EANCode   string    `json:"eanCode,omitempty" doc:"EAN code of the company; absent: none"`
	TimeOfUse TimeOfUse `json:"timeOfUse,omitempty" enum:"T_7_21,T_7_23,T_0_24" doc:"Hours of the normal tariff: T_7_21 is 7:00 to 21:00, T_7_23 is 7:00 to 23:00, T_0_24 is the whole day; absent: not known"`
}

// RelationID returns the id of the relation with a debtor number. It is the same in every module and import.
func RelationID(labelKey, debtorNumber string) string {
	return value.StableID(labelKey, "relation", debtorNumber)
}

// check validates a relation before it is stored, and returns the invalid field and the problem code. It checks only what the types do not
// guarantee: the rules for customer input do not apply to back-office records.
func (r *Relation) check() (field, code string) {
	switch {
	case r.DebtorNumber == "":
		return "debtor_number", problem.CodeRequired
	case r.Salutation != "" && !slices.Contains(Salutations, r.Salutation):
		return "salutation", problem.CodeInvalid
	case r.Company != nil && r.Company.TimeOfUse != "" && !slices.Contains(TimesOfUse, r.Company.TimeOfUse):
		return "company.timeOfUse", problem.CodeInvalid
	}
	for i, a := range r.Addresses {
		if field, code := a.check(); code != "" {
			return fmt.Sprintf("addresses.%d.%s", i, field), code
		}
	}
	return "", ""
}

// doubts reports the values in a back-office record that look wrong. They are stored unchanged (11-import-warnings): the back office may
// have no better value, even if the form would reject it.
func (r *Relation) doubts(report func(field, code string)) {
	if r.Email != "" && !value.IsEmail(r.Email) {
		report("email", codeEmailInvalid)
	}
	if r.PhoneNumber != "" && CheckPhone(value.NormalizePhone(r.PhoneNumber)) != nil {
		report("phone_number", codePhoneInvalid)
	}
	if r.BankAccountNumber != "" && !value.ValidIBAN(value.NormalizeIBAN(r.BankAccountNumber)) {
		report("bank_account_number", problem.CodeInvalid)
	}
	for i, a := range r.Addresses {
		if a.ZipCode != "" && !looksLikeZipCode(a.ZipCode) {
			report(fmt.Sprintf("addresses.%d.zip_code", i), problem.CodeInvalid)
		}
	}
}

// Name returns the name as in the address of a letter: the name of the company, or initials, prefix and last name.
func (r *Relation) Name() string {
	if r.Company != nil && r.Company.Name != "" {
		return r.Company.Name
	}
	return strings.Join(strings.Fields(r.Initials+" "+r.Prefix+" "+r.LastName), " ")
}
