package usage

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// anyProfile draws a day with random registers, and runs of missing intervals and zeros as on real days.
func anyProfile(t *rapid.T, seconds, slots int) Profile {
	p := newProfile(seconds, slots)
	for r := range registers {
		if !rapid.Bool().Draw(t, "register") {
			continue
		}
		p.Registers[r] = make([]Amount, slots)
		for i := range p.Registers[r] {
			p.Registers[r][i] = rapid.OneOf(rapid.Just(notMeasured), rapid.Just(Amount(0)), rapid.Custom(func(t *rapid.T) Amount {
				return Amount(rapid.Int64Range(1, 4000).Draw(t, "Wh"))
			}), rapid.Just(Amount(maxAmount))).Draw(t, "value")
		}
	}
	return p
}

func TestProfile(t *testing.T) {
	t.Run("unpack returns the packed profile", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			slots := rapid.SampledFrom([]int{23, 24, 25, 92, 96, 100}).Draw(t, "slots")
			p := anyProfile(t, hourSeconds, slots)
			got, err := unpack(p.Seconds, p.totals(), p.pack())
			if err != nil || !got.equal(p) {
				t.Fatalf("%v was read back as %v, %v", p, got, err)
			}
		})
	})
	t.Run("a day of one interval is stored as totals", func(t *testing.T) {
		p := newProfile(daySeconds, 1)
		p.set(regGas, 0, 2500)
		p.set(regLow, 0, 0)
		require.Nil(t, p.pack())
		got, err := unpack(daySeconds, p.totals(), nil)
		require.NoError(t, err)
		assert.True(t, got.equal(p), "%v", got)
	})
	t.Run("merging is idempotent, and the totals are the sums of the intervals", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			a, b := anyProfile(t, hourSeconds, 24), anyProfile(t, hourSeconds, 24)
			m, ok := merge(a, b)
			again, ok2 := merge(m, b)
			if !ok || !ok2 || !again.equal(m) {
				t.Fatalf("%v, then %v", m, again)
			}
			var sum Amounts
			missing := 0
			for slot := range m.Slots {
				one := m.at(slot)
				if sum.add(one); one.isEmpty() {
					missing++
				}
				for r := range registers {
					if v := b.Registers[r]; v != nil && v[slot] != -1 && m.Registers[r][slot] != v[slot] {
						t.Fatalf("slot %d of register %d lost what is new", slot, r)
					}
				}
			}
			total := amountsOf(m.totals())
			if !equalAmounts(total, sum) || missing != m.missingCount() {
				t.Fatalf("%v is not %v; %d missing", total, sum, missing)
			}
		})
	})
	t.Run("9-usage-intervals-finer", func(t *testing.T) {
		day, hour, quarter := newProfile(daySeconds, 1), newProfile(hourSeconds, 24), newProfile(quarterSeconds, 96)
		day.set(regNormal, 0, 5000)
		for slot := range 24 {
			hour.set(regNormal, slot, 200)
		}
		quarter.set(regNormal, 13, 40)
		for name, old := range map[string]Profile{"one value": day, "hours": hour} {
			one, ok := merge(old, quarter)
			assert.True(t, ok, name)
			assert.Equal(t, old.totals(), one.totals(), "a quarter of an hour replaces no day: %s", name)
			again, err := unpack(one.Seconds, one.totals(), one.pack())
			require.NoError(t, err)
			assert.True(t, again.equal(one), "it is kept: %s", name)
			for slot := range 96 {
				next := newProfile(quarterSeconds, 96)
				next.set(regNormal, slot, 60)
				if slot != 13 {
					one, ok = merge(one, next)
					assert.True(t, ok)
				}
			}
			assert.Equal(t, []any{quarterSeconds, Amount(95*60 + 40)}, []any{one.Seconds, *one.totals()[regNormal]}, "all quarters replace it: %s", name)
		}
		whole, ok := merge(day, hour)
		assert.True(t, ok && whole.equal(hour))
		hour.Registers[regNormal][0] = notMeasured
		most, ok := merge(day, hour)
		assert.True(t, ok && most.equal(hour), "most hours of a day of one value")
		hour.set(regNormal, 0, 200)
		kept, ok := merge(hour, day)
		assert.False(t, ok, "never the reverse")
		assert.True(t, kept.equal(hour))

		day.set(regFeedinNormal, 0, 900)
		kept, _ = merge(day, hour)
		assert.Equal(t, daySeconds, kept.Seconds, "hours without the feed-in that was measured")
		sunny := newProfile(hourSeconds, 24)
		sunny.set(regFeedinNormal, 12, 900)
		kept, _ = merge(kept, sunny)
		assert.Equal(t, []any{hourSeconds, Amount(900)}, []any{kept.Seconds, *kept.totals()[regFeedinNormal]})
	})
	t.Run("hours complete a day of which quarters are known", func(t *testing.T) {
		day, quarter, hour := newProfile(daySeconds, 1), newProfile(quarterSeconds, 96), newProfile(hourSeconds, 24)
		day.set(regGas, 0, 2400)
		quarter.set(regGas, 95, 20)
		for slot := range 24 {
			hour.set(regGas, slot, 100)
		}
		got, _ := merge(day, quarter)
		got, ok := merge(got, hour)
		assert.True(t, ok)
		require.Equal(t, hourSeconds, got.Seconds)
		require.NotNil(t, got.Finer)
		assert.Equal(t, quarterSeconds, got.Finer.Seconds)
	})
}

func equalAmounts(a, b Amounts) bool {
	same := func(x, y *Amount) bool { return (x == nil) == (y == nil) && (x == nil || *x == *y) }
	return same(a.Normal, b.Normal) && same(a.Low, b.Low) && same(a.FeedinNormal, b.FeedinNormal) && same(a.FeedinLow, b.FeedinLow) &&
		same(a.Consumption, b.Consumption)
}

// unpack returns a day or an error for any input.
func FuzzUnpack(f *testing.F) {
	p := newProfile(hourSeconds, 25)
	for slot := range 20 {
		p.set(regNormal, slot, Amount(slot%3)*777)
	}
	f.Add(p.pack())
	f.Add([]byte{1, 24, 0, 24})
	quarter := newProfile(quarterSeconds, 100)
	quarter.set(regNormal, 1, 5)
	p.Finer = &quarter
	f.Add(p.pack())
	f.Add([]byte{31, 128, 1})
	f.Fuzz(func(t *testing.T, packed []byte) {
		got, err := unpack(hourSeconds, [registers]*Amount{}, packed)
		if err != nil {
			return
		}
		again, err := unpack(hourSeconds, [registers]*Amount{}, got.pack())
		if err != nil || !again.equal(got) {
			t.Fatalf("%v became %v, %v", got, again, err)
		}
	})
}
