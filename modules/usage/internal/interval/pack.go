package interval

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// A packed day consists of a byte with the mask of its registers, the number of slots, and the intervals of each register as unsigned
// varints: 0 starts a run of missing intervals and 1 a run of zeros, both followed by their length; other values are an amount plus one. An
// hour of a household takes two or three bytes. A day of one interval has no packed data, because its totals contain everything. Shorter
// intervals that do not cover the day come first: a byte that is not a mask, their length in seconds, the length of their packed data, and
// the data.
const (
	runMissing  = 0
	runZero     = 1
	packedFiner = 1 << registers
)

// errPacked is the error for bytes that pack did not create.
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

// packIntervals encodes the intervals, without the shorter ones in Finer.
func (p *Profile) packIntervals() []byte {
	if p.Seconds == DaySeconds {
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
func unpack(seconds int, totals [registers]*meter.Amount, packed []byte) (Profile, error) {
	if len(packed) > 0 && packed[0] == packedFiner {
		return unpackFiner(seconds, totals, packed[1:])
	}
	if seconds == DaySeconds {
		p := NewProfile(DaySeconds, 1)
		for r, t := range totals {
			if t != nil {
				p.Set(r, 0, *t)
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
	p := NewProfile(seconds, int(slots))
	for r := range registers {
		if mask&(1<<r) == 0 {
			continue
		}
		values := make([]meter.Amount, 0, slots)
		for len(values) < int(slots) {
			v, ok := next()
			if !ok {
				return Profile{}, errPacked
			}
			if v > runZero {
				if v-1 > meter.MaxAmount {
					return Profile{}, errPacked
				}
				values = append(values, meter.Amount(v-1))
				continue
			}
			run, ok := next()
			if !ok || run == 0 || run > slots-uint64(len(values)) {
				return Profile{}, errPacked
			}
			fill := meter.Amount(0)
			if v == runMissing {
				fill = notMeasured
			}
			values = append(values, slices.Repeat([]meter.Amount{fill}, int(run))...)
		}
		p.Registers[r] = values
	}
	if len(packed) != 0 {
		return Profile{}, errPacked
	}
	return p, nil
}

// unpackFiner decodes a packed day that has shorter intervals next to its own.
func unpackFiner(seconds int, totals [registers]*meter.Amount, packed []byte) (Profile, error) {
	of, n := binary.Uvarint(packed)
	if n <= 0 || of != QuarterSeconds && of != HourSeconds || int(of) >= seconds {
		return Profile{}, errPacked
	}
	packed = packed[n:]
	size, n := binary.Uvarint(packed)
	if n <= 0 || size > uint64(len(packed)-n) {
		return Profile{}, errPacked
	}
	packed = packed[n:]
	finer, err := unpack(int(of), [registers]*meter.Amount{}, packed[:size])
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
