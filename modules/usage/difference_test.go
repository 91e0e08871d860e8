package usage

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/value"
)

func TestDifferences(t *testing.T) {
	type reading struct {
		Day          value.Day
		Meter        string
		Normal       *Amount
		Low          *Amount
		FeedinNormal *Amount `json:"feedin_normal"`
	}
	type period struct {
		Commodity Commodity
		From, To  value.Day
		Readings  []reading
	}
	vectors(t, "9-usage-month-readings", func(p period, _ value.Day, _ Settings) []string {
		var all []storedReading
		for _, r := range p.Readings {
			all = append(all, storedReading{Day: r.Day, MeterNumber: r.Meter, Normal: r.Normal, Low: r.Low, FeedinNormal: r.FeedinNormal})
		}
		a, ok := usageBetween(all, span{from: p.From, until: p.To}, p.Commodity)
		if !ok {
			return nil
		}
		return []string{a.Consumption.String()}
	})
	type spacing struct {
		Ended    bool
		Readings []string
	}
	named := func(all []storedReading) (names []string) {
		for _, r := range all {
			names = append(names, r.Day.String()+" "+r.MeterNumber)
		}
		return names
	}
	vectors(t, "9-usage-readings-spaced", func(s spacing, _ value.Day, _ Settings) []string {
		var all []storedReading
		for _, r := range s.Readings {
			d, meter, _ := strings.Cut(r, " ")
			all = append(all, newReading(d, meter, 0, 0))
		}
		slices.SortStableFunc(all, func(a, b storedReading) int { return a.Day.DaysSince(b.Day) })
		return named(spacedReadings(all, s.Ended))
	})
	t.Run("9-usage-readings-spaced", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			var all []storedReading
			for d := day("2026-01-20"); d.Before(day("2026-04-10")); d = d.AddDays(1) {
				for _, meter := range []string{"E1", "E2"} {
					if rapid.IntRange(0, 3).Draw(t, "read") > 0 {
						all = append(all, newReading(d.String(), meter, 0, 0))
					}
				}
			}
			last := map[string]value.Day{}
			for _, r := range spacedReadings(all, rapid.Bool().Draw(t, "ended")) {
				if before, ok := last[r.MeterNumber]; ok && r.Day.DaysSince(before) <= 1 {
					t.Fatalf("%s was read on %s and on the day before", r.MeterNumber, r.Day)
				}
				last[r.MeterNumber] = r.Day
			}
		})
	})
}

func TestSeriesByReadings(t *testing.T) {
	loc := amsterdam(t)
	all := []storedReading{newReading("2025-11-01", "E1", 0, 0), newReading("2025-12-01", "E1", 100_000, 50_000), newReading("2026-01-01", "E1", 250_000, 120_000),
		newReading("2026-03-01", "E1", 600_000, 300_000), newReading("2026-04-01", "E1", 700_000, 360_000), newReading("2026-05-01", "E1", 800_000, 400_000)}
	chart := func(p Period, from, to string, t span) Series {
		s := newSeries(power, p, align(p, day(from), day(to)), loc)
		s.fillFromReadings(all, t, loc)
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
	always := span{from: day("2020-01-01")}
	t.Run("9-usage-month-readings", func(t *testing.T) {
		s := chart(Monthly, "2025-12-01", "2026-06-01", always)
		assert.Equal(t, []string{"2025-12-01 220.000", "2026-01-01 missing", "2026-02-01 missing", "2026-03-01 160.000", "2026-04-01 140.000",
			"2026-05-01 missing"}, shown(s), "a month without both readings is a gap: the difference is not spread over January and February")
		assert.False(t, s.Complete)
		assert.Equal(t, kWh(520_000), s.Total.Consumption)
		assert.Equal(t, []string{"2025-01-01 370.000 partial", "2026-01-01 300.000 partial"}, shown(chart(Yearly, "2025-01-01", "2027-01-01", always)),
			"a year without both is what its months have")
		all = append([]storedReading{newReading("2025-01-01", "E0", 0, 0), newReading("2025-11-01", "E0", 900_000, 100_000)}, all...)
		assert.Equal(t, []string{"2025-01-01 1370.000"}, shown(chart(Yearly, "2025-01-01", "2026-01-01", always)), "across a replaced meter")
	})
	t.Run("the usage of another household is left out", func(t *testing.T) {
		s := chart(Monthly, "2025-11-01", "2026-05-01", span{from: day("2025-12-01"), gaps: []span{{from: day("2026-03-10"), until: day("2026-03-20")}}})
		assert.Equal(t, []string{"2025-11-01 missing", "2025-12-01 220.000", "2026-01-01 missing", "2026-02-01 missing", "2026-03-01 missing",
			"2026-04-01 140.000"}, shown(s))
		assert.Equal(t, []string{"2025-01-01 220.000 partial"}, shown(chart(Yearly, "2025-01-01", "2026-01-01", span{from: day("2025-12-01")})))
		assert.Equal(t, []string{"2026-04-01 missing"}, shown(chart(Monthly, "2026-04-01", "2026-05-01", span{from: day("2025-12-01"), until: day("2026-04-30")})))
	})
	t.Run("daily readings of ten years", func(t *testing.T) {
		var daily []storedReading
		for d, n := day("2016-01-01"), Amount(0); d.Before(day("2026-01-01")); d, n = d.AddDays(1), n+1000 {
			daily = append(daily, newReading(d.String(), "E1", n, n))
		}
		s := newSeries(power, Yearly, align(Yearly, day("2016-01-01"), day("2026-01-01")), loc)
		s.fillFromReadings(daily, span{from: day("2010-01-01")}, loc)
		require.Len(t, s.Points, 10)
		assert.Equal(t, kWh(2*366*1000), s.Points[0].Consumption)
	})
}
