package onboarding

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// Gender is the gender of a registrant (2.4-register-gender).
type Gender string

// Genders are the valid values. GenderOther is valid where the label offers it (9-register-gender-other).
var Genders = []Gender{"MALE", "FEMALE"}

// GenderOther is the choice of a person who is neither, or does not say; the relation then has no salutation.
const GenderOther Gender = "OTHER"

// Registration is the form of a person who requests access (3-registration-fields).
type Registration struct {
	Initials      string `json:"initials" doc:"Initials"`
	PreferredName string `json:"preferred_name" doc:"First name that the person uses"`
	Prefix        string `json:"prefix,omitempty" doc:"Prefix of the last name, such as van der"`
	LastName      string `json:"last_name" doc:"Last name without its prefix"`
	Gender        Gender `json:"gender" enum:"MALE,FEMALE,OTHER" doc:"Gender, which determines the salutation. OTHER, in labels that offer it: no salutation"`
	BirthDate     string `json:"birth_date" format:"date" doc:"YYYY-MM-DD"`
	PhoneNumber   string `json:"phone_number" doc:"Dutch phone number"`
	Email         string `json:"email" doc:"E-mail address, which the applicant verifies by a mailed link"`
	ZipCode       string `json:"zip_code" doc:"Postal code, with or without a space"`
	HouseNumber   text   `json:"house_number" doc:"House number, digits only: a string or a number"`
	Extension     text   `json:"house_number_extension,omitempty" doc:"House number extension; absent: none"`
	Street        string `json:"street,omitempty" doc:"Used only if the address register is unavailable"`
	City          string `json:"city,omitempty" doc:"Used only if the address register is unavailable"`
	IBAN          string `json:"bank_account_number" doc:"IBAN from which the customer will pay"`
	AccountName   string `json:"bank_account_name" doc:"Name of the account holder"`
	LabelKey      string `json:"label_key,omitempty" doc:"Key of the label; default: the label of the host"`
}

// text is a string that may also be a JSON number, such as a house number.
type text string

// UnmarshalJSON accepts a string or a number.
func (t *text) UnmarshalJSON(data []byte) error {
	if data[0] == '-' || '0' <= data[0] && data[0] <= '9' {
		*t = text(data)
		return nil
	}
	return json.Unmarshal(bytes.TrimSpace(data), (*string)(t))
}

// Maximum lengths, in characters, of fields without their own rule.
const (
	maxShort = 30
	maxLong  = 100
)

// Normalize returns the fields as they are validated and stored.
func (r Registration) Normalize() Registration {
	r.Initials, r.Prefix = collapseSpaces(r.Initials), collapseSpaces(r.Prefix)
	r.PreferredName, r.LastName = NormalizeName(r.PreferredName), NormalizeName(r.LastName)
	r.Gender, r.BirthDate = Gender(strings.TrimSpace(string(r.Gender))), strings.TrimSpace(r.BirthDate)
	r.PhoneNumber, r.Email = value.NormalizePhone(r.PhoneNumber), value.NormalizeEmail(r.Email)
	r.ZipCode, r.HouseNumber, r.Extension = value.NormalizeZipCode(r.ZipCode), text(collapseSpaces(string(r.HouseNumber))),
		text(collapseSpaces(string(r.Extension)))
	r.Street, r.City = collapseSpaces(r.Street), collapseSpaces(r.City)
	r.IBAN, r.AccountName = value.NormalizeIBAN(r.IBAN), collapseSpaces(r.AccountName)
	return r
}

// collapseSpaces trims and collapses white space.
func collapseSpaces(s string) string { return strings.Join(strings.Fields(s), " ") }

// Check validates a normalized registration and returns the errors of each field: missing fields (5.9-required; prefix,
// house_number_extension and label_key are optional, 5.9-optional) and the rule of the field. hasOther: the label offers GenderOther.
func (r Registration) Check(today value.Day, hasOther bool) (fieldErrors []problem.FieldError) {
	field := func(name, value string, required bool, maxLength int, rules ...func(string) []string) {
		var codes []string
		switch {
		case value == "" && required:
			codes = []string{problem.CodeRequired}
		case value == "":
		case maxLength > 0 && utf8.RuneCountInString(value) > maxLength:
			codes = []string{problem.CodeTooLong}
		default:
			for _, rule := range rules {
				codes = append(codes, rule(value)...)
			}
		}
		for _, code := range codes {
			fieldErrors = append(fieldErrors, problem.FieldError{Field: name, Code: code})
		}
	}
	field("initials", r.Initials, true, maxShort)
	field("preferred_name", r.PreferredName, true, maxLong, CheckName)
	field("prefix", r.Prefix, false, maxShort)
	field("last_name", r.LastName, true, maxLong, CheckName)
	field("gender", string(r.Gender), true, 0, func(s string) []string { return CheckGender(s, hasOther) })
	field("birth_date", r.BirthDate, true, 0, func(s string) []string { return CheckBirthDate(s, today) })
	field("phone_number", r.PhoneNumber, true, 0, CheckPhone)
	field("email", r.Email, true, 0, CheckEmail)
	field("zip_code", r.ZipCode, true, 0, CheckZipCode)
	field("house_number", string(r.HouseNumber), true, maxShort)
	field("house_number_extension", string(r.Extension), false, maxShort)
	field("street", r.Street, false, maxLong)
	field("city", r.City, false, maxLong)
	field("bank_account_number", r.IBAN, true, 0, CheckIBAN)
	field("bank_account_name", r.AccountName, true, maxLong)
	return fieldErrors
}

// CheckGender validates the gender, MALE or FEMALE (2.4-register-gender) or, where the label offers it, OTHER (9-register-gender-other). It
// returns error codes.
func CheckGender(entered string, hasOther bool) []string {
	if slices.Contains(Genders, Gender(entered)) || hasOther && Gender(entered) == GenderOther {
		return nil
	}
	return []string{codeGender}
}

// CheckIBAN validates a normalized bank account number and returns error codes (5.9-iban).
func CheckIBAN(iban string) []string {
	if value.ValidIBAN(iban) {
		return nil
	}
	return []string{codeIBAN}
}

// UnknownAddress returns the error for an unknown address, for each of its fields (5.9-address-check-404).
func UnknownAddress(extension string) []problem.FieldError {
	fieldErrors := []problem.FieldError{{Field: "zip_code", Code: codeAddressUnknown}, {Field: "house_number", Code: codeAddressUnknown}}
	if extension != "" {
		fieldErrors = append(fieldErrors, problem.FieldError{Field: "house_number_extension", Code: codeAddressUnknown})
	}
	return fieldErrors
}
