package account

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Salutation says how a relation is addressed (3-relation-salutation).
type Salutation string

// Salutations are the values that are known; a relation that is a company only may have none.
var Salutations = []Salutation{"MR", "MRS", "THEHEIRSOF"}

// TimeOfUse says when a company's normal tariff holds: from 7 to 21, from 7 to 23, or round the clock (3-time-of-use-enum).
type TimeOfUse string

// TimesOfUse are the values that are known.
var TimesOfUse = []TimeOfUse{"T_7_21", "T_7_23", "T_0_24"}

// Relation is a customer of the label: a person, a company or both (3-relation-fields).
type Relation struct {
	Company           *Company   `json:"company,omitempty"`
	DebtorNumber      string     `json:"debtor_number"`
	RelationSince     value.Day  `json:"relation_since,omitzero"`
	Initials          string     `json:"initials"`
	Prefix            string     `json:"prefix"`
	LastName          string     `json:"last_name"`
	Email             string     `json:"email"`
	PhoneNumber       string     `json:"phone_number"`
	BankAccountNumber string     `json:"bank_account_number"`
	BankAccountName   string     `json:"bank_account_name"`
	Salutation        Salutation `json:"salutation,omitempty" enum:"MR,MRS,THEHEIRSOF"`
	Addresses         []Address  `json:"addresses" nullable:"false"`
}

// Company is the business side of a relation (3-company-extra-fields).
type Company struct {
	COCNumber string    `json:"coc_number"`
	VATNumber string    `json:"vat_number"`
	Name      string    `json:"name"`
	EANCode   string    `json:"eanCode,omitempty"`
	TimeOfUse TimeOfUse `json:"timeOfUse,omitempty" enum:"T_7_21,T_7_23,T_0_24"`
}

// RelationID is the id of the relation with a debtor number. Importing twice, or in another module, gives the same.
func RelationID(labelKey, debtorNumber string) string {
	return value.StableID(labelKey, "relation", debtorNumber)
}

// check says what keeps a relation from being stored: only what the types above cannot hold. The rules for what a customer
// may enter are not asked of records that the back office already has.
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

// Name is how the relation is written on an envelope: the company's name, or initials, prefix and last name.
func (r *Relation) Name() string {
	if r.Company != nil && r.Company.Name != "" {
		return r.Company.Name
	}
	return strings.Join(strings.Fields(r.Initials+" "+r.Prefix+" "+r.LastName), " ")
}
