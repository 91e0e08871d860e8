package value

import (
	"database/sql/driver"
	"errors"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Cents is an amount of euros in whole cents. In JSON it is a number of euros with two decimals: 45.50.
type Cents int64

// ErrAmount is returned for anything that is not a number of euros with at most two decimals.
var ErrAmount = errors.New("value: not an amount of euros with at most two decimals")

// ParseCents parses a plain decimal such as 45, 45.5 or -12.50. Amounts typed by a person are parsed by @wattle/ui.
func ParseCents(s string) (Cents, error) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, part, dotted := strings.Cut(digits, ".")
	if whole == "" || len(part) > 2 || dotted && part == "" || len(whole) > 15 ||
		strings.Trim(whole+part, "0123456789") != "" {
		return 0, ErrAmount
	}
	n, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	if err != nil {
		return 0, ErrAmount
	}
	if negative {
		n = -n
	}
	return Cents(n), nil
}

// String returns the amount in euros with a decimal point, two decimals and no grouping.
func (c Cents) String() string {
	sign := ""
	if c < 0 {
		sign, c = "-", -c
	}
	s := strconv.FormatInt(int64(c), 10)
	for len(s) < 3 {
		s = "0" + s
	}
	return sign + s[:len(s)-2] + "." + s[len(s)-2:]
}

// MarshalJSON encodes a number of euros with two decimals.
func (c Cents) MarshalJSON() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalJSON parses a number of euros; three decimals or an exponent are an error.
func (c *Cents) UnmarshalJSON(b []byte) (err error) {
	*c, err = ParseCents(string(b))
	return err
}

// Value stores an amount as whole cents. Without it, bun would store a pointer to Cents as JSON.
func (c Cents) Value() (driver.Value, error) { return int64(c), nil }

// Schema returns the OpenAPI schema of an amount.
func (Cents) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Description: "Euros, at most two decimals"}
}
