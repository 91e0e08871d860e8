package series

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
	"github.com/wattle-portal/wattle/modules/usage/internal/reading"
)

func TestLatestReadings(t *testing.T) {
	t.Run("the usage of another household in between is left out", func(t *testing.T) {
		away := meter.Span{From: day("2026-01-01"), Gaps: []meter.Span{{From: day("2026-02-01"), Until: day("2026-03-01")}}}
		all := []reading.Stored{newReading("2026-01-01", "E1", 1000, 700), newReading("2026-02-01", "E1", 1100, 760),
			newReading("2026-03-01", "E1", 1400, 900), newReading("2026-04-01", "E1", 1450, 925)}
		l, ok := LatestOfReadings(metertest.Power, all[:3], away)
		assert.True(t, ok)
		assert.Nil(t, l.Consumption)
		l, _ = LatestOfReadings(metertest.Power, all, away)
		assert.Equal(t, wh(75), l.Consumption)
		assert.Nil(t, l.Previous)
	})
}

func TestLatest(t *testing.T) {
	c := meter.Connection{EANCode: "e", Commodity: meter.Electricity}
	on := func(d string, n meter.Amount, missing int) interval.Totals {
		return interval.Totals{Day: day(d), Counts: interval.Counts{Normal: &n, FeedinLow: wh(7), Missing: missing}}
	}
	l, ok := LatestOfDays(c, []interval.Totals{on("2026-11-19", 100, 3), on("2026-11-18", 2000, 0), on("2026-11-17", 1500, 0)})
	require.True(t, ok)
	assert.Equal(t, Latest{"e", meter.Electricity, day("2026-11-18"), day("2026-11-18"), wh(2000), wh(7), meter.KWH, wh(1500),
		day("2026-11-19"), nil, false}, l, "the last complete day")
	nothing := interval.Totals{Day: day("2026-11-20"), Counts: interval.Counts{Missing: 24}}
	t.Run("2.5-usage-day-last", func(t *testing.T) {
		l, _ := LatestOfDays(c, []interval.Totals{nothing, on("2026-11-19", 100, 3), on("2026-11-18", 2000, 0)})
		assert.Equal(t, day("2026-11-19"), l.LastDay, "a measured, incomplete day; the next day has no measurements")
		l, _ = LatestOfDays(c, []interval.Totals{nothing})
		assert.True(t, l.LastDay.IsZero(), "a stored day without a value")
	})
	l, _ = LatestOfDays(c, []interval.Totals{on("2026-11-19", 100, 3)})
	assert.Equal(t, wh(100), l.Consumption)
	l, _ = LatestOfDays(c, []interval.Totals{on("2026-11-19", 100, 0), on("2026-11-17", 100, 0)})
	assert.Nil(t, l.Previous, "the day before was not measured")

	read := func(d, meter string, n meter.Amount) reading.Stored {
		return reading.Stored{EANCode: "e", Day: day(d), MeterNumber: meter, Normal: &n}
	}
	g := meter.Connection{EANCode: "e", Commodity: meter.Gas}
	l, ok = LatestOfReadings(g, []reading.Stored{read("2026-09-01", "m", 100), read("2026-10-01", "m", 150), read("2026-10-31", "m", 210)},
		meter.Span{})
	require.True(t, ok)
	assert.Equal(t, wh(210), l.Reading.ConsumptionNormal)
	l.Reading = nil
	assert.Equal(t, Latest{"e", meter.Gas, day("2026-10-01"), day("2026-10-30"), wh(60), nil, meter.M3N, wh(50), value.Day{}, nil, false}, l,
		"readings have no last day")
	l, ok = LatestOfReadings(g, []reading.Stored{read("2026-09-01", "m", 100), read("2026-10-01", "new", 0)}, meter.Span{})
	assert.True(t, ok)
	assert.Nil(t, l.Consumption, "no usage across a replaced meter")
	assert.Equal(t, []any{day("2026-10-01"), day("2026-10-01"), day("2026-10-01")}, []any{l.From, l.Measured, l.Reading.MeasurementDate})
	_, ok = LatestOfReadings(g, nil, meter.Span{})
	assert.False(t, ok)
}
