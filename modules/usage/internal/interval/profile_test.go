package interval

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

// anyProfile generates a day with random registers, with runs of missing intervals and zeros as on real days.
func anyProfile(t *rapid.T, seconds, slots int) Profile {
	p := NewProfile(seconds, slots)
	for r := range registers {
		if !rapid.Bool().Draw(t, "register") {
			continue
		}
		p.Registers[r] = make([]meter.Amount, slots)
		for i := range p.Registers[r] {
			p.Registers[r][i] = rapid.OneOf(rapid.Just(notMeasured), rapid.Just(meter.Amount(0)), rapid.Custom(func(t *rapid.T) meter.Amount {
				return meter.Amount(rapid.Int64Range(1, 4000).Draw(t, "Wh"))
			}), rapid.Just(meter.Amount(meter.MaxAmount))).Draw(t, "value")
		}
	}
	return p
}

func TestProfile(t *testing.T) {
	t.Run("unpack returns the packed profile", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			slots := rapid.SampledFrom([]int{23, 24, 25, 92, 96, 100}).Draw(t, "slots")
			p := anyProfile(t, HourSeconds, slots)
			got, err := unpack(p.Seconds, p.totals(), p.pack())
			if err != nil || !got.equal(p) {
				t.Fatalf("%v was read back as %v, %v", p, got, err)
			}
		})
	})
	t.Run("a day of one interval is stored as totals", func(t *testing.T) {
		p := NewProfile(DaySeconds, 1)
		p.Set(Gas, 0, 2500)
		p.Set(Low, 0, 0)
		require.Nil(t, p.pack())
		got, err := unpack(DaySeconds, p.totals(), nil)
		require.NoError(t, err)
		assert.True(t, got.equal(p), "%v", got)
	})
	t.Run("merging is idempotent, and the totals are the sums of the intervals", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			a, b := anyProfile(t, HourSeconds, 24), anyProfile(t, HourSeconds, 24)
			m, ok := merge(a, b)
			second, ok2 := merge(m, b)
			if !ok || !ok2 || !second.equal(m) {
				t.Fatalf("%v, then %v", m, second)
			}
			var sum meter.Amounts
			missing := 0
			for slot := range m.Slots {
				one := m.At(slot)
				if sum.Add(one); one.IsEmpty() {
					missing++
				}
				for r := range registers {
					if v := b.Registers[r]; v != nil && v[slot] != -1 && m.Registers[r][slot] != v[slot] {
						t.Fatalf("slot %d of register %d lost what is new", slot, r)
					}
				}
			}
			total := m.Sum()
			if !metertest.Equal(total, sum) || missing != m.missingCount() {
				t.Fatalf("%v is not %v; %d missing", total, sum, missing)
			}
		})
	})
	t.Run("9-usage-intervals-finer", func(t *testing.T) {
		day, hour, quarter := NewProfile(DaySeconds, 1), NewProfile(HourSeconds, 24), NewProfile(QuarterSeconds, 96)
		day.Set(Normal, 0, 5000)
		for slot := range 24 {
			hour.Set(Normal, slot, 200)
		}
		quarter.Set(Normal, 13, 40)
		for name, old := range map[string]Profile{"one value": day, "hours": hour} {
			one, ok := merge(old, quarter)
			assert.True(t, ok, name)
			assert.Equal(t, old.totals(), one.totals(), "a quarter of an hour replaces no day: %s", name)
			second, err := unpack(one.Seconds, one.totals(), one.pack())
			require.NoError(t, err)
			assert.True(t, second.equal(one), "it is kept: %s", name)
			enough := map[string]int{"one value": 72, "hours": 96}[name] // parts that must be measured
			for slot := range 96 {
				next := NewProfile(QuarterSeconds, 96)
				next.Set(Normal, slot, 60)
				if slot != 13 {
					one, ok = merge(one, next)
					assert.True(t, ok)
				}
				if measured := max(slot+1, 1); slot >= 13 {
					assert.Equal(t, measured >= enough, one.Seconds == QuarterSeconds, "%s: %d quarters", name, measured)
				}
			}
			assert.Equal(t, []any{QuarterSeconds, meter.Amount(95*60 + 40)}, []any{one.Seconds, *one.totals()[Normal]},
				"all quarters replace it: %s", name)
		}
		whole, ok := merge(day, hour)
		assert.True(t, ok && whole.equal(hour))
		hour.Registers[Normal][0] = notMeasured
		most, ok := merge(day, hour)
		assert.True(t, ok && most.equal(hour), "most hours of a day of one value")
		hour.Set(Normal, 0, 200)
		kept, ok := merge(hour, day)
		assert.False(t, ok, "never the reverse")
		assert.True(t, kept.equal(hour))

		day.Set(FeedinNormal, 0, 900)
		kept, _ = merge(day, hour)
		assert.Equal(t, DaySeconds, kept.Seconds, "hours without the feed-in that was measured")
		sunny := NewProfile(HourSeconds, 24)
		sunny.Set(FeedinNormal, 12, 900)
		kept, _ = merge(kept, sunny)
		assert.Equal(t, []any{HourSeconds, meter.Amount(900)}, []any{kept.Seconds, *kept.totals()[FeedinNormal]})
	})
	t.Run("hours complete a day of which quarters are known", func(t *testing.T) {
		day, quarter, hour := NewProfile(DaySeconds, 1), NewProfile(QuarterSeconds, 96), NewProfile(HourSeconds, 24)
		day.Set(Gas, 0, 2400)
		quarter.Set(Gas, 95, 20)
		for slot := range 24 {
			hour.Set(Gas, slot, 100)
		}
		got, _ := merge(day, quarter)
		got, ok := merge(got, hour)
		assert.True(t, ok)
		require.Equal(t, HourSeconds, got.Seconds)
		require.NotNil(t, got.Finer)
		assert.Equal(t, QuarterSeconds, got.Finer.Seconds)
	})
}

// unpack returns a day or an error for any input.
func FuzzUnpack(f *testing.F) {
	p := NewProfile(HourSeconds, 25)
	for slot := range 20 {
		p.Set(Normal, slot, meter.Amount(slot%3)*777)
	}
	f.Add(p.pack())
	f.Add([]byte{1, 24, 0, 24})
	quarter := NewProfile(QuarterSeconds, 100)
	quarter.Set(Normal, 1, 5)
	p.Finer = &quarter
	f.Add(p.pack())
	f.Add([]byte{31, 128, 1})
	f.Fuzz(func(t *testing.T, packed []byte) {
		got, err := unpack(HourSeconds, [registers]*meter.Amount{}, packed)
		if err != nil {
			return
		}
		second, err := unpack(HourSeconds, [registers]*meter.Amount{}, got.pack())
		if err != nil || !second.equal(got) {
			t.Fatalf("%v became %v, %v", got, second, err)
		}
	})
}
