package series

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/reading"
)

func TestWithheldMonth(t *testing.T) {
	m := NewComparison(day("2026-11-20"), nil)
	assert.Equal(t, meter.Electricity, m.Commodity, "without connections")
	m.AddWithheld(nil, false)
	assert.Nil(t, m.Reading)
	assert.False(t, m.ConsentNeeded)
	on := func(d string) []reading.Reading {
		return []reading.Reading{{MeasurementDate: day(d)}, {MeasurementDate: day("2026-01-01")}}
	}
	m.AddWithheld(on("2026-10-01"), true)
	m.AddWithheld(on("2026-11-01"), false)
	m.AddWithheld(on("2026-09-01"), false)
	assert.True(t, m.ConsentNeeded, "stays true")
	assert.Equal(t, day("2026-11-01"), m.Reading.MeasurementDate, "the last reading of all connections")
}

// A comparison requires three quarters of the measured days to be complete in both years.
func TestMinComparable(t *testing.T) {
	of := func(days, complete int) Summary {
		m := NewComparison(day("2026-11-20"), []meter.Connection{{Commodity: meter.Electricity}})
		var now, then []interval.Totals
		for n := range days {
			v, w := meter.Amount(10), meter.Amount(5)
			now = append(now, interval.Totals{Day: day("2026-11-01").AddDays(n), Counts: interval.Counts{Normal: &v}})
			if n < complete {
				then = append(then, interval.Totals{Day: day("2025-11-01").AddDays(n), Counts: interval.Counts{Normal: &w}})
			}
		}
		m.Add(now, then)
		return m.Result()
	}
	assert.Equal(t, wh(30), of(4, 3).SameDays, "three of four")
	assert.Nil(t, of(4, 2).SameDays)
	assert.Nil(t, of(0, 0).SameDays)
}

// Days with feed-in only are not compared.
func TestFeedInIsNotCompared(t *testing.T) {
	m := NewComparison(day("2026-11-20"), []meter.Connection{{Commodity: meter.Electricity}})
	m.Add([]interval.Totals{{Day: day("2026-11-01"), Counts: interval.Counts{Normal: wh(10)}}},
		[]interval.Totals{{Day: day("2025-11-01"), Counts: interval.Counts{FeedinNormal: wh(5)}}})
	s := m.Result()
	assert.Equal(t, wh(10), s.Consumption)
	assert.Nil(t, s.SameDays)
	assert.Nil(t, s.SameMonthLastYear)
}

func TestMonthly(t *testing.T) {
	c := []meter.Connection{{Commodity: meter.Gas}, {Commodity: meter.Electricity}}
	on := func(d string, wh meter.Amount) interval.Totals {
		return interval.Totals{Day: day(d), Counts: interval.Counts{Normal: &wh}}
	}
	m := NewComparison(day("2026-11-20"), c)
	assert.Equal(t, meter.Span{From: day("2025-11-01"), Until: day("2025-12-01")}, m.LastYear())
	half := on("2026-11-05", 8)
	half.Missing = 12
	m.Add([]interval.Totals{on("2026-11-01", 10), on("2026-11-03", 30), on("2026-11-04", 40), half, on("2026-11-06", 60)},
		[]interval.Totals{on("2025-11-01", 1), on("2025-11-02", 2), on("2025-11-03", 3), on("2025-11-04", 4), on("2025-11-05", 5),
			on("2025-11-06", 6)})
	s := m.Result()
	assert.Equal(t, "2026-11", s.Month)
	assert.Equal(t, meter.Electricity, s.Commodity)
	assert.Equal(t, wh(148), s.Consumption)
	assert.Equal(t, wh(140), s.SameDays, "without the incomplete day and the one without measurements")
	assert.Equal(t, wh(14), s.SameMonthLastYear, "on the same days")
	require.Len(t, s.Days, 30)
	assert.Equal(t, wh(10), s.Days[0])
	assert.Nil(t, s.Days[1])
	m.Add([]interval.Totals{on("2026-11-01", 5), on("2026-11-03", 5)}, nil)
	s = m.Result()
	assert.Equal(t, wh(15), s.Days[0])
	assert.Nil(t, s.SameMonthLastYear, "another connection on two of five days leaves too few days to compare")

	none := NewComparison(day("2026-11-20"), c[:1]).Result()
	assert.Equal(t, meter.M3N, none.Unit)
	assert.Nil(t, none.Consumption)
	leap := NewComparison(day("2028-02-29"), c)
	leap.Add([]interval.Totals{on("2028-02-29", 1)}, nil)
	assert.Nil(t, leap.Result().SameMonthLastYear)
}
