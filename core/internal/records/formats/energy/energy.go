// Package energy contains the common parts of the meter data formats: intervals and readings as given in a file, exact amounts, and local
// times in the hour that occurs twice.
package energy

import (
	"fmt"
	"strings"
	"time"
)

// Register is the measured quantity.
type Register int

// Registers of a connection.
const (
	Normal Register = iota
	Low
	FeedinNormal
	FeedinLow
	Gas
)

// Amount is an amount in billionths of a kWh or of a cubic meter, so that sums are exact.
type Amount int64

// One is one kWh or cubic meter.
const One Amount = 1_000_000_000

// Interval is the measurement of one register in an interval.
type Interval struct {
	Line      int    // line number in the file
	Meter     string // number of the connection or the meter, as in the file
	Register  Register
	Start     time.Time
	Seconds   int
	Amount    Amount
	Estimated bool
}

// Reading contains the values of a meter's registers at one time.
type Reading struct {
	Line   int
	Meter  string
	At     time.Time
	Values map[Register]Amount
}

// ParseError is a part of a file that cannot be read. The rest of the file can be read.
type ParseError struct {
	Line int
	Code string
	Hint string
	Text string
}

// Error returns line, code and hint.
func (b *ParseError) Error() string { return fmt.Sprintf("line %d: %s: %s", b.Line, b.Code, b.Hint) }

// Codes of a Bad.
const (
	CodeNumber   = "not_a_number"
	CodeTime     = "not_a_time"
	CodeFields   = "field_count"
	CodeUnit     = "unknown_unit"
	CodeValue    = "unknown_value"
	CodeTooLarge = "too_large"
)

// Parse reads a decimal number and multiplies it by a power of ten. It refuses a number that an Amount cannot hold exactly.
func Parse(text string, mark byte, shift int) (Amount, bool) {
	text = strings.TrimSpace(text)
	digits, negative := strings.CutPrefix(text, "-")
	whole, decimals, marked := strings.Cut(digits, string(mark))
	if whole+decimals == "" || marked && decimals == "" || strings.Trim(whole+decimals, "0123456789") != "" {
		return 0, false
	}
	if shift += 9; shift < -30 || shift > 30 {
		return 0, false
	}
	digits = strings.TrimLeft(whole+decimals, "0")
	if shift -= len(decimals); shift < 0 { // digits below the smallest amount must be zeros
		cut := min(-shift, len(digits))
		if strings.Trim(digits[len(digits)-cut:], "0") != "" {
			return 0, false
		}
		digits, shift = digits[:len(digits)-cut], 0
	}
	if digits == "" {
		return 0, true
	}
	if len(digits)+shift > 18 {
		return 0, false
	}
	var a Amount
	for _, d := range digits + strings.Repeat("0", shift) {
		a = a*10 + Amount(d-'0')
	}
	if negative {
		a = -a
	}
	return a, true
}

// Clock finds the instants of local times without offset. In the hour that occurs twice, the first occurrence of a time for a key is before
// the clock goes back, and the second one after it.
type Clock struct {
	Zone *time.Location
	seen map[string]bool
}

// At returns the instant of a local time; ok is false for a time that the clock skips, and for the third occurrence of the same time.
func (c *Clock) At(local time.Time, key string) (at time.Time, ok bool) {
	y, m, d := local.Date()
	t := time.Date(y, m, d, local.Hour(), local.Minute(), local.Second(), 0, c.Zone)
	if t.Hour() != local.Hour() || t.Minute() != local.Minute() {
		return t, false
	}
	first, second := t, t
	for _, hours := range []int{-1, 1} {
		other := t.Add(time.Duration(hours) * time.Hour)
		if other.Hour() == t.Hour() && other.Day() == t.Day() {
			if hours < 0 {
				first = other
			} else {
				second = other
			}
		}
	}
	if first.Equal(second) {
		return t, true
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	for _, x := range []time.Time{first, second} {
		k := key + " " + x.UTC().Format(time.RFC3339)
		if !c.seen[k] {
			c.seen[k] = true
			return x, true
		}
	}
	return t, false
}
