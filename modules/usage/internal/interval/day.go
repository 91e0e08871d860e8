package interval

import (
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Measured is a day with its intervals.
type Measured struct {
	Day     value.Day
	Profile Profile
}

// Key identifies a day of a connection.
type Key struct {
	EANCode string    `bun:"ean_code,pk"`
	Day     value.Day `bun:",pk"`
}

// Totals contains the sums of a day without its intervals, for charts, which read hundreds of days.
type Totals struct {
	Day value.Day
	Counts
}

// Counts contains the sums of a day by register, in Wh and dm³. Nil means that the register was not measured.
type Counts struct {
	Missing      int // intervals without a measurement
	Normal       *meter.Amount
	Low          *meter.Amount
	FeedinNormal *meter.Amount
	FeedinLow    *meter.Amount
	Gas          *meter.Amount
}

// registers returns the sums in the order of storage.
func (d *Counts) registers() [registers]*meter.Amount {
	return [registers]*meter.Amount{d.Normal, d.Low, d.FeedinNormal, d.FeedinLow, d.Gas}
}

// Amounts returns the sums as amounts.
func (d *Counts) Amounts() meter.Amounts { return amountsOf(d.registers()) }

// Counts returns the sums of the day, without the intervals.
func (p *Profile) Counts() Counts {
	t := p.totals()
	return Counts{Missing: p.missingCount(), Normal: t[Normal], Low: t[Low], FeedinNormal: t[FeedinNormal],
		FeedinLow: t[FeedinLow], Gas: t[Gas]}
}
