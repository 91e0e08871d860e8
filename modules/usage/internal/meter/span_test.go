package meter

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// spanOf returns the days between from and until (exclusive); an empty until means no end.
func spanOf(from, until string) Span {
	s := Span{From: day(from)}
	if until != "" {
		s.Until = day(until)
	}
	return s
}

func TestSpanWithin(t *testing.T) {
	for _, c := range []struct{ span, other, want Span }{
		{spanOf("2026-01-01", ""), spanOf("2026-02-01", "2026-03-01"), spanOf("2026-02-01", "2026-03-01")},
		{spanOf("2026-02-10", "2026-02-20"), spanOf("2026-02-01", "2026-03-01"), spanOf("2026-02-10", "2026-02-20")},
		{spanOf("2026-01-01", "2026-04-01"), spanOf("2026-02-01", "2026-03-01"), spanOf("2026-02-01", "2026-03-01")},
		{spanOf("2026-01-01", "2026-04-01"), spanOf("2026-02-01", ""), spanOf("2026-02-01", "2026-04-01")},
		{spanOf("2026-01-01", ""), spanOf("2026-02-01", ""), spanOf("2026-02-01", "")},
	} {
		assert.Equal(t, c.want, c.span.Within(c.other), "%v within %v", c.span, c.other)
	}
}

func TestSpanContains(t *testing.T) {
	s := spanOf("2026-01-01", "2026-07-01")
	s.Gaps = []Span{spanOf("2026-03-01", "2026-04-01")}
	for days, want := range map[[2]string]bool{
		{"2026-01-01", "2026-03-01"}: true, {"2026-04-01", "2026-07-01"}: true,
		{"2025-12-31", "2026-02-01"}: false, {"2026-06-01", "2026-07-02"}: false,
		{"2026-02-01", "2026-03-02"}: false, {"2026-03-31", "2026-04-02"}: false,
		{"2026-03-10", "2026-03-11"}: false, {"2026-02-01", "2026-05-01"}: false,
	} {
		assert.Equal(t, want, s.Contains(spanOf(days[0], days[1])), "%v", days)
	}
	assert.True(t, spanOf("2026-01-01", "").Contains(spanOf("2030-01-01", "2031-01-01")), "no end")
	assert.Equal(t, maxDay, spanOf("2026-01-01", "").End())
	assert.Equal(t, 59, spanOf("2026-01-01", "2026-03-01").Days())
	assert.Equal(t, day("2026-02-01"), Later(day("2026-01-01"), day("2026-02-01")))
	assert.Equal(t, day("2026-02-01"), Later(day("2026-02-01"), day("2026-01-01")))
}
