package production

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/value"
)

// marksAt returns marks from pairs of minutes and Wh.
func marksAt(t *testing.T, pairs ...int64) (out []mark) {
	t.Helper()
	require.Zero(t, len(pairs)%2)
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, mark{pairs[i] * time.Minute.Milliseconds(), pairs[i+1]})
	}
	return out
}

const megawatt = 1_000_000

func TestChain(t *testing.T) {
	t.Run("9-production-counters", func(t *testing.T) {
		for name, c := range map[string]struct {
			marks []mark
			want  []int64 // Wh that each mark adds; -1: the mark does not count
		}{
			"a rising counter":               {marksAt(t, 0, 5_000_000, 10, 5_100_000, 20, 5_100_000), []int64{0, 100_000, 0}},
			"a reset counter starts at zero": {marksAt(t, 0, 5_000_000, 10, 40_000, 20, 90_000), []int64{0, 40_000, 50_000}},
			"a glitch of zero":               {marksAt(t, 0, 5_000_000, 10, 0, 20, 5_200_000), []int64{0, -1, 200_000}},
			"a glitch upwards":               {marksAt(t, 0, 5_000_000, 10, 900_000_000, 20, 5_200_000), []int64{0, -1, 200_000}},
			"two zeros, then normal": {marksAt(t, 0, 50_000_000, 10, 0, 20, 0, 30, 50_300_000, 40, 50_400_000),
				[]int64{0, 0, 0, 0, 100_000}},
			"another counter with a higher value": {marksAt(t, 0, 5_000_000, 10, 800_000_000, 20, 800_100_000), []int64{0, 0, 100_000}},
			"another counter with a lower value":  {marksAt(t, 0, 900_000_000, 10, 50_000_000, 20, 50_100_000), []int64{0, 0, 100_000}},
			"the last mark has no next one":       {marksAt(t, 0, 5_000_000, 10, 0), []int64{0, 0}},
			"steps of 1 MWh":                      {marksAt(t, 0, 5_000_000, 10, 6_000_000, 20, 6_000_000), []int64{0, 1_000_000, 0}},
		} {
			counts, before := chain(megawatt, nil, c.marks), (*mark)(nil)
			for i, m := range c.marks {
				got := int64(-1)
				if counts[i] {
					got = 0
					if before != nil {
						got = rise(megawatt, *before, m)
					}
					before = &c.marks[i]
				}
				assert.Equal(t, c.want[i], got, "%s: %d", name, i)
			}
		}
	})
}

// A project produces at most 1.3 times its rated power, and its counter may lag by an hour.
func TestFollows(t *testing.T) {
	a := mark{at: 7 * time.Hour.Milliseconds(), wh: 5_000_000}
	for _, c := range []struct {
		minutes, wh int64
		want        bool
	}{
		{1, 0, true}, {1, -1, false}, {60, 2_600_000, true}, {60, 2_600_001, false}, {0, 1_300_000, true}, {0, 1_300_001, false},
		{30, 1_950_000, true}, {30, 1_950_001, false},
		{600, 14_300_000, true}, {600, 14_300_001, false},
	} {
		b := mark{a.at + c.minutes*time.Minute.Milliseconds(), a.wh + c.wh}
		assert.Equal(t, c.want, follows(megawatt, a, b), "%d Wh in %d minutes", c.wh, c.minutes)
	}
}

func TestRise(t *testing.T) {
	hour := time.Hour.Milliseconds()
	for name, c := range map[string]struct{ from, to, want int64 }{
		"rises":                                {50_000_000, 52_600_000, 2_600_000},
		"does not change":                      {50_000_000, 50_000_000, 0},
		"jumps":                                {50_000_000, 52_600_001, 0},
		"starts at zero":                       {50_000_000, 2_600_000, 2_600_000},
		"is reset to zero":                     {50_000_000, 0, 0},
		"starts at another value":              {50_000_000, 2_600_001, 0},
		"is another counter with a near value": {50_000_000, 49_999_999, 0},
		"starts at zero and almost reaches the old value": {1_000_000, 999_999, 999_999},
	} {
		assert.Equal(t, c.want, rise(megawatt, mark{hour, c.from}, mark{2 * hour, c.to}), name)
	}
}

