package production

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/marketplace/marketplaceapi"
)

func TestYield(t *testing.T) {
	d := func(text string) value.Day { return day(t, text) }
	from := func(text string, own, all int64) marketplaceapi.SharesFrom {
		return marketplaceapi.SharesFrom{FromDate: d(text), Own: own, All: all}
	}
	num := func(x *float64) any {
		if x == nil {
			return nil
		}
		return *x
	}
	cents := func(x *value.Cents) any {
		if x == nil {
			return nil
		}
		return int(*x)
	}
	made := func(wh map[string]int64) (out []dayRow) {
		for _, text := range slices.Sorted(maps.Keys(wh)) {
			out = append(out, dayRow{Day: d(text), Total: wh[text]})
		}
		return out
	}
	owned := shares{from("2025-01-01", 10, 100), from("2026-06-01", 25, 100)}
	days := made(map[string]int64{"2024-12-31": 7_000_000, "2025-01-01": 100_000, "2025-11-19": 50_000, "2025-11-20": 30_000,
		"2025-12-31": 20_000, "2026-01-01": 200_000, "2026-05-31": 10_000, "2026-06-01": 10_000, "2026-11-19": 4_000, "2026-11-20": 2_000})
	prices := sorted([]YieldPrice{{d("2026-01-01"), 0.2}, {d("2025-01-01"), 0.1}})
	t.Run("9-yields", func(t *testing.T) {
		t.Run("a year and the year before", func(t *testing.T) {
			y := yieldOf("W", owned, days, d("2026-11-20"), prices)
			assert.Equal(t, []any{0.5, 25.0, 20.0, 24.5, 15.0}, []any{num(y.Today), num(y.Year), num(y.LastYear), num(y.SoFar), num(y.SameDays)},
				"each day with the shares of that day")
			assert.Equal(t, []any{500, 200}, []any{cents(y.YearValue), cents(y.LastValue)})
		})
		t.Run("without prices of every day with production there is no value", func(t *testing.T) {
			y := yieldOf("W", owned, days, d("2026-11-20"), nil)
			assert.Equal(t, []any{nil, nil}, []any{cents(y.YearValue), cents(y.LastValue)})
			y = yieldOf("W", owned, days, d("2026-11-20"), sorted([]YieldPrice{{d("2025-02-01"), 0.1}}))
			assert.Equal(t, []any{250, nil}, []any{cents(y.YearValue), cents(y.LastValue)})
			y = yieldOf("W", owned, made(map[string]int64{"2025-01-01": 0, "2025-03-01": 1_000}), d("2026-11-20"),
				sorted([]YieldPrice{{d("2025-02-01"), 0.1}}))
			assert.Equal(t, []any{nil, 1}, []any{cents(y.YearValue), cents(y.LastValue)}, "a day without production needs no price")
		})
		t.Run("nothing measured, or nobody had shares", func(t *testing.T) {
			y := yieldOf("W", owned, nil, d("2026-11-20"), prices)
			assert.Equal(t, Yield{Code: "W"}, y)
			y = yieldOf("W", shares{from("2026-06-01", 1, 2)}, days, d("2026-11-20"), prices)
			assert.Equal(t, []any{nil, 8.0}, []any{num(y.LastYear), num(y.Year)})
		})
		t.Run("the same days", func(t *testing.T) {
			y := yieldOf("W", owned, days, d("2026-01-01"), nil)
			assert.Equal(t, []any{nil, nil}, []any{num(y.SoFar), num(y.SameDays)}, "no day of the year is over")
			leap := shares{from("2023-01-01", 1, 1)}
			y = yieldOf("W", leap, made(map[string]int64{"2023-12-31": 3_000, "2024-12-30": 1_000, "2024-12-31": 5_000}), d("2024-12-31"), nil)
			assert.Equal(t, []any{1.0, 3.0}, []any{num(y.SoFar), num(y.SameDays)})
		})
	})
}
