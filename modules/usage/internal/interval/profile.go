// Package interval validates, merges, packs and stores the measurements of a connection on a civil day, in intervals of a quarter of an
// hour, an hour or a day. Amounts are in Wh and dm³.
package interval

import (
	"slices"

	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Registers of a meter, in the order of storage. Gas meters have only the last one.
const (
	Normal = iota
	Low
	FeedinNormal
	FeedinLow
	Gas
	registers
)

// notMeasured is the value of an interval without a measurement.
const notMeasured meter.Amount = -1

// Lengths of an interval in seconds.
const (
	QuarterSeconds = 900
	HourSeconds    = 3600
	DaySeconds     = 86400 // a civil day of any length
)

// maxSlots is the maximum number of intervals that unpack accepts; no day has more quarters of an hour.
const maxSlots = 128

// Profile contains the measurements of one connection on one civil day: the intervals of each register, sorted by time.
type Profile struct {
	Seconds   int                       // length of an interval
	Slots     int                       // number of intervals of the day
	Registers [registers][]meter.Amount // one amount or notMeasured per slot; nil: the register was not measured
	// Finer contains shorter intervals of the day that do not cover its measurements yet, or is nil. Once they do, they replace the day.
	Finer *Profile
}

// NewProfile returns a day without measurements.
func NewProfile(seconds, slots int) Profile { return Profile{Seconds: seconds, Slots: slots} }

// Set stores one interval of a register.
func (p *Profile) Set(register, slot int, a meter.Amount) {
	if p.Registers[register] == nil {
		p.Registers[register] = slices.Repeat([]meter.Amount{notMeasured}, p.Slots)
	}
	p.Registers[register][slot] = a
}

// At returns the amounts of a slot.
func (p *Profile) At(slot int) meter.Amounts {
	var one [registers]*meter.Amount
	for r, values := range p.Registers {
		if values != nil && values[slot] != notMeasured {
			one[r] = &values[slot]
		}
	}
	return amountsOf(one)
}

// Sum returns the sums of the registers.
func (p *Profile) Sum() meter.Amounts { return amountsOf(p.totals()) }

// amountsOf returns the values of registers as Amounts.
func amountsOf(r [registers]*meter.Amount) meter.Amounts {
	return meter.Amounts{Normal: r[Normal], Low: r[Low], FeedinNormal: r[FeedinNormal], FeedinLow: r[FeedinLow],
		Consumption: meter.Sum(meter.Sum(r[Normal], r[Low]), r[Gas])}
}

// totals returns the sums of the registers, with nil for a register without measurements.
func (p *Profile) totals() (t [registers]*meter.Amount) {
	for r, values := range p.Registers {
		for _, v := range values {
			if v == notMeasured {
				continue
			}
			if t[r] == nil {
				t[r] = new(meter.Amount)
			}
			*t[r] += v
		}
	}
	return t
}

// missingCount returns the number of intervals without a measurement in any register.
func (p *Profile) missingCount() (n int) {
	for slot := range p.Slots {
		if !slices.ContainsFunc(p.Registers[:], func(v []meter.Amount) bool { return v != nil && v[slot] != notMeasured }) {
			n++
		}
	}
	return n
}

// LastSlot returns the last measured interval, or -1.
func (p *Profile) LastSlot() int {
	for slot := p.Slots - 1; slot >= 0; slot-- {
		if !p.At(slot).IsEmpty() {
			return slot
		}
	}
	return -1
}

// equal reports whether two profiles have the same measurements.
func (p *Profile) equal(o Profile) bool {
	if p.Seconds != o.Seconds || p.Slots != o.Slots {
		return false
	}
	for r := range registers {
		if !slices.Equal(p.Registers[r], o.Registers[r]) {
			return false
		}
	}
	return (p.Finer == nil) == (o.Finer == nil) && (p.Finer == nil || p.Finer.equal(*o.Finer))
}

// covers reports whether shorter intervals contain all information of longer ones. Each part of an interval with usage must be measured;
// for an interval of a whole day, three parts in four are sufficient, because meter readings can still complete its cost. In an interval
// with feed-in, feed-in must be measured in at least one part, because meters may leave out the parts without feed-in.
func (p *Profile) covers(longer Profile) bool {
	n, missing := p.Slots/longer.Slots, 0
	if p.Slots%longer.Slots != 0 {
		return p.missingCount() == 0
	}
	for slot := range longer.Slots {
		want := longer.At(slot)
		fed := meter.OrZero(want.Feedin()) == 0
		for part := slot * n; part < (slot+1)*n; part++ {
			is := p.At(part)
			if want.Consumption != nil && is.Consumption == nil {
				missing++
			}
			fed = fed || is.Feedin() != nil
		}
		if !fed {
			return false
		}
	}
	return missing == 0 || longer.Seconds == DaySeconds && 4*missing <= p.Slots
}

// merge merges new measurements into old ones of the same day: new values replace old ones, and the other old values are kept. Shorter
// intervals replace longer ones only when they cover them, so that a single short interval does not replace a day; until then both are
// kept. ok is false if the new intervals are longer, because detail would be lost.
func merge(old, new Profile) (out Profile, ok bool) {
	switch {
	case new.Seconds > old.Seconds:
		return old, false
	case new.Seconds < old.Seconds:
		return old.refined(new), true
	case new.Slots != old.Slots:
		return new, true
	}
	out = NewProfile(old.Seconds, old.Slots)
	for r := range registers {
		out.Registers[r] = slices.Clone(old.Registers[r])
		for slot, v := range new.Registers[r] {
			if v != notMeasured {
				out.Set(r, slot, v)
			}
		}
	}
	out.Finer = old.Finer
	return out, true
}

// refined returns the day with additional shorter intervals, or only the shorter intervals if they cover the day.
func (p Profile) refined(finer Profile) Profile {
	if own := p.Finer; own != nil {
		first, second := *own, finer
		if finer.Seconds > own.Seconds {
			first, second = finer, *own
		}
		finer, _ = merge(first, second)
	}
	if finer.covers(p) {
		return finer
	}
	p.Finer = &finer
	return p
}
