package energy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text  string
		shift int
		want  Amount
		ok    bool
	}{
		{"1", 0, One, true}, {"0.5", 0, One / 2, true}, {".5", 0, One / 2, true}, {"0", 3, 0, true}, {"-0", 0, 0, true},
		{"196", -3, 196 * One / 1000, true},
		{"1.5", 3, 1500 * One, true}, {"-2", 0, -2 * One, true}, {"0.000000001", 0, 1, true}, {"0.0000000010", 0, 1, true}, {"1", -9, 1, true},
		{"10", -10, 1, true},
		{"0.0000000001", 0, 0, false}, {"1", -10, 0, false}, {"5.", 0, 0, false}, {"", 0, 0, false}, {"-", 0, 0, false}, {"1e3", 0, 0, false},
		{"1,5", 0, 0, false},
		{"999999999", 0, 999999999 * One, true}, {"9999999999", 0, 0, false}, {"1", 12, 0, false}, {"1", 40, 0, false}, {"1.2.3", 0, 0, false},
	} {
		got, ok := Parse(c.text, '.', c.shift)
		require.Equal(t, c.ok, ok, c)
		if ok {
			require.Equal(t, c.want, got, c)
		}
	}
	got, ok := Parse("1,25", ',', 0)
	require.True(t, ok)
	require.Equal(t, One*5/4, got)
}

func TestClock(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Brussels")
	require.NoError(t, err)
	for name, times := range map[string][]string{"in order": {"02:00", "02:15", "02:00", "02:15"},
		"side by side": {"02:00", "02:00", "02:15", "02:15"}} {
		c := Clock{Zone: zone}
		seen := map[string]string{}
		for _, text := range times {
			local, err := time.Parse("2006-01-02 15:04", "2024-10-27 "+text)
			require.NoError(t, err)
			at, ok := c.At(local, "meter")
			require.True(t, ok)
			seen[at.Format("15:04-07:00")] = text
		}
		require.Equal(t, map[string]string{"02:00+02:00": "02:00", "02:00+01:00": "02:00", "02:15+02:00": "02:15", "02:15+01:00": "02:15"}, seen,
			name)
		local, _ := time.Parse("2006-01-02 15:04", "2024-10-27 02:00")
		_, ok := c.At(local, "meter")
		require.False(t, ok, "a third time")
		at, ok := c.At(local, "other")
		require.True(t, ok)
		require.Equal(t, "+02:00", at.Format("-07:00"))
	}
}
