package usage

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Registers of a meter, in the order in which they are stored. Gas has only the last.
const (
	regNormal = iota
	regLow
	regFeedinNormal
	regFeedinLow
	regGas
	registers
)

// missing marks an interval of a register that was not measured.
const missing Amount = -1

// Lengths of an interval, in seconds.
const (
	quarterSeconds = 900
	hourSeconds    = 3600
	daySeconds     = 86400 // a civil day, however long
)

// maxSlots bounds what is decoded: no day has more quarters than this.
const maxSlots = 128

// Profile is what one connection measured on one civil day: for every register that counted, its intervals in the order of time.
type Profile struct {
	Seconds   int                 // of an interval
	Slots     int                 // intervals of the day
	Registers [registers][]Amount // Slots amounts or missing each; nil: not measured at all
}

// newProfile is a day on which nothing was measured.
func newProfile(seconds, slots int) Profile { return Profile{Seconds: seconds, Slots: slots} }

// set writes down one interval of a register.
func (p *Profile) set(register, slot int, a Amount) {
	if p.Registers[register] == nil {
		p.Registers[register] = slices.Repeat([]Amount{missing}, p.Slots)
	}
	p.Registers[register][slot] = a
}

// at is what was measured in a slot.
func (p *Profile) at(slot int) Amounts {
	var one [registers]*Amount
	for r, values := range p.Registers {
		if values != nil && values[slot] != missing {
			one[r] = &values[slot]
		}
	}
	return amountsOf(one)
}

// amountsOf names what registers counted.
func amountsOf(r [registers]*Amount) Amounts {
	return Amounts{Normal: r[regNormal], Low: r[regLow], FeedinNormal: r[regFeedinNormal], FeedinLow: r[regFeedinLow],
		Consumption: sum(sum(r[regNormal], r[regLow]), r[regGas])}
}

// totals are the sums of the registers; nil for one that measured nothing.
func (p *Profile) totals() (t [registers]*Amount) {
	for r, values := range p.Registers {
		for _, v := range values {
			if v == missing {
				continue
			}
			if t[r] == nil {
				t[r] = new(Amount)
			}
			*t[r] += v
		}
	}
	return t
}

// missing is how many intervals were not measured by any register.
func (p *Profile) missing() (n int) {
	for slot := range p.Slots {
		if !slices.ContainsFunc(p.Registers[:], func(v []Amount) bool { return v != nil && v[slot] != missing }) {
			n++
		}
	}
	return n
}

// lastSlot is the last interval in which something was measured; -1 without any.
func (p *Profile) lastSlot() int {
	for slot := p.Slots - 1; slot >= 0; slot-- {
		if !p.at(slot).none() {
			return slot
		}
	}
	return -1
}

// equal reports whether two profiles say the same.
func (p *Profile) equal(o Profile) bool {
	if p.Seconds != o.Seconds || p.Slots != o.Slots {
		return false
	}
	for r := range registers {
		if !slices.Equal(p.Registers[r], o.Registers[r]) {
			return false
		}
	}
	return true
}

// merge lays newer measurements over older ones of the same day. What is new holds; where it says nothing the old stays. Shorter
// intervals take the place of longer ones; longer ones are refused (not ok), for they would throw away what is known.
func merge(old, new Profile) (out Profile, ok bool) {
	if new.Seconds > old.Seconds {
		return old, false
	}
	if new.Seconds < old.Seconds || new.Slots != old.Slots {
		return new, true
	}
	out = newProfile(old.Seconds, old.Slots)
	for r := range registers {
		out.Registers[r] = slices.Clone(old.Registers[r])
		for slot, v := range new.Registers[r] {
			if v != missing {
				out.set(r, slot, v)
			}
		}
	}
	return out, true
}

// A day is packed as one byte that says which registers follow, the number of slots, and for each register its intervals as
// unsigned varints: 0 begins a run that was not measured and 1 a run of zeros, each followed by its length; any other is an amount
// plus one. An hour of a household takes two or three bytes so. A day of one interval is packed as nothing: its totals say it all.
const (
	runMissing = 0
	runZero    = 1
)

var errPacked = errors.New("usage: not a packed day")

// pack writes the intervals of a day.
func (p *Profile) pack() []byte {
	if p.Seconds == daySeconds {
		return nil
	}
	out := make([]byte, 1, 64)
	out = binary.AppendUvarint(out, uint64(p.Slots))
	for r, values := range p.Registers {
		if values == nil {
			continue
		}
		out[0] |= 1 << r
		for i := 0; i < len(values); {
			v, run := values[i], 1
			if v > 0 {
				out = binary.AppendUvarint(out, uint64(v)+1)
				i++
				continue
			}
			for i+run < len(values) && values[i+run] == v {
				run++
			}
			kind := uint64(runZero)
			if v == missing {
				kind = runMissing
			}
			out = binary.AppendUvarint(binary.AppendUvarint(out, kind), uint64(run))
			i += run
		}
	}
	return out
}

// unpack reads what pack wrote of a day with intervals of some length and with the given totals.
func unpack(seconds int, totals [registers]*Amount, packed []byte) (Profile, error) {
	if seconds == daySeconds {
		p := newProfile(daySeconds, 1)
		for r, t := range totals {
			if t != nil {
				p.set(r, 0, *t)
			}
		}
		return p, nil
	}
	if len(packed) == 0 || packed[0]>>registers != 0 {
		return Profile{}, errPacked
	}
	mask, packed := packed[0], packed[1:]
	next := func() (uint64, bool) {
		v, n := binary.Uvarint(packed)
		if n <= 0 {
			return 0, false
		}
		packed = packed[n:]
		return v, true
	}
	slots, ok := next()
	if !ok || slots == 0 || slots > maxSlots {
		return Profile{}, errPacked
	}
	p := newProfile(seconds, int(slots))
	for r := range registers {
		if mask&(1<<r) == 0 {
			continue
		}
		values := make([]Amount, 0, slots)
		for len(values) < int(slots) {
			v, ok := next()
			if !ok {
				return Profile{}, errPacked
			}
			if v > runZero {
				if v-1 > maxAmount {
					return Profile{}, errPacked
				}
				values = append(values, Amount(v-1))
				continue
			}
			run, ok := next()
			if !ok || run == 0 || run > slots-uint64(len(values)) {
				return Profile{}, errPacked
			}
			fill := Amount(0)
			if v == runMissing {
				fill = missing
			}
			values = append(values, slices.Repeat([]Amount{fill}, int(run))...)
		}
		p.Registers[r] = values
	}
	if len(packed) != 0 {
		return Profile{}, errPacked
	}
	return p, nil
}
