package meter

import (
	"errors"
	"math/big"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Amount is a quantity of energy or gas in thousandths: Wh of electricity or dm³ of gas. In JSON it is a number of kWh or m³ with three
// decimals.
type Amount int64

// MaxAmount is the maximum amount that is accepted: a million GWh in Wh, which is more than any meter reading. Sums of such amounts do not
// overflow int64.
const MaxAmount = 1_000_000_000_000_000

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
	if err != nil || n > MaxAmount {
		return 0, errNumber
	}
	return Amount(n), nil
}

// String returns the amount with three decimals and without grouping.
func (a Amount) String() string { return string(a.Append(nil)) }

// Append appends the amount in the format of String.
func (a Amount) Append(out []byte) []byte {
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

// Amounts contains the amounts of the registers of a connection in a period. Null means "not measured", never zero.
type Amounts struct {
	Normal       *Amount `json:"normal" nullable:"true" doc:"Electricity used at the normal tariff in kWh"`
	Low          *Amount `json:"low" nullable:"true" doc:"Electricity used at the low tariff in kWh"`
	FeedinNormal *Amount `json:"feedin_normal" nullable:"true" doc:"Electricity fed in at the normal tariff in kWh"`
	FeedinLow    *Amount `json:"feedin_low" nullable:"true" doc:"Electricity fed in at the low tariff in kWh"`
	Consumption  *Amount `json:"consumption" nullable:"true" doc:"Total usage: normal plus low in kWh, or gas in m³"`
}

// Add adds measured amounts; an amount that is nil on both sides stays nil.
func (a *Amounts) Add(b Amounts) {
	a.Normal, a.Low = Sum(a.Normal, b.Normal), Sum(a.Low, b.Low)
	a.FeedinNormal, a.FeedinLow = Sum(a.FeedinNormal, b.FeedinNormal), Sum(a.FeedinLow, b.FeedinLow)
	a.Consumption = Sum(a.Consumption, b.Consumption)
}

// IsEmpty reports whether nothing was measured.
func (a Amounts) IsEmpty() bool { return a == Amounts{} }

// Feedin returns the total feed-in, or nil if nothing was measured.
func (a Amounts) Feedin() *Amount { return Sum(a.FeedinNormal, a.FeedinLow) }

// Sum returns the sum of two amounts, or nil if neither was measured.
func Sum(a, b *Amount) *Amount {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	n := *a + *b
	return &n
}

// OrZero returns an amount, or zero if nothing was measured.
func OrZero(a *Amount) Amount {
	if a == nil {
		return 0
	}
	return *a
}

// Round rounds to the nearest integer, halves away from zero; ok is false if it does not fit.
func Round(r *big.Rat) (n int64, ok bool) {
	twice := new(big.Int).Lsh(r.Num(), 1)
	if r.Sign() < 0 {
		twice.Sub(twice, r.Denom())
	} else {
		twice.Add(twice, r.Denom())
	}
	twice.Quo(twice, new(big.Int).Lsh(r.Denom(), 1)) // toward zero
	return twice.Int64(), twice.IsInt64()
}
