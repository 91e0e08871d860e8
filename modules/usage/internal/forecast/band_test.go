package forecast

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

// pairsOf returns pairs of days with their usage in kWh this year and a year before.
func pairsOf(now, then []float64) (out []pair) {
	for i := range now {
		day := func(kWh float64) meter.Quantity {
			return meter.Quantity{Amounts: meter.Amounts{Normal: metertest.KWh(kWh)}}
		}
		out = append(out, pair{day(now[i]), day(then[i])})
	}
	return out
}

// The band is the maximum error of four out of five forecasts for as many days, each made from the days before it. The expected values were
// calculated by hand.
func TestBand(t *testing.T) {
	tens := slices.Repeat([]float64{10}, 10)
	moved := []float64{10, 10, 10, 10, 10, 11, 20, 9, 9, 12}
	late := []float64{0, 0, 0, 0, 0, 0, 10, 10, 10, 10}
	t.Run("9-forecast-band", func(t *testing.T) {
		for _, c := range []struct {
			name         string
			now, then    []float64
			days         int
			factor, band *big.Rat
		}{
			{"a day: off by 1/10, 59/61, 2/9, 1/5 and 1/11", moved, tens, 1, big.NewRat(111, 100), big.NewRat(2, 9)},
			{"two days: off by 11/20, 26/61, 2/9 and 1/15", moved, tens, 2, big.NewRat(111, 100), big.NewRat(11, 20)},
			{"half of the days: the others are the only days before", moved, tens, 5, big.NewRat(111, 100), big.NewRat(11, 50)},
			{"more than half: as half", moved, tens, 30, big.NewRat(111, 100), big.NewRat(11, 50)},
			{"nothing is left to forecast", moved, tens, 0, big.NewRat(111, 100), new(big.Rat)},
			{"each day as last year", tens, tens, 3, big.NewRat(1, 1), new(big.Rat)},
			{"no forecast from days without usage: off by 0, 1/5 and 1/32", []float64{0, 0, 0, 0, 0, 0, 10, 10, 12, 11}, late, 1,
				big.NewRat(43, 40), big.NewRat(1, 5)},
			{"a day without a forecast: off by 1/2, 1/11 and 1/13", []float64{10, 10, 10, 10, 15, 0, 10, 10},
				[]float64{10, 10, 10, 10, 10, 0, 10, 10}, 1, big.NewRat(75, 70), big.NewRat(1, 2)},
			{"usage on a day that had none: off by 1/9, 1/11 and 1/13", []float64{10, 10, 10, 10, 5, 10, 10, 10},
				[]float64{10, 10, 10, 10, 0, 10, 10, 10}, 1, big.NewRat(75, 70), big.NewRat(1, 9)},
			{"never more than all", []float64{1, 1, 1, 9}, []float64{1, 1, 1, 1}, 1, big.NewRat(3, 1), big.NewRat(1, 1)},
			{"none now, and none then", []float64{0, 0, 0}, []float64{0, 0, 0}, 1, big.NewRat(1, 1), new(big.Rat)},
		} {
			r := direction{}
			assert.True(t, r.compare(pairsOf(c.now, c.then), c.days), c.name)
			assert.Equal(t, c.factor.RatString(), r.factor.RatString(), c.name)
			assert.Equal(t, c.band.RatString(), r.band.RatString(), c.name)
		}
		// Of 26 forecasts, each made from at least fourteen earlier days, 21 were off by at most 100/120.
		now := slices.Repeat([]float64{10}, 40)
		now[13], now[14] = 1000, 20
		r := direction{}
		assert.True(t, r.compare(pairsOf(now, slices.Repeat([]float64{10}, 40)), 1))
		assert.Equal(t, "5/6", r.band.RatString())
	})
	t.Run("9-forecast-none", func(t *testing.T) {
		r := direction{}
		assert.False(t, r.compare(pairsOf([]float64{0, 0, 1}, []float64{0, 0, 0}), 1), "usage now, and none then")
		r = direction{isFeedin: true}
		assert.True(t, r.compare(pairsOf([]float64{1, 2}, []float64{0, 1}), 1), "usage is not feed-in")
		assert.Equal(t, "1", r.factor.RatString())
	})
}

// This year is compared day by day. At its beginning, the last days of the previous year are added, up to 28 days in total.
func TestComparedYears(t *testing.T) {
	first := metertest.Day("2025-03-01")
	measured := map[value.Day]meter.Quantity{}
	for d := first; d.Before(metertest.Day("2027-06-01")); d = d.AddDays(1) {
		measured[d] = meter.Quantity{From: d, Until: d.AddDays(1)}
	}
	delete(measured, metertest.Day("2026-12-24"))
	delete(measured, metertest.Day("2026-02-10"))
	t.Run("9-forecast-month", func(t *testing.T) {
		for _, c := range []struct {
			until, first, last string
			days               int
		}{
			{"2027-01-01", "2026-03-01", "2026-12-31", 305}, // from 1 March, without the two days that were not measured
			{"2027-01-06", "2026-12-08", "2027-01-05", 28},
			{"2027-01-28", "2026-12-31", "2027-01-27", 28},
			{"2027-01-29", "2027-01-01", "2027-01-28", 28},
			{"2027-01-30", "2027-01-01", "2027-01-29", 29},
			{"2027-02-20", "2027-01-01", "2027-02-19", 49}, // last year's 10 February was not measured
			{"2026-03-05", "2026-03-01", "2026-03-04", 4},  // the previous year has no other measured days
		} {
			pairs := comparedYears(measured, first, metertest.Day(c.until))
			if !assert.Len(t, pairs, c.days, c.until) {
				continue
			}
			assert.Equal(t, c.first, pairs[0].now.From.String(), c.until)
			assert.Equal(t, c.last, pairs[len(pairs)-1].now.From.String(), c.until)
			for _, p := range pairs {
				assert.Equal(t, p.now.From.AddMonths(-12), p.then.From, c.until)
			}
		}
	})
}
