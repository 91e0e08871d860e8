package interval

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// Packed data is refused unless it has a valid length, a mask of known registers, and runs that fit in the day.
func TestUnpackRefuses(t *testing.T) {
	read := func(packed ...byte) error {
		_, err := unpack(HourSeconds, [registers]*meter.Amount{}, packed)
		return err
	}
	require.NoError(t, read(1, 2, 5, 5))
	assert.NoError(t, read(0, 24), "no register was measured")
	assert.NoError(t, read(0, maxSlots&0x7f|0x80, maxSlots>>7), "the maximum number of intervals")
	for what, packed := range map[string][]byte{"nothing": {}, "no length": {1}, "a register that is none": {1 << registers, 2, 5, 5},
		"no slots":      {0, 0},
		"half a number": {0, 0x80}, "too many slots": {0, (maxSlots+1)&0x7f | 0x80, (maxSlots + 1) >> 7}, "too few values": {1, 2, 5},
		"too many values": {1, 2, 5, 5, 5},
		"an empty run":    {1, 2, 0, 0}, "an empty run before a whole one": {1, 2, 0, 0, 0, 2}, "a run without its length": {1, 2, 0},
		"a run beyond the day": {1, 2, 5, 0, 2}} {
		assert.ErrorIs(t, read(packed...), errPacked, what)
	}
}

func TestMergeKeepsOldValues(t *testing.T) {
	old, more := NewProfile(HourSeconds, 24), NewProfile(HourSeconds, 24)
	old.Set(Normal, 3, 100)
	old.Set(Normal, 4, 200)
	more.Set(Normal, 4, 250)
	more.Set(Normal, 5, 300)
	out, ok := merge(old, more)
	require.True(t, ok)
	assert.Equal(t, []meter.Amount{notMeasured, 100, 250, 300}, out.Registers[Normal][2:6])
	other := NewProfile(HourSeconds, 23)
	other.Set(Normal, 0, 1)
	out, ok = merge(old, other)
	assert.True(t, ok && out.equal(other), "different number of slots")
	assert.False(t, other.equal(NewProfile(HourSeconds, 23)))
	first, second := NewProfile(HourSeconds, 24), NewProfile(HourSeconds/4, 24)
	assert.False(t, first.equal(second), "different length of intervals")
	second = NewProfile(HourSeconds, 25)
	assert.False(t, first.equal(second))
}
