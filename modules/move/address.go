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
	nameMax      = 80 // characters of a street or a city
	extensionMax = 20
)

// Address is a place, as a move names it and as it is stored.
type Address struct {
	Street    string `json:"street"`
	Number    Number `json:"house_number"`
	Extension string `json:"house_number_extension"`
	ZipCode   string `json:"zip_code" doc:"1234AB"`
	City      string `json:"city"`
}

// Number is a house number. In JSON it may come as a number.
type Number string

// UnmarshalJSON takes a text, a number or null.
func (n *Number) UnmarshalJSON(b []byte) error {
	text, err := loose(b)
	*n = Number(text)
	return err
}

// Key is what two ways of writing the same address have in common; street and city are no part of it, for the other three name it.
func (a Address) Key() string {
	return value.NormaliseZipCode(a.ZipCode) + " " + strings.TrimSpace(string(a.Number)) + " " + NormaliseExtension(a.Extension)
}

// NormaliseExtension makes "a-2", "A 2" and "A2" the same.
func NormaliseExtension(s string) string {
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

// Place is where is looked: a postal code and a house number. Together with an extension they name one address.
type Place struct{ ZipCode, Number string }

// PlaceOf reads what was entered; false when no address can be there, which no register needs to be asked.
func PlaceOf(zip, number string) (Place, bool) {
	p := Place{value.NormaliseZipCode(zip), strings.TrimSpace(number)}
	return p, dutchZip.MatchString(p.ZipCode) && houseNumber.MatchString(p.Number)
}

// CheckByHand judges an address that was entered by hand, because the register could not be reached (4-addr-lookup-down): all
// that can be known is that it is complete. It gives the address as it is to be stored.
func CheckByHand(a Address) (Address, []problem.FieldError) {
	a.Street, a.City, a.Extension = tidy(a.Street), tidy(a.City), tidy(a.Extension)
	var wrong []problem.FieldError
	refuse := func(field, code string) {
		wrong = append(wrong, problem.FieldError{Field: "new_address." + field, Code: code})
	}
	place, ok := PlaceOf(a.ZipCode, string(a.Number))
	if !ok {
		refuse("zip_code", codeAddressUnknown)
	}
	a.ZipCode, a.Number = place.ZipCode, Number(place.Number)
	for _, f := range []struct {
		field, value string
		least, most  int
	}{{"house_number_extension", a.Extension, 0, extensionMax}, {"street", a.Street, 1, nameMax}, {"city", a.City, 1, nameMax}} {
		switch n := utf8.RuneCountInString(f.value); {
		case n < f.least:
			refuse(f.field, codeRequired)
		case n > f.most:
			refuse(f.field, problem.CodeTooLong)
		}
	}
	return a, wrong
}

// tidy makes one space of many and drops what cannot be seen.
func tidy(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}
