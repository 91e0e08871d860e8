package address

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wattle-portal/wattle/core/value"
)

const (
	maxName      = 80 // characters of a street or a city
	maxExtension = 20
)

// Address is one that the register has.
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

// Place is what an address is looked up by: a postal code and a house number. Together with an extension they name one address.
type Place struct{ ZipCode, Number string }

// PlaceOf reads what was entered; false when no address can be there, which no register needs to be asked.
func PlaceOf(zip, number string) (Place, bool) {
	p := Place{value.NormaliseZipCode(zip), strings.TrimSpace(number)}
	return p, dutchZip.MatchString(p.ZipCode) && houseNumber.MatchString(p.Number)
}

// Resolve says which of the addresses at a place is meant (4-lookup-states). extension is nil when none was given, and empty when
// the one without is meant. Several that it can be are alternatives; neither an address nor alternatives: there is none.
func Resolve(at []Address, extension *string) (found *Address, alternatives []string) {
	if extension == nil || NormaliseExtension(*extension) == "" {
		switch {
		case len(at) == 1: // the only one, whatever its extension
			return &at[0], nil
		case extension == nil:
			return nil, extensions(at)
		}
	}
	want := NormaliseExtension(*extension)
	for i := range at {
		if NormaliseExtension(at[i].Extension) == want {
			return &at[i], nil
		}
	}
	if want == "" { // none has no extension: which one then?
		return nil, extensions(at)
	}
	return nil, nil
}

func extensions(at []Address) []string {
	out := make([]string, len(at))
	for i, a := range at {
		out[i] = a.Extension
	}
	return out
}

// distinct orders addresses as a person counts, and drops those that are twice there.
func distinct(at []Address) []Address {
	slices.SortStableFunc(at, func(a, b Address) int { return natural(a.Extension, b.Extension) })
	return slices.CompactFunc(at, func(a, b Address) bool { return NormaliseExtension(a.Extension) == NormaliseExtension(b.Extension) })
}

// natural compares extensions: none, then 1, 2, 10, then A, B.
func natural(a, b string) int {
	a, b = NormaliseExtension(a), NormaliseExtension(b)
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
			if len(m) != len(n) {
				return len(m) - len(n)
			}
			if c := strings.Compare(m, n); c != 0 {
				return c
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

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

// loose reads a text, a number or null.
func loose(b []byte) (text string, err error) {
	switch {
	case string(b) == "null":
		return "", nil
	case b[0] == '-' || '0' <= b[0] && b[0] <= '9':
		return string(b), nil
	case b[0] == '"':
		err = json.Unmarshal(b, &text)
		return text, err
	}
	return "", errors.New("address: neither a text nor a number")
}
