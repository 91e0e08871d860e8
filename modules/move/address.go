package move

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/value"
)

const (
	maxName      = 80 // characters of a street or a city
	maxExtension = 20
)

// Address is an address in a request and in a stored move.
type Address struct {
	Street    string `json:"street" doc:"Name of the street"`
	Number    Number `json:"house_number" doc:"House number, digits only"`
	Extension string `json:"house_number_extension" doc:"Empty: none"`
	ZipCode   string `json:"zip_code" doc:"Postal code, such as 1234AB"`
	City      string `json:"city" doc:"Name of the city"`
}

// Number is a house number. JSON input may contain a string or a number.
type Number string

// UnmarshalJSON accepts a string, a number or null.
func (n *Number) UnmarshalJSON(b []byte) error {
	text, err := stringOrNumber(b)
	*n = Number(text)
	return err
}

// Key returns a key that is equal for different spellings of an address. It contains no street or city: postal code, house number and
// extension identify an address.
func (a Address) Key() string {
	return value.NormalizeZipCode(a.ZipCode) + " " + strings.TrimSpace(string(a.Number)) + " " + NormalizeExtension(a.Extension)
}

// NormalizeExtension returns an extension in upper case without spaces and separators: "a-2", "A 2" and "A2" are equal.
func NormalizeExtension(s string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '-' || r == '.' || r == '/' {
			return -1
		}
		return r
	}, s))
}

var (
	dutchZip    = regexp.MustCompile(`^[1-9][0-9]{3}[A-Z]{2}$`)
	houseNumber = regexp.MustCompile(`^[1-9][0-9]{0,4}$`)
)

// ZipNumber is a postal code and a house number. Together with an extension it identifies one address.
type ZipNumber struct{ ZipCode, Number string }

// ParseZipNumber normalizes and validates user input. It returns false for input that no Dutch address can have.
func ParseZipNumber(zip, number string) (ZipNumber, bool) {
	p := ZipNumber{value.NormalizeZipCode(zip), strings.TrimSpace(number)}
	return p, dutchZip.MatchString(p.ZipCode) && houseNumber.MatchString(p.Number)
}

// CheckManual validates an address that was entered manually because the register is down (4-addr-lookup-down): only its completeness and
// lengths can be checked. It returns the address as it is stored.
func CheckManual(a Address) (Address, []problem.FieldError) {
	a.Street, a.City, a.Extension = tidy(a.Street), tidy(a.City), tidy(a.Extension)
	var fieldErrors []problem.FieldError
	refuse := func(field, code string) {
		fieldErrors = append(fieldErrors, problem.FieldError{Field: "new_address." + field, Code: code})
	}
	key, ok := ParseZipNumber(a.ZipCode, string(a.Number))
	if !ok {
		refuse("zip_code", codeAddressUnknown)
	}
	a.ZipCode, a.Number = key.ZipCode, Number(key.Number)
	for _, f := range []struct {
		field, value         string
		minLength, maxLength int
	}{{"house_number_extension", a.Extension, 0, maxExtension}, {"street", a.Street, 1, maxName}, {"city", a.City, 1, maxName}} {
		switch n := utf8.RuneCountInString(f.value); {
		case n < f.minLength:
			refuse(f.field, codeRequired)
		case n > f.maxLength:
			refuse(f.field, problem.CodeTooLong)
		}
	}
	return a, fieldErrors
}

// tidy replaces runs of white space with one space and removes invisible characters.
func tidy(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}
