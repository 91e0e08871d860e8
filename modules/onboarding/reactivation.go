package onboarding

import (
	"strings"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

// entered returns the normalized address of the form, or zero if there is none.
func (f reactivationForm) entered() Address {
	return Address{ZipCode: value.NormalizeZipCode(f.ZipCode), HouseNumber: collapseSpaces(string(f.HouseNumber)),
		Extension: collapseSpaces(string(f.Extension))}
}

// Check validates the form: it needs an email address or a token, and its address must be complete or absent.
func (f reactivationForm) Check() (fieldErrors []problem.FieldError) {
	add := func(field string, codes ...string) {
		for _, code := range codes {
			fieldErrors = append(fieldErrors, problem.FieldError{Field: field, Code: code})
		}
	}
	at := f.entered()
	switch email := value.NormalizeEmail(f.Email); {
	case f.Token != "":
	case email == "":
		add("email", problem.CodeRequired)
	default:
		add("email", CheckEmail(email)...)
	}
	if !at.isPresent() && f.Token == "" {
		return fieldErrors
	}
	if at.ZipCode == "" {
		add("zip_code", problem.CodeRequired)
	} else {
		add("zip_code", CheckZipCode(at.ZipCode)...)
	}
	if at.HouseNumber == "" {
		add("house_number", problem.CodeRequired)
	}
	for _, f := range []struct{ name, value string }{{"house_number", at.HouseNumber}, {"house_number_extension", at.Extension}} {
		if len([]rune(f.value)) > maxShort {
			add(f.name, problem.CodeTooLong)
		}
	}
	return fieldErrors
}

// isPresent reports whether any field of the address is set.
func (a Address) isPresent() bool { return a.ZipCode+a.HouseNumber+a.Extension != "" }

// sameAddress compares addresses without regard to case, spaces, and whether the extension is part of the number.
func sameAddress(a, b Address) bool {
	compact := func(a Address) string {
		return strings.ToUpper(strings.Join(strings.Fields(a.ZipCode), "") + " " +
			strings.NewReplacer(" ", "", "-", "", "/", "").Replace(a.HouseNumber+a.Extension))
	}
	return compact(a) == compact(b)
}
