package history

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

var day, wh = metertest.Day, metertest.Wh

func TestPartialMonths(t *testing.T) {
	var days []interval.Totals
	for n := range 30 {
		v := meter.Amount(1)
		days = append(days, interval.Totals{Day: day("2026-11-01").AddDays(n), Counts: interval.Counts{Normal: &v}})
	}
	assert.False(t, Months(days)[0].Partial)
	days[3].Missing = 2
	assert.True(t, Months(days)[0].Partial, "hours of a day are missing")
	days[3].Missing = 0
	assert.True(t, Months(days[1:])[0].Partial, "a day is missing")
}

func TestMonths(t *testing.T) {
	var days []interval.Totals
	for d := day("2026-01-01"); d.Before(day("2026-03-02")); d = d.AddDays(1) {
		p := interval.NewProfile(interval.DaySeconds, 1)
		p.Set(interval.Gas, 0, 1000)
		if d != day("2026-02-10") {
			days = append(days, interval.Totals{Day: d, Counts: p.Counts()})
		}
	}
	assert.Equal(t, []Month{{"2026-01", meter.Amounts{Consumption: wh(31000)}, false},
		{"2026-02", meter.Amounts{Consumption: wh(27000)}, true},
		{"2026-03", meter.Amounts{Consumption: wh(1000)}, true}}, Months(days))
	assert.Equal(t, []Month{}, Months(nil))
}
