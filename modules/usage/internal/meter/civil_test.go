package meter

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
)

func TestParseInstant(t *testing.T) {
	loc := amsterdam(t)
	for text, want := range map[string]string{
		"2024-01-01T00:00:00+01:00": "2023-12-31T23:00:00Z",
		"2024-10-27T02:00:00+02:00": "2024-10-27T00:00:00Z",
		"2024-10-27T02:00:00+01:00": "2024-10-27T01:00:00Z",
		"2024-10-27T01:00:00":       "2024-10-26T23:00:00Z",
		"2024-10-27T03:00":          "2024-10-27T02:00:00Z",
		"2024-03-31 01:45:00":       "2024-03-31T00:45:00Z",
		"2024-03-31 03:00":          "2024-03-31T01:00:00Z",
		"2024-07-01T12:00:00":       "2024-07-01T10:00:00Z",
	} {
		at, code := ParseInstant(text, loc)
		assert.Empty(t, code, text)
		assert.Equal(t, want, at.UTC().Format(time.RFC3339), text)
	}
	for text, want := range map[string]string{
		"2024-10-27T02:00:00": codeOffset, "2024-10-27 02:59": codeOffset, "2024-03-31T02:00:00": codeNoSuchTime,
		"2024-03-31 02:30": codeNoSuchTime,
		"27-10-2024 02:00": CodeTime, "": CodeTime, "2024-02-30T00:00:00": CodeTime, "2024-10-27T25:00:00Z": CodeTime,
	} {
		_, code := ParseInstant(text, loc)
		assert.Equal(t, want, code, text)
	}
}

func amsterdam(t testing.TB) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	return loc
}

func day(s string) value.Day {
	d, err := value.ParseDay(s)
	if err != nil {
		panic(err)
	}
	return d
}

func TestPeriods(t *testing.T) {
	loc := amsterdam(t)
	for _, c := range []struct {
		period         Period
		from, to       string
		begin, end     string
		count          int
		first, lastDay string
	}{
		{Hourly, "2024-03-31", "2024-04-01", "2024-03-31", "2024-04-01", 23, "2024-03-31T00:00:00+01:00", "2024-03-31"},
		{Hourly, "2024-10-27", "2024-10-28", "2024-10-27", "2024-10-28", 25, "2024-10-27T00:00:00+02:00", "2024-10-27"},
		{Daily, "2024-10-01", "2024-11-01", "2024-10-01", "2024-11-01", 31, "2024-10-01T00:00:00+02:00", "2024-10-31"},
		{Weekly, "2024-10-02", "2024-10-15", "2024-09-30", "2024-10-21", 3, "2024-09-30T00:00:00+02:00", "2024-10-14"},
		{Weekly, "2024-10-07", "2024-10-14", "2024-10-07", "2024-10-14", 1, "2024-10-07T00:00:00+02:00", "2024-10-07"},
		{Monthly, "2024-01-15", "2024-12-02", "2024-01-01", "2025-01-01", 12, "2024-01-01T00:00:00+01:00", "2024-12-01"},
		{Yearly, "2023-05-01", "2025-01-01", "2023-01-01", "2025-01-01", 2, "2023-01-01T00:00:00+01:00", "2024-01-01"},
	} {
		s := Align(c.period, day(c.from), day(c.to))
		assert.Equal(t, Span{From: day(c.begin), Until: day(c.end)}, s, "%v", c)
		p := PeriodStarts(c.period, s, loc)
		require.Len(t, p, c.count, "%v", c)
		assert.Equal(t, c.first, p[0].At.Format(time.RFC3339))
		assert.Equal(t, day(c.lastDay), p[len(p)-1].Day)
	}
}
