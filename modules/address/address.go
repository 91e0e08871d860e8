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

// Address is an address in a register.
type Address struct {
	Street    string `json:"street"`
	Number    Number `json:"house_number"`
	Extension string `json:"house_number_extension"`
	ZipCode   string `json:"zip_code" doc:"Postal code, such as 1234AB"`
	City      string `json:"city"`
}

// Number is a house number. JSON input may contain a string or a number.
type Number string

// UnmarshalJSON accepts a string, a number or null.
func (n *Number) UnmarshalJSON(b []byte) error {
	text, err := stringOrNumber(b)
	*n = Number(text)
	return err
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

// Resolve selects an address by its extension (4-lookup-states). A nil extension means that none was chosen, an empty one means the address
// without an extension. It returns the address, the extensions to choose from, or neither if the address does not exist.
func Resolve(at []Address, extension *string) (found *Address, alternatives []string) {
	if extension == nil || NormalizeExtension(*extension) == "" {
		switch {
		case len(at) == 1: // the only address, whatever its extension
			return &at[0], nil
		case extension == nil:
			return nil, extensions(at)
		}
	}
	want := NormalizeExtension(*extension)
	for i := range at {
		if NormalizeExtension(at[i].Extension) == want {
			return &at[i], nil
		}
	}
	if want == "" { // every address has an extension: the caller must choose
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

// sortDistinct sorts addresses by extension and removes duplicates.
func sortDistinct(at []Address) []Address {
	slices.SortStableFunc(at, func(a, b Address) int { return compareExtensions(a.Extension, b.Extension) })
	return slices.CompactFunc(at, func(a, b Address) bool { return NormalizeExtension(a.Extension) == NormalizeExtension(b.Extension) })
}

// compareExtensions sorts the empty extension first, then 1, 2, 10, then A, B.
func compareExtensions(a, b string) int {
	a, b = NormalizeExtension(a), NormalizeExtension(b)
	for a != "" && b != "" {
		x, y := leadingDigits(a), leadingDigits(b)
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

func leadingDigits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

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

// stringOrNumber returns a JSON string or number as a string, and "" for null.
func stringOrNumber(b []byte) (text string, err error) {
	switch {
	case string(b) == "null":
		return "", nil
	case b[0] == '-' || '0' <= b[0] && b[0] <= '9':
		return string(b), nil
	case b[0] == '"':
		err = json.Unmarshal(b, &text)
		return text, err
	}
	return "", errors.New("address: neither a string nor a number")
}
