package value

import (
	"errors"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Price is a price per unit in hundred-thousandths of a euro, because energy prices have more than two decimals. In JSON it is a number of
// euros with two to five decimals, such as 0.28941.
type Price int64

// ErrPrice is returned for anything that is not a number of euros with at most five decimals.
var ErrPrice = errors.New("value: not a price with at most five decimals")

// ParsePrice parses a decimal number without an exponent.
func ParsePrice(s string) (Price, error) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, part, dotted := strings.Cut(digits, ".")
	if whole == "" || len(part) > 5 || dotted && part == "" || len(whole) > 12 || strings.Trim(whole+part, "0123456789") != "" {
		return 0, ErrPrice
	}
	n, err := strconv.ParseInt(whole+(part + "00000")[:5], 10, 64)
	if err != nil {
		return 0, ErrPrice
	}
	if negative {
		n = -n
	}
	return Price(n), nil
}

// String returns the price in euros with two to five decimals.
func (p Price) String() string {
	sign := ""
	if p < 0 {
		sign, p = "-", -p
	}
	s := strconv.FormatInt(int64(p), 10)
	if len(s) < 6 {
		s = strings.Repeat("0", 6-len(s)) + s
	}
	part := strings.TrimRight(s[len(s)-3:], "0")
	return sign + s[:len(s)-5] + "." + s[len(s)-5:len(s)-3] + part
}

// MarshalJSON returns a JSON number.
func (p Price) MarshalJSON() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalJSON parses a JSON number.
func (p *Price) UnmarshalJSON(b []byte) (err error) {
	*p, err = ParsePrice(string(b))
	return err
}

// Schema returns the OpenAPI schema of a price.
func (Price) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Description: "Euros for one unit, at most five decimals"}
}
