package usage

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Packed data is refused unless it has a length, a mask of known registers, and runs that fit in the day.
func TestUnpackRefuses(t *testing.T) {
	read := func(packed ...byte) error {
		_, err := unpack(hourSeconds, [registers]*Amount{}, packed)
		return err
	}
	require.NoError(t, read(1, 2, 5, 5))
	assert.NoError(t, read(0, 24), "no register was measured")
	assert.NoError(t, read(0, maxSlots&0x7f|0x80, maxSlots>>7), "the maximum number of intervals")
	for what, packed := range map[string][]byte{"nothing": {}, "no length": {1}, "a register that is none": {1 << registers, 2, 5, 5}, "no slots": {0, 0},
		"half a number": {0, 0x80}, "too many slots": {0, (maxSlots+1)&0x7f | 0x80, (maxSlots + 1) >> 7}, "too few values": {1, 2, 5}, "too many values": {1, 2, 5, 5, 5},
		"an empty run": {1, 2, 0, 0}, "an empty run before a whole one": {1, 2, 0, 0, 0, 2}, "a run without its length": {1, 2, 0}, "a run beyond the day": {1, 2, 5, 0, 2}} {
		assert.ErrorIs(t, read(packed...), errPacked, what)
	}
}

func TestMergeKeepsOldValues(t *testing.T) {
	old, more := newProfile(hourSeconds, 24), newProfile(hourSeconds, 24)
	old.set(regNormal, 3, 100)
	old.set(regNormal, 4, 200)
	more.set(regNormal, 4, 250)
	more.set(regNormal, 5, 300)
	out, ok := merge(old, more)
	require.True(t, ok)
	assert.Equal(t, []Amount{notMeasured, 100, 250, 300}, out.Registers[regNormal][2:6])
	other := newProfile(hourSeconds, 23)
	other.set(regNormal, 0, 1)
	out, ok = merge(old, other)
	assert.True(t, ok && out.equal(other), "different number of slots")
	assert.False(t, other.equal(newProfile(hourSeconds, 23)))
	first, second := newProfile(hourSeconds, 24), newProfile(hourSeconds/4, 24)
	assert.False(t, first.equal(second), "different length of intervals")
	second = newProfile(hourSeconds, 25)
	assert.False(t, first.equal(second))
}

func TestReplaceAndDecrease(t *testing.T) {
	read := func(d, meter string, n Amount) storedReading {
		return storedReading{EANCode: "e", Day: day(d), MeterNumber: meter, Normal: &n}
	}
	a, b := read("2026-01-01", "m", 1), read("2026-02-01", "m", 2)
	all := []storedReading{a, b}
	all = replaceReading(all, read("2026-01-01", "m", 9))
	require.Len(t, all, 2)
	assert.Equal(t, kWh(9), all[0].Normal)
	all = replaceReading(all, read("2026-01-01", "other", 5))
	require.Len(t, all, 3, "another meter on the same day")
	all = replaceReading(all, read("2026-03-01", "m", 5))
	require.Len(t, all, 4, "the same meter on another day")
	assert.Equal(t, "consumption_normal", decreasingField(b, a))
	assert.Empty(t, decreasingField(a, b))
	assert.Empty(t, decreasingField(a, a))
	bare := a
	bare.Normal = nil
	assert.Empty(t, decreasingField(bare, a))
	assert.Empty(t, decreasingField(a, bare))
}

func TestWithheldMonth(t *testing.T) {
	m := newMonthly(day("2026-11-20"), nil)
	assert.Equal(t, Electricity, m.Commodity, "without connections")
	m.addWithheld(nil, false)
	assert.Nil(t, m.Reading)
	assert.False(t, m.ConsentNeeded)
	on := func(d string) []Reading {
		return []Reading{{MeasurementDate: day(d)}, {MeasurementDate: day("2026-01-01")}}
	}
	m.addWithheld(on("2026-10-01"), true)
	m.addWithheld(on("2026-11-01"), false)
	m.addWithheld(on("2026-09-01"), false)
	assert.True(t, m.ConsentNeeded, "stays true")
	assert.Equal(t, day("2026-11-01"), m.Reading.MeasurementDate, "the last reading of all connections")
}

// A comparison requires three quarters of the measured days to be complete in both years.
func TestMinComparable(t *testing.T) {
	of := func(days, whole int) Summary {
		m := newMonthly(day("2026-11-20"), []Connection{{Commodity: Electricity}})
		var now, then []dayTotals
		for n := range days {
			v, w := Amount(10), Amount(5)
			now = append(now, dayTotals{Day: day("2026-11-01").AddDays(n), dayCounts: dayCounts{Normal: &v}})
			if n < whole {
				then = append(then, dayTotals{Day: day("2025-11-01").AddDays(n), dayCounts: dayCounts{Normal: &w}})
			}
		}
		m.add(now, then)
		return m.summary()
	}
	assert.Equal(t, kWh(30), of(4, 3).SameDays, "three of four")
	assert.Nil(t, of(4, 2).SameDays)
	assert.Nil(t, of(0, 0).SameDays)
}

// Days with feed-in only are not compared.
func TestFeedInIsNotCompared(t *testing.T) {
	m := newMonthly(day("2026-11-20"), []Connection{{Commodity: Electricity}})
	m.add([]dayTotals{{Day: day("2026-11-01"), dayCounts: dayCounts{Normal: kWh(10)}}}, []dayTotals{{Day: day("2025-11-01"), dayCounts: dayCounts{FeedinNormal: kWh(5)}}})
	s := m.summary()
	assert.Equal(t, kWh(10), s.Consumption)
	assert.Nil(t, s.SameDays)
	assert.Nil(t, s.SameMonthLastYear)
}

func TestAccess(t *testing.T) {
	a := access{consents: map[string]decision{"given": {Given: true}}, basis: ByConsent}
	smart, plain := Connection{EANCode: "given", MeterType: Smart}, Connection{EANCode: "given", MeterType: Conventional}
	other := Connection{EANCode: "other", MeterType: Smart}
	assert.Equal(t, []bool{true, false, false}, []bool{a.canShowDays(smart), a.canShowDays(plain), a.canShowDays(other)})
	assert.Equal(t, []bool{false, false, true}, []bool{a.needsConsent(smart), a.needsConsent(plain), a.needsConsent(other)})
}

func TestNamedAndSupplies(t *testing.T) {
	var a Agreement
	a.Identifier, a.WithSequence = "A", "A-1"
	assert.Equal(t, []bool{true, true, false, false}, []bool{a.hasID("A"), a.hasID("A-1"), a.hasID("B"), a.hasID("")})
	assert.False(t, Agreement{}.hasID(""), "an empty id matches no agreement")
	assert.False(t, a.supplies("e"))
	a.EANs = []string{"d", "e"}
	assert.Equal(t, []bool{true, true, false}, []bool{a.supplies("d"), a.supplies("e"), a.supplies("f")})
}

func TestPartialMonths(t *testing.T) {
	var days []dayTotals
	for n := range 30 {
		v := Amount(1)
		days = append(days, dayTotals{Day: day("2026-11-01").AddDays(n), dayCounts: dayCounts{Normal: &v}})
	}
	assert.False(t, months(days)[0].Partial)
	days[3].Missing = 2
	assert.True(t, months(days)[0].Partial, "hours of a day are missing")
	days[3].Missing = 0
	assert.True(t, months(days[1:])[0].Partial, "a day is missing")
}
