package series

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
	"github.com/wattle-portal/wattle/modules/usage/internal/reading"
)

func newReading(d, meter string, normal, low meter.Amount) reading.Stored {
	return reading.Stored{EANCode: metertest.Power.EANCode, Day: day(d), MeterNumber: meter, Normal: &normal, Low: &low}
}

func TestSeriesByReadings(t *testing.T) {
	loc := metertest.Amsterdam(t)
	all := []reading.Stored{newReading("2025-11-01", "E1", 0, 0), newReading("2025-12-01", "E1", 100_000, 50_000),
		newReading("2026-01-01", "E1", 250_000, 120_000),
		newReading("2026-03-01", "E1", 600_000, 300_000), newReading("2026-04-01", "E1", 700_000, 360_000),
		newReading("2026-05-01", "E1", 800_000, 400_000)}
	chart := func(p meter.Period, from, to string, t meter.Span) Series {
		s := New(metertest.Power, p, meter.Align(p, day(from), day(to)), loc)
		s.FillFromReadings(all, t, loc)
		return s
	}
	shown := func(s Series) (out []string) {
		for _, p := range s.Points {
			text := p.Day.String()
			if p.Consumption != nil {
				text += " " + p.Consumption.String()
			}
			if p.Partial {
				text += " partial"
			}
			if p.Missing {
				text += " missing"
			}
			out = append(out, text)
		}
		return out
	}
	always := meter.Span{From: day("2020-01-01")}
	t.Run("9-usage-month-readings", func(t *testing.T) {
		s := chart(meter.Monthly, "2025-12-01", "2026-06-01", always)
		assert.Equal(t, []string{"2025-12-01 220.000", "2026-01-01 missing", "2026-02-01 missing", "2026-03-01 160.000", "2026-04-01 140.000",
			"2026-05-01 missing"}, shown(s), "a month without both readings is a gap: the difference is not spread over January and February")
		assert.False(t, s.Complete)
		assert.Equal(t, wh(520_000), s.Total.Consumption)
		assert.Equal(t, []string{"2025-01-01 370.000 partial", "2026-01-01 300.000 partial"},
			shown(chart(meter.Yearly, "2025-01-01", "2027-01-01", always)),
			"a year without both is what its months have")
		all = append([]reading.Stored{newReading("2025-01-01", "E0", 0, 0), newReading("2025-11-01", "E0", 900_000, 100_000)}, all...)
		assert.Equal(t, []string{"2025-01-01 1370.000"}, shown(chart(meter.Yearly, "2025-01-01", "2026-01-01", always)),
			"across a replaced meter")
	})
	t.Run("9-usage-month-readings", func(t *testing.T) { // usage outside the agreement does not count
		s := chart(meter.Monthly, "2025-11-01", "2026-05-01",
			meter.Span{From: day("2025-12-01"), Gaps: []meter.Span{{From: day("2026-03-10"), Until: day("2026-03-20")}}})
		assert.Equal(t, []string{"2025-11-01 missing", "2025-12-01 220.000", "2026-01-01 missing", "2026-02-01 missing", "2026-03-01 missing",
			"2026-04-01 140.000"}, shown(s))
		assert.Equal(t, []string{"2025-01-01 220.000 partial"},
			shown(chart(meter.Yearly, "2025-01-01", "2026-01-01", meter.Span{From: day("2025-12-01")})))
		assert.Equal(t, []string{"2026-04-01 missing"},
			shown(chart(meter.Monthly, "2026-04-01", "2026-05-01", meter.Span{From: day("2025-12-01"), Until: day("2026-04-30")})))
	})
	t.Run("daily readings of ten years", func(t *testing.T) {
		var daily []reading.Stored
		for d, n := day("2016-01-01"), meter.Amount(0); d.Before(day("2026-01-01")); d, n = d.AddDays(1), n+1000 {
			daily = append(daily, newReading(d.String(), "E1", n, n))
		}
		s := New(metertest.Power, meter.Yearly, meter.Align(meter.Yearly, day("2016-01-01"), day("2026-01-01")), loc)
		s.FillFromReadings(daily, meter.Span{From: day("2010-01-01")}, loc)
		require.Len(t, s.Points, 10)
		assert.Equal(t, wh(2*366*1000), s.Points[0].Consumption)
	})
}
