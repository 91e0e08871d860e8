package usage

import (
	"errors"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Amount is a quantity of energy or gas in thousandths: Wh for electricity, dm³ for gas. On the wire it is a number of kWh or m³
// with three decimals.
type Amount int64

// maxAmount is a bound that no meter reaches: a million GWh. Sums of it stay far from what an int64 holds.
const maxAmount = 1_000_000_000_000_000

// Why a text is no amount.
var (
	errNumber   = errors.New("usage: not a number")
	errDecimals = errors.New("usage: more than three decimals")
	errNegative = errors.New("usage: less than zero")
)

// ParseAmount reads a plain decimal such as 12, 12.5 or 12.345: meters show three decimals and no more.
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

// String has three decimals, a dot before them and no grouping.
func (a Amount) String() string { return string(a.append(nil)) }

func (a Amount) append(out []byte) []byte {
	if a < 0 {
		out, a = append(out, '-'), -a
	}
	out = append(strconv.AppendInt(out, int64(a/1000), 10), '.')
	return append(out, byte('0'+a/100%10), byte('0'+a/10%10), byte('0'+a%10))
}

// MarshalJSON writes a number of kWh or m³ with three decimals.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalJSON reads a number, or a text that holds one.
func (a *Amount) UnmarshalJSON(b []byte) (err error) {
	*a, err = ParseAmount(strings.Trim(string(b), `"`))
	return err
}

// Schema describes an amount to OpenAPI.
func (Amount) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Description: "kWh or m³, three decimals"}
}

// Amounts are what the registers of a connection counted in some stretch of time. Null is "not measured", never zero.
type Amounts struct {
	Normal       *Amount `json:"normal" nullable:"true" doc:"Electricity taken at the normal tariff, kWh"`
	Low          *Amount `json:"low" nullable:"true" doc:"Electricity taken at the low tariff, kWh"`
	FeedinNormal *Amount `json:"feedin_normal" nullable:"true" doc:"Electricity fed in at the normal tariff, kWh"`
	FeedinLow    *Amount `json:"feedin_low" nullable:"true" doc:"Electricity fed in at the low tariff, kWh"`
	Consumption  *Amount `json:"consumption" nullable:"true" doc:"All that was taken: normal plus low, or gas in m³"`
}

// plus adds what was measured; what was not measured on either side stays unmeasured.
func (a *Amounts) plus(b Amounts) {
	a.Normal, a.Low = sum(a.Normal, b.Normal), sum(a.Low, b.Low)
	a.FeedinNormal, a.FeedinLow = sum(a.FeedinNormal, b.FeedinNormal), sum(a.FeedinLow, b.FeedinLow)
	a.Consumption = sum(a.Consumption, b.Consumption)
}

// none reports whether nothing was measured.
func (a Amounts) none() bool { return a == Amounts{} }

// feedin is all that was fed in, nil when nothing was measured.
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
