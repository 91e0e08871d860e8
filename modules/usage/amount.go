package usage

import (
	"errors"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Amount is a quantity of energy or gas in thousandths: Wh of electricity or dm³ of gas. In JSON it is a number of kWh or m³ with three
// decimals.
type Amount int64

// maxAmount is a million GWh, more than any meter reading. Sums of such amounts do not overflow int64.
const maxAmount = 1_000_000_000_000_000

// Errors of ParseAmount.
var (
	errNumber   = errors.New("usage: not a number")
	errDecimals = errors.New("usage: more than three decimals")
	errNegative = errors.New("usage: less than zero")
)

// ParseAmount parses a decimal number such as 12, 12.5 or 12.345, with at most three decimals.
func ParseAmount(s string) (Amount, error) {
	if digits, negative := strings.CutPrefix(s, "-"); negative {
		if _, err := ParseAmount(digits); err == nil || err == errDecimals {
			return 0, errNegative
		}
		return 0, errNumber
	}
	whole, part, dotted := strings.Cut(s, ".")
	if whole == "" || dotted && part == "" || strings.Trim(whole+part, "0123456789") != "" {
		return 0, errNumber
	}
	if len(strings.TrimRight(part, "0")) > 3 {
		return 0, errDecimals
	}
	n, err := strconv.ParseInt(whole+(part + "000")[:3], 10, 64)
	if err != nil || n > maxAmount {
		return 0, errNumber
	}
	return Amount(n), nil
}

// String returns the amount with three decimals and without grouping.
func (a Amount) String() string { return string(a.append(nil)) }

func (a Amount) append(out []byte) []byte {
	if a < 0 {
		out, a = append(out, '-'), -a
	}
	out = append(strconv.AppendInt(out, int64(a/1000), 10), '.')
	return append(out, byte('0'+a/100%10), byte('0'+a/10%10), byte('0'+a%10))
}

// MarshalJSON returns a number of kWh or m³ with three decimals.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalJSON accepts a number, or a string with a number.
func (a *Amount) UnmarshalJSON(b []byte) (err error) {
	*a, err = ParseAmount(strings.Trim(string(b), `"`))
	return err
}

// Schema returns the OpenAPI schema of an amount.
func (Amount) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Description: "kWh or m³, three decimals"}
}

// Amounts are the amounts of the registers of a connection in a period. Null means "not measured", never zero.
type Amounts struct {
	Normal       *Amount `json:"normal" nullable:"true" doc:"Electricity used at the normal tariff in kWh"`
	Low          *Amount `json:"low" nullable:"true" doc:"Electricity used at the low tariff in kWh"`
	FeedinNormal *Amount `json:"feedin_normal" nullable:"true" doc:"Electricity fed in at the normal tariff in kWh"`
	FeedinLow    *Amount `json:"feedin_low" nullable:"true" doc:"Electricity fed in at the low tariff in kWh"`
	Consumption  *Amount `json:"consumption" nullable:"true" doc:"Total usage: normal plus low in kWh, or gas in m³"`
}

// add adds measured amounts; an amount that is nil on both sides stays nil.
func (a *Amounts) add(b Amounts) {
	a.Normal, a.Low = sum(a.Normal, b.Normal), sum(a.Low, b.Low)
	a.FeedinNormal, a.FeedinLow = sum(a.FeedinNormal, b.FeedinNormal), sum(a.FeedinLow, b.FeedinLow)
	a.Consumption = sum(a.Consumption, b.Consumption)
}

// isEmpty reports whether nothing was measured.
func (a Amounts) isEmpty() bool { return a == Amounts{} }

// feedin returns the total feed-in, or nil if nothing was measured.
func (a Amounts) feedin() *Amount { return sum(a.FeedinNormal, a.FeedinLow) }

func sum(a, b *Amount) *Amount {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	n := *a + *b
	return &n
}
