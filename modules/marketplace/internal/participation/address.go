package participation

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/value"
)

// Complete reports whether an address can be written on an envelope: only the addition may be missing.
func (a Address) Complete() bool {
	for _, part := range []string{a.StreetName, a.HouseNumber, a.PostalCode, a.City} {
		if strings.TrimSpace(part) == "" {
			return false
		}
	}
	return true
}

const (
	maxPart = 200 // characters
)

// part is a part of an address that cannot do without it.
type part struct{ Field, Value string }

func (a Address) Parts() []part {
	return []part{{"postal_code", a.PostalCode}, {"house_number", a.HouseNumber}, {"street_name", a.StreetName}, {"city", a.City}}
}

// Plain reports whether an address is made of what addresses are made of: not too long, and nothing in it that is not seen.
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

// Line is an address in one line.
func (a Address) Line() string {
	number := strings.TrimSpace(a.HouseNumber + " " + a.HousePostfix)
	return strings.Join(strings.Fields(a.StreetName+" "+number+", "+a.PostalCode+" "+a.City), " ")
}

// Address is where shares are.
type Address struct {
	StreetName   string `json:"street_name" maxLength:"200"`
	HouseNumber  string `json:"house_number" maxLength:"20"`
	HousePostfix string `json:"house_postfix" maxLength:"20" required:"false"`
	PostalCode   string `json:"postal_code" maxLength:"20"`
	City         string `json:"city" maxLength:"200"`
}

// Optional is a day, or nothing where there is none.
func Optional(d value.Day) *value.Day {
	if d.IsZero() {
		return nil
	}
	return &d
}

// IdentifierPattern is what stands in paths and file names.
var IdentifierPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// AddressOf reads a stored address.
func AddressOf(text string) (a Address) {
	_ = json.Unmarshal([]byte(text), &a) // it was written by text below
	return a
}

// Text is an address as it is stored.
func (a Address) Text() string {
	data, _ := json.Marshal(a) // texts always encode
	return string(data)
}
