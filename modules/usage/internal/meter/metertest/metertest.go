// Package metertest contains connections, days and amounts for tests.
package metertest

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Main runs the tests of a package with rapid's hundred checks even with -short, which would run only a fifth of them: property tests must
// cover every kind of tariff, year and day.
func Main(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		if err := flag.Set("rapid.checks", "500"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// Connections with a smart electricity meter and with a conventional gas meter.
var (
	Power = meter.Connection{EANCode: "871600000000000017", Commodity: meter.Electricity, MeterType: meter.Smart, MeterNumber: "E1"}
	Gas   = meter.Connection{EANCode: "871600000000000024", Commodity: meter.Gas, MeterType: meter.Conventional, MeterNumber: "G1"}
)

// Today is a day in November.
var Today = Day("2026-11-20")

// Amsterdam returns the time zone of the Netherlands.
func Amsterdam(t testing.TB) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	return loc
}

// Day parses a day of the form 2026-11-20.
func Day(s string) value.Day {
	d, err := value.ParseDay(s)
	if err != nil {
		panic(err)
	}
	return d
}

// Wh returns an amount in Wh or dm³.
func Wh(n meter.Amount) *meter.Amount { return &n }

// KWh returns an amount in kWh or m³.
func KWh(n float64) *meter.Amount {
	a := meter.Amount(n * 1000)
	return &a
}

// Equal reports whether the amounts of all registers are equal.
func Equal(a, b meter.Amounts) bool {
	same := func(x, y *meter.Amount) bool { return (x == nil) == (y == nil) && (x == nil || *x == *y) }
	return same(a.Normal, b.Normal) && same(a.Low, b.Low) && same(a.FeedinNormal, b.FeedinNormal) && same(a.FeedinLow, b.FeedinLow) &&
		same(a.Consumption, b.Consumption)
}

// Amounts contains the amounts of registers in a test case of schemas/rules.
type Amounts struct {
	Normal, Low, Gas *meter.Amount
	FeedinNormal     *meter.Amount `json:"feedin_normal"`
	FeedinLow        *meter.Amount `json:"feedin_low"`
}

// Times returns a multiple of the amounts.
func (m Amounts) Times(n meter.Amount) meter.Amounts {
	by := func(a *meter.Amount) *meter.Amount {
		if a == nil {
			return nil
		}
		product := *a * n
		return &product
	}
	a := meter.Amounts{Normal: by(m.Normal), Low: by(m.Low), FeedinNormal: by(m.FeedinNormal), FeedinLow: by(m.FeedinLow),
		Consumption: by(m.Gas)}
	if m.Gas == nil {
		a.Consumption = meter.Sum(a.Normal, a.Low)
	}
	return a
}
