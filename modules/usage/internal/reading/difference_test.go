package reading

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

// vectors runs the cases of schemas/rules/<row>.json.
func vectors[G any](t *testing.T, row string, check func(input G) []string) {
	t.Helper()
	t.Run(row, func(t *testing.T) {
		moduletest.RunCases(t, "../../../../schemas/rules/"+row+".json", func(input G, _ value.Day, _ struct{}) []string {
			return append([]string{}, check(input)...)
		})
	})
}

func TestDifferences(t *testing.T) {
	type reading struct {
		Day          value.Day
		Meter        string
		Normal       *meter.Amount
		Low          *meter.Amount
		FeedinNormal *meter.Amount `json:"feedin_normal"`
	}
	type period struct {
		Commodity meter.Commodity
		From, To  value.Day
		Readings  []reading
	}
	vectors(t, "9-usage-month-readings", func(p period) []string {
		var all []Stored
		for _, r := range p.Readings {
			all = append(all, Stored{Day: r.Day, MeterNumber: r.Meter, Normal: r.Normal, Low: r.Low, FeedinNormal: r.FeedinNormal})
		}
		a, ok := Between(all, meter.Span{From: p.From, Until: p.To}, p.Commodity)
		if !ok {
			return nil
		}
		return []string{a.Consumption.String()}
	})
	type spacing struct {
		Ended    bool
		Readings []string
	}
	named := func(all []Stored) (names []string) {
		for _, r := range all {
			names = append(names, r.Day.String()+" "+r.MeterNumber)
		}
		return names
	}
	vectors(t, "9-usage-readings-spaced", func(s spacing) []string {
		var all []Stored
		for _, r := range s.Readings {
			d, meter, _ := strings.Cut(r, " ")
			all = append(all, newReading(d, meter, 0, 0))
		}
		slices.SortStableFunc(all, func(a, b Stored) int { return a.Day.DaysSince(b.Day) })
		return named(ThinOut(all, s.Ended))
	})
	t.Run("9-usage-readings-spaced", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			var all []Stored
			for d := day("2026-01-20"); d.Before(day("2026-04-10")); d = d.AddDays(1) {
				for _, meter := range []string{"E1", "E2"} {
					if rapid.IntRange(0, 3).Draw(t, "read") > 0 {
						all = append(all, newReading(d.String(), meter, 0, 0))
					}
				}
			}
			last := map[string]value.Day{}
			for _, r := range ThinOut(all, rapid.Bool().Draw(t, "ended")) {
				if before, ok := last[r.MeterNumber]; ok && r.Day.DaysSince(before) <= 1 {
					t.Fatalf("%s was read on %s and on the day before", r.MeterNumber, r.Day)
				}
				last[r.MeterNumber] = r.Day
			}
		})
	})
}
