package reading

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

func TestFillGaps(t *testing.T) {
	from := day("2026-05-01")
	supply := meter.Span{From: day("2026-01-01")}
	use := func(n int, normal float64) meter.Quantity {
		return meter.Quantity{From: from.AddDays(n), Until: from.AddDays(n + 1), Amounts: meter.Amounts{Normal: kwh(normal)}}
	}
	read := func(n int, meter string, normal float64) Stored {
		return Stored{Day: from.AddDays(n), MeterNumber: meter, Normal: kwh(normal)}
	}
	all := meter.Span{From: from, Until: from.AddDays(6)}
	shown := func(in []meter.Quantity) (out []string) {
		for _, q := range in {
			out = append(out, q.From.String()[8:]+".."+q.Until.String()[8:]+" "+q.Normal.String())
		}
		return out
	}
	partial := use(3, 1)
	partial.Partial = true
	t.Run("9-usage-euro-gap", func(t *testing.T) {
		measured := []meter.Quantity{use(0, 1), use(1, 2), use(2, 1), partial, use(5, 3)}
		complete := []Stored{read(0, "M", 100), read(6, "M", 117)}
		assert.Equal(t, []string{"01..02 1.000", "02..03 2.000", "03..04 1.000", "04..06 10.000", "06..07 3.000"},
			shown(FillGaps(slices.Clone(measured), complete, supply, all, meter.Electricity)))
		apart := []meter.Quantity{use(0, 1), use(2, 1), use(4, 2), use(5, 3)}
		assert.Equal(t, []string{"01..02 1.000", "02..05 12.000", "05..06 2.000", "06..07 3.000"},
			shown(FillGaps(slices.Clone(apart), append(complete[:1:1], read(6, "M", 118)), supply, all, meter.Electricity)),
			"with the day in between")
		same := func(readings []Stored, supply, fits meter.Span, why string) {
			t.Helper()
			assert.Equal(t, shown(measured), shown(FillGaps(slices.Clone(measured), readings, supply, fits, meter.Electricity)), why)
		}
		same(complete[:1], supply, all, "no reading after it")
		same([]Stored{read(0, "M", 100), read(6, "N", 117)}, supply, all, "another meter")
		same([]Stored{read(0, "M", 100), read(6, "M", 106.5)}, supply, all, "less than was measured on the complete days")
		same(complete, meter.Span{From: from.AddDays(1)}, all, "read before the supply")
		same(complete, supply, meter.Span{From: from, Until: from.AddDays(4)}, "more days than were asked for")
		withFeedin := slices.Clone(measured)
		withFeedin[0].FeedinNormal = kwh(1)
		assert.Equal(t, shown(measured), shown(FillGaps(withFeedin, complete, supply, all, meter.Electricity)),
			"feed-in that the readings do not have")
	})
}
