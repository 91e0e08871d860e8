package billing

import (
	"errors"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Price is an amount of euros for one unit, in hundred-thousandths: energy is priced with more than two decimals. On the wire it
// is a number of euros with two to five decimals: 0.28941.
type Price int64

// ErrPrice is returned for anything that is not a number of euros with at most five decimals.
var ErrPrice = errors.New("billing: not a price with at most five decimals")

// ParsePrice reads a plain decimal.
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

// String has two to five decimals.
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

// MarshalJSON writes a number.
func (p Price) MarshalJSON() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Price) UnmarshalJSON(b []byte) (err error) {
	*p, err = ParsePrice(string(b))
	return err
}

// Schema describes a price to OpenAPI.
func (Price) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Description: "Euros for one unit, at most five decimals"}
}
