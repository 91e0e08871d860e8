package usage

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Registers of a meter, in the order of storage. Gas has only the last.
const (
	regNormal = iota
	regLow
	regFeedinNormal
	regFeedinLow
	regGas
	registers
)

// notMeasured is the value of an interval without a measurement.
const notMeasured Amount = -1

// Lengths of an interval in seconds.
const (
	quarterSeconds = 900
	hourSeconds    = 3600
	daySeconds     = 86400 // a civil day of any length
)

// maxSlots is the maximum number of intervals that unpack accepts; no day has more quarters of an hour.
const maxSlots = 128

// Profile contains the measurements of one connection on one civil day: the intervals of each register in order of time.
type Profile struct {
	Seconds   int                 // length of an interval
	Slots     int                 // formatAmount of intervals of the day
	Registers [registers][]Amount // one amount or notMeasured per slot; nil: the register was not measured
	// Finer are shorter intervals of the day that do not cover the measurements yet. The day does not change until they do; nil: none.
	Finer *Profile
}

// newProfile returns a day without measurements.
func newProfile(seconds, slots int) Profile { return Profile{Seconds: seconds, Slots: slots} }

// set stores one interval of a register.
func (p *Profile) set(register, slot int, a Amount) {
	if p.Registers[register] == nil {
		p.Registers[register] = slices.Repeat([]Amount{notMeasured}, p.Slots)
	}
	p.Registers[register][slot] = a
}

// at returns the amounts of a slot.
func (p *Profile) at(slot int) Amounts {
	var one [registers]*Amount
	for r, values := range p.Registers {
		if values != nil && values[slot] != notMeasured {
			one[r] = &values[slot]
		}
	}
	return amountsOf(one)
}

// amountsOf returns the values of registers as Amounts.
func amountsOf(r [registers]*Amount) Amounts {
	return Amounts{Normal: r[regNormal], Low: r[regLow], FeedinNormal: r[regFeedinNormal], FeedinLow: r[regFeedinLow],
		Consumption: sum(sum(r[regNormal], r[regLow]), r[regGas])}
}

// totals returns the sums of the registers; nil for a register without measurements.
func (p *Profile) totals() (t [registers]*Amount) {
	for r, values := range p.Registers {
		for _, v := range values {
			if v == notMeasured {
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

// missingCount returns the number of intervals without a measurement in any register.
func (p *Profile) missingCount() (n int) {
	for slot := range p.Slots {
		if !slices.ContainsFunc(p.Registers[:], func(v []Amount) bool { return v != nil && v[slot] != notMeasured }) {
			n++
		}
	}
	return n
}

// lastSlot returns the last measured interval, or -1.
func (p *Profile) lastSlot() int {
	for slot := p.Slots - 1; slot >= 0; slot-- {
		if !p.at(slot).isEmpty() {
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

// covers reports whether shorter intervals cover longer ones: each part of an interval with usage is measured, of a whole day three
// in four, because its meter readings still complete its cost; and feed-in is measured in some part of an interval with feed-in, because
// meters may leave out parts without any.
func (p *Profile) covers(longer Profile) bool {
	n, missing := p.Slots/longer.Slots, 0
	if p.Slots%longer.Slots != 0 {
		return p.missingCount() == 0
	}
	for slot := range longer.Slots {
		want := longer.at(slot)
		fed := amountOrZero(want.feedin()) == 0
		for part := slot * n; part < (slot+1)*n; part++ {
			is := p.at(part)
			if want.Consumption != nil && is.Consumption == nil {
				missing++
			}
			fed = fed || is.feedin() != nil
		}
		if !fed {
			return false
		}
	}
	return missing == 0 || longer.Seconds == daySeconds && 4*missing <= p.Slots
}

// merge merges new measurements into old ones of the same day: new values replace old ones, other old values stay. Shorter intervals replace
// longer ones once they cover them, so that one of them does not replace a day; until then they are kept next to them. ok is false for
// longer intervals, which would lose detail.
func merge(old, new Profile) (out Profile, ok bool) {
	switch {
	case new.Seconds > old.Seconds:
		return old, false
	case new.Seconds < old.Seconds:
		return old.refined(new), true
	case new.Slots != old.Slots:
		return new, true
	}
	out = newProfile(old.Seconds, old.Slots)
	for r := range registers {
		out.Registers[r] = slices.Clone(old.Registers[r])
		for slot, v := range new.Registers[r] {
			if v != notMeasured {
				out.set(r, slot, v)
			}
		}
	}
	out.Finer = old.Finer
	return out, true
}

// refined returns the day with additional shorter intervals: these alone, if they cover it.
func (p Profile) refined(finer Profile) Profile {
	if known := p.Finer; known != nil {
		first, second := *known, finer
		if finer.Seconds > known.Seconds {
			first, second = finer, *known
		}
		finer, _ = merge(first, second)
	}
	if finer.covers(p) {
		return finer
	}
	p.Finer = &finer
	return p
}

// A packed day consists of a byte with the mask of its registers, the number of slots, and the intervals of each register as unsigned
// varints: 0 starts a run of missing intervals and 1 a run of zeros, both followed by their length; other values are an amount plus one. An
// hour of a household takes two or three bytes. A day of one interval has no packed data, because its totals contain everything. Shorter
// intervals that do not cover the day come first: a byte that is no mask, their length in seconds, the length of their packed data, and the
// data.
const (
	runMissing  = 0
	runZero     = 1
	packedFiner = 1 << registers
)

var errPacked = errors.New("usage: not a packed day")

// pack encodes the intervals of a day.
func (p *Profile) pack() []byte {
	if p.Finer == nil {
		return p.packIntervals()
	}
	finer := p.Finer.pack()
	out := binary.AppendUvarint([]byte{packedFiner}, uint64(p.Finer.Seconds))
	out = append(binary.AppendUvarint(out, uint64(len(finer))), finer...)
	return append(out, p.packIntervals()...)
}

func (p *Profile) packIntervals() []byte {
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
			if v == notMeasured {
				kind = runMissing
			}
			out = binary.AppendUvarint(binary.AppendUvarint(out, kind), uint64(run))
			i += run
		}
	}
	return out
}

// unpack decodes a packed day with intervals of the given length and with the given totals.
func unpack(seconds int, totals [registers]*Amount, packed []byte) (Profile, error) {
	if len(packed) > 0 && packed[0] == packedFiner {
		return unpackFiner(seconds, totals, packed[1:])
	}
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
				fill = notMeasured
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

// unpackFiner decodes a packed day that has shorter intervals next to its own.
func unpackFiner(seconds int, totals [registers]*Amount, packed []byte) (Profile, error) {
	of, n := binary.Uvarint(packed)
	if n <= 0 || of != quarterSeconds && of != hourSeconds || int(of) >= seconds {
		return Profile{}, errPacked
	}
	packed = packed[n:]
	size, n := binary.Uvarint(packed)
	if n <= 0 || size > uint64(len(packed)-n) {
		return Profile{}, errPacked
	}
	packed = packed[n:]
	finer, err := unpack(int(of), [registers]*Amount{}, packed[:size])
	if err != nil {
		return Profile{}, err
	}
	if rest := packed[size:]; len(rest) > 0 && rest[0] == packedFiner {
		return Profile{}, errPacked
	}
	p, err := unpack(seconds, totals, packed[size:])
	p.Finer = &finer
	return p, err
}
