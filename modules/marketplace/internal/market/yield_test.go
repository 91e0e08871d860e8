package market

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestYieldOfAShare(t *testing.T) {
	year := func(kwh ...float64) (months []*float64) {
		for _, k := range kwh {
			months = append(months, &k)
		}
		return months
	}
	full := year(100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100.5)
	t.Run("9-offer-project", func(t *testing.T) {
		assert.Equal(t, &ShareYield{2025, 12}, yieldOf(2025, full, 100))
		assert.Equal(t, &ShareYield{2025, 400.2}, yieldOf(2025, full, 3), "rounded to one decimal, once")
		assert.Nil(t, yieldOf(2025, full, 0), "nobody has shares")
		assert.Nil(t, yieldOf(2025, append(year(), append(full[:11:11], nil)...), 100), "a month was not measured")
		assert.Nil(t, yieldOf(2025, full[:11], 100))
		assert.Nil(t, yieldOf(2025, nil, 100), "not measured at all")
	})
	t.Run("it is kept for an hour, by label and project", func(t *testing.T) {
		var y yields
		now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
		y.put("a", &ShareYield{2025, 3}, now.Add(yieldLife))
		y.put("none", nil, now.Add(yieldLife))
		got, ok := y.get("a", now.Add(yieldLife-time.Second))
		assert.True(t, ok)
		assert.Equal(t, &ShareYield{2025, 3}, got)
		_, ok = y.get("a", now.Add(yieldLife))
		assert.False(t, ok)
		_, ok = y.get("b", now)
		assert.False(t, ok)
		got, ok = y.get("none", now)
		assert.True(t, ok, "that nothing is known is known too")
		assert.Nil(t, got)
	})
}
