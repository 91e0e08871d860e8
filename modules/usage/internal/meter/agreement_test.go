package meter

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamedAndSupplies(t *testing.T) {
	var a Agreement
	a.Identifier, a.WithSequence = "A", "A-1"
	assert.Equal(t, []bool{true, true, false, false}, []bool{a.HasID("A"), a.HasID("A-1"), a.HasID("B"), a.HasID("")})
	assert.False(t, Agreement{}.HasID(""), "an empty id matches no agreement")
	assert.False(t, a.supplies("e"))
	a.EANs = []string{"d", "e"}
	assert.Equal(t, []bool{true, true, false}, []bool{a.supplies("d"), a.supplies("e"), a.supplies("f")})
}

func TestSupplied(t *testing.T) {
	agreement := func(id, from, to string) Agreement {
		a := Agreement{Identifier: id, WithSequence: id + "-1", From: day(from)}
		if to != "" {
			a.To = day(to)
		}
		return a
	}
	c := Connection{EANCode: "1", AgreementIdentifier: "A1", Delivery: map[string]bool{"A2-1": false}}
	all := []Agreement{agreement("A1", "2025-01-01", ""), agreement("A2", "2023-01-01", "2024-12-31"), agreement("B", "2010-01-01", "")}
	s, ok := SupplySpan(c, all)
	assert.True(t, ok)
	assert.Equal(t, Span{From: day("2023-01-01")}, s)
	s, _ = SupplySpan(c, all[1:])
	assert.Equal(t, Span{From: day("2023-01-01"), Until: day("2025-01-01")}, s, "until the day after the last")
	_, ok = SupplySpan(c, all[2:])
	assert.False(t, ok, "the agreement of another relation gives no access")
	t.Run("the gap between two agreements belongs to another household", func(t *testing.T) {
		s, ok := SupplySpan(c, []Agreement{agreement("A1", "2025-06-01", ""), agreement("A2", "2023-01-01", "2023-12-31"),
			agreement("A2", "2023-06-01", "2024-02-29")})
		assert.True(t, ok)
		assert.Equal(t, Span{From: day("2023-01-01"), Gaps: []Span{{From: day("2024-03-01"), Until: day("2025-06-01")}}}, s)
		for d, foreign := range map[string]bool{"2023-12-31": false, "2024-02-29": false, "2024-03-01": true, "2025-05-31": true,
			"2025-06-01": false} {
			assert.Equal(t, foreign, s.IsInGap(day(d)), d)
		}
	})
	never := all[0]
	never.Status = Cancelled
	assert.Equal(t, Span{From: maxDay, Until: maxDay}, SupplySpanOrEmpty(c, []Agreement{never}))
}
