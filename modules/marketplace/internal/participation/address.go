package participation

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/value"
)

// Complete reports whether all parts of an address are present; the addition may be missing.
func (a Address) Complete() bool {
	for _, part := range []string{a.StreetName, a.HouseNumber, a.PostalCode, a.City} {
		if strings.TrimSpace(part) == "" {
			return false
		}
	}
	return true
}

const (
	maxPart = 200 // maximum number of characters
)

// part is a required field of an address.
type part struct{ Field, Value string }

func (a Address) Parts() []part {
	return []part{{"postal_code", a.PostalCode}, {"house_number", a.HouseNumber}, {"street_name", a.StreetName}, {"city", a.City}}
}

// Plain reports whether the fields of an address have at most maxPart characters and contain no invisible characters.
func (a Address) Plain() bool {
	for _, value := range []string{a.StreetName, a.HouseNumber, a.HousePostfix, a.PostalCode, a.City} {
		unseen := func(r rune) bool {
			return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar
		}
		if utf8.RuneCountInString(value) > maxPart || strings.ContainsFunc(value, unseen) {
			return false
		}
	}
	return true
}

// Line formats an address as one line.
func (a Address) Line() string {
	number := strings.TrimSpace(a.HouseNumber + " " + a.HousePostfix)
	return strings.Join(strings.Fields(a.StreetName+" "+number+", "+a.PostalCode+" "+a.City), " ")
}

// Address is the address of shares.
type Address struct {
	StreetName   string `json:"street_name" maxLength:"200" doc:"Name of the street"`
	HouseNumber  string `json:"house_number" maxLength:"20" doc:"House number without its extension"`
	HousePostfix string `json:"house_postfix" maxLength:"20" required:"false" doc:"House number extension; empty: none"`
	PostalCode   string `json:"postal_code" maxLength:"20" doc:"Postal code, such as 1234AB"`
	City         string `json:"city" maxLength:"200" doc:"Name of the city"`
}

// Optional returns a pointer to a day, or nil for the zero day.
func Optional(d value.Day) *value.Day {
	if d.IsZero() {
		return nil
	}
	return &d
}

// AddressOf decodes a stored address.
func AddressOf(text string) (a Address) {
	_ = json.Unmarshal([]byte(text), &a) // written by Text
	return a
}

// Text encodes an address for storage.
func (a Address) Text() string {
	data, _ := json.Marshal(a) // encoding strings never fails
	return string(data)
}