// If neither of two successive marks counted, a chain could not be continued from its middle.
func TestChainContinuesFromAnyMark(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var marks []mark
		at := int64(0)
		for range rapid.IntRange(3, 40).Draw(t, "marks") {
			at += rapid.Int64Range(1, 100).Draw(t, "minutes") * time.Minute.Milliseconds()
			marks = append(marks, mark{at, rapid.SampledFrom([]int64{0, 1000, 5_000_000, 5_100_000, 6_000_000, 900_000_000}).Draw(t, "counter")})
		}
		whole := chain(megawatt, nil, marks)
		for i := 1; i < len(whole); i++ {
			if !whole[i-1] && !whole[i] {
				t.Fatalf("neither %d nor %d counts", i-1, i)
			}
		}
		for from := range marks {
			if whole[from] {
				assert.Equal(t, whole[from+1:], chain(megawatt, &marks[from], marks[from+1:]), "from %d", from)
			}
		}
	})
}

func TestSpread(t *testing.T) {
	loc, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	t.Run("9-production-counters", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			begin := time.Date(2026, 10, 20, 0, 0, 0, 0, loc).UnixMilli() // the clock changes on the 25th
			a := mark{at: begin + rapid.Int64Range(0, 9*86_400_000).Draw(t, "begin")}
			b := mark{at: a.at + rapid.Int64Range(1, 3*86_400_000).Draw(t, "length")}
			made := rapid.Int64Range(0, 1<<50).Draw(t, "made")
			sum, last := int64(0), slot{}
			spread(loc, a, b, made, func(s slot, wh int64) {
				if wh < 0 || s == last || s.hour < 0 || s.hour >= hoursOf(s.day, loc) {
					t.Fatalf("%v after %v: %d", s, last, wh)
				}
				sum, last = sum+wh, s
			})
			if sum != made {
				t.Fatalf("%d of %d", sum, made)
			}
		})
	})
	t.Run("energy is divided in proportion to time", func(t *testing.T) {
		at := func(clock string) int64 {
			x, err := time.ParseInLocation("2006-01-02 15:04", clock, loc)
			require.NoError(t, err)
			return x.UnixMilli()
		}
		got := map[slot]int64{}
		spread(loc, mark{at: at("2026-11-19 22:30")}, mark{at: at("2026-11-20 00:30")}, 1001, func(s slot, wh int64) { got[s] += wh })
		d19, d20 := value.Day{Year: 2026, Month: 11, Day: 19}, value.Day{Year: 2026, Month: 11, Day: 20}
		assert.Equal(t, map[slot]int64{{d19, 22}: 250, {d19, 23}: 500, {d20, 0}: 251}, got)
	})
}

func TestHourAt(t *testing.T) {
	for _, c := range []struct {
		zone, at  string
		hour      int
		on, until string
	}{
		{dutch, "2026-11-20T00:00:00+01:00", 0, "2026-11-20", "2026-11-20T01:00:00+01:00"},
		{dutch, "2026-11-20T11:59:59+01:00", 11, "2026-11-20", "2026-11-20T12:00:00+01:00"},
		{dutch, "2026-11-20T23:30:00+01:00", 23, "2026-11-20", "2026-11-21T00:00:00+01:00"},
		{dutch, "2026-03-29T03:00:00+02:00", 2, "2026-03-29", "2026-03-29T04:00:00+02:00"},
		{dutch, "2026-03-29T23:30:00+02:00", 22, "2026-03-29", "2026-03-30T00:00:00+02:00"},
		{dutch, "2026-10-25T02:30:00+01:00", 3, "2026-10-25", "2026-10-25T03:00:00+01:00"},
		{dutch, "2026-10-25T23:30:00+01:00", 24, "2026-10-25", "2026-10-26T00:00:00+01:00"},
		// Where the clock changes by half an hour, the last hour lasts until midnight.
		{"Australia/Lord_Howe", "2026-04-05T23:10:00+10:30", 23, "2026-04-05", "2026-04-06T00:00:00+10:30"},
		{"Australia/Lord_Howe", "2026-04-05T23:40:00+10:30", 23, "2026-04-05", "2026-04-06T00:00:00+10:30"},
		{"Australia/Lord_Howe", "2026-10-04T22:40:00+11:00", 22, "2026-10-04", "2026-10-05T00:00:00+11:00"},
	} {
		loc, err := time.LoadLocation(c.zone)
		require.NoError(t, err)
		at, err := time.Parse(time.RFC3339, c.at)
		require.NoError(t, err)
		s, until := hourAt(loc, at.UnixMilli())
		assert.Equal(t, []any{c.hour, c.on, c.until}, []any{s.hour, s.day.String(), time.UnixMilli(until).In(loc).Format(time.RFC3339)}, c.at)
	}
}
