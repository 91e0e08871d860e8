package production

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestBeaufort(t *testing.T) {
	t.Run("7.6-livedata", func(t *testing.T) {
		begins := []float64{0, .3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7}
		for force, from := range begins {
			assert.Equal(t, force, beaufort(from), "%v m/s", from)
			if force > 0 {
				assert.Equal(t, force-1, beaufort(from-.01), "just below %v m/s", from)
			}
		}
		assert.Equal(t, 12, beaufort(maxWind))
	})
}

func TestPercentage(t *testing.T) {
	for _, c := range []struct {
		kW    *float64
		rated int64
		want  *float64
	}{
		{new(560.0), megawatt, new(56.0)}, {new(1.0), 3000, new(33.3)}, {new(0.0), megawatt, new(0.0)}, {new(1000.0), megawatt, new(100.0)},
		{new(1100.0), megawatt, new(100.0)}, {new(500.0), 0, nil}, {nil, megawatt, nil},
	} {
		assert.Equal(t, c.want, state{rated: c.rated}.percentage(c.kW))
	}
	assert.Equal(t, 1500.25, *state{sums: sums{Days: 1}}.kWh(1_500_250))
	assert.Equal(t, 0.0, *state{sums: sums{Days: 1}}.kWh(0), "no production")
	assert.Nil(t, state{}.kWh(0), "no measurement")
}

func hoursFrom(first int, wh ...int64) []*amount {
	out := make([]*amount, 25)
	for i, n := range wh {
		out[first+i] = new(amount(n))
	}
	return out
}

func TestLastHour(t *testing.T) {
	loc := amsterdam(t)
	for name, c := range map[string]struct {
		day               string
		imported, counted []*amount
		end               string
		wh                int64
		isImported        bool
	}{
		"imported": {day: "2026-11-20", imported: hoursFrom(3, 100, 200)[:24], end: "2026-11-20T05:00:00+01:00", wh: 200,
			isImported: true},
		"counted later than imported": {day: "2026-11-20", imported: hoursFrom(3, 100)[:24], counted: hoursFrom(3, 50, 60)[:24],
			end: "2026-11-20T05:00:00+01:00", wh: 60},
		"both of one hour": {day: "2026-11-20", imported: hoursFrom(3, 100)[:24], counted: hoursFrom(3, 50)[:24],
			end: "2026-11-20T04:00:00+01:00", wh: 100, isImported: true},
		"the first": {day: "2026-11-20", imported: hoursFrom(0, 7)[:24], end: "2026-11-20T01:00:00+01:00", wh: 7,
			isImported: true},
		"the last": {day: "2026-11-20", imported: hoursFrom(23, 7)[:24], end: "2026-11-21T00:00:00+01:00", wh: 7,
			isImported: true},
		"of a day of 25 hours": {day: "2026-10-25", imported: hoursFrom(24, 7), end: "2026-10-26T00:00:00+01:00", wh: 7,
			isImported: true},
		"after the clock was set ahead": {day: "2026-03-29", imported: hoursFrom(2, 7)[:23], end: "2026-03-29T04:00:00+02:00", wh: 7,
			isImported: true},
		"none": {day: "2026-11-20", imported: hoursFrom(0)[:24], end: "2026-11-20T00:00:00+01:00"},
	} {
		d := dayRow{Day: day(t, c.day), imported: c.imported, counted: c.counted}
		d.join()
		end, wh, imported := d.lastHour(loc)
		assert.Equal(t, []any{c.end, c.wh, c.isImported}, []any{end.In(loc).Format(time.RFC3339), wh, imported}, name)
	}
}

// TestNow computes the power at 12:00 on 20 November 2026.
func TestNow(t *testing.T) {
	loc := amsterdam(t)
	ago := func(d time.Duration) int64 { return noon.Add(-d).UnixMilli() }
	imported := func(on string, hour int, wh int64) *dayRow {
		d := &dayRow{Day: day(t, on), imported: hoursFrom(hour, wh)[:24]}
		d.join()
		return d
	}
	counted := func(on string, hour int, wh int64) *dayRow {
		d := &dayRow{Day: day(t, on), imported: make([]*amount, 24), counted: hoursFrom(hour, wh)[:24]}
		d.join()
		return d
	}
	at := func(power int64, since time.Duration, q Quality) meterRow {
		return meterRow{Power: &power, MeasuredAt: ago(since), Quality: q}
	}
	const minute = time.Minute
	type expected struct {
		kW      float64 // -1: unknown
		ago     time.Duration
		quality Quality
	}
	const never = -1 // as the value of ago: no measurement
	t.Run("9-production-now", func(t *testing.T) {
		for name, c := range map[string]struct {
			of   state
			want expected
		}{
			"no measurement": {state{}, expected{-1, never, ""}},
			"the sum of the meters": {state{meters: []meterRow{at(500_000, 2*minute, Corrected),
				at(60_500, 4*minute, Estimated)}}, expected{560.5, 2 * minute, Corrected}},
			"a meter that is 15 minutes older": {state{meters: []meterRow{at(500_000, 0, AsMeasured), at(1000, 15*minute, AsMeasured)}},
				expected{501, 0, AsMeasured}},
			"a meter that is more than 15 minutes older": {state{meters: []meterRow{at(500_000, 0, AsMeasured),
				at(1000, 15*minute+time.Millisecond, AsMeasured)}}, expected{500, 0, AsMeasured}},
			"the last power stays without measurements": {state{meters: []meterRow{at(500_000, 50*time.Hour, AsMeasured)}},
				expected{500, 50 * time.Hour, AsMeasured}},
			"a meter without power": {state{meters: []meterRow{{MeasuredAt: ago(0), Quality: AsMeasured},
				at(1000, minute, Estimated)}}, expected{1, 0, AsMeasured}},
			"no meter with power": {state{meters: []meterRow{{MeasuredAt: ago(minute), Quality: Estimated}}},
				expected{-1, minute, Estimated}},
			"a negative power counts as zero":   {state{meters: []meterRow{at(-3000, 0, AsMeasured)}}, expected{0, 0, AsMeasured}},
			"a clock that is ahead":             {state{meters: []meterRow{at(1000, -3*minute, AsMeasured)}}, expected{1, 0, AsMeasured}},
			"the last imported hour":            {state{last: imported("2026-11-20", 9, 120_500)}, expected{120.5, 2 * time.Hour, ""}},
			"the current hour":                  {state{last: imported("2026-11-20", 12, 120_000)}, expected{120, 0, ""}},
			"a counted hour of a deleted meter": {state{last: counted("2026-11-20", 9, 120_000)}, expected{120, 2 * time.Hour, ""}},
			"a counted hour is as new as its meter": {state{last: counted("2026-11-20", 11, 120_000),
				meters: []meterRow{at(7000, 3*time.Hour, AsMeasured)}}, expected{7, 3 * time.Hour, AsMeasured}},
			"imported, then a meter": {state{last: imported("2026-11-20", 9, 120_000),
				meters: []meterRow{at(7000, minute, AsMeasured)}}, expected{7, minute, AsMeasured}},
			"a meter, then imported": {state{last: imported("2026-11-20", 9, 120_000),
				meters: []meterRow{at(7000, 3*time.Hour+time.Millisecond, AsMeasured)}}, expected{120, 2 * time.Hour, ""}},
			"a meter within the imported hour": {state{last: imported("2026-11-20", 9, 120_000),
				meters: []meterRow{at(7000, 3*time.Hour, AsMeasured)}}, expected{7, 3 * time.Hour, AsMeasured}},
			"imported, then a meter without power": {state{last: imported("2026-11-20", 9, 120_000),
				meters: []meterRow{{MeasuredAt: ago(minute), Quality: AsMeasured}}}, expected{120, minute, AsMeasured}},
		} {
			got, p := expected{-1, never, ""}, c.of.now(loc, noon)
			if p.power != nil {
				got.kW = *p.power
			}
			if p.at != nil {
				got.ago = noon.Sub(*p.at)
				assert.Equal(t, time.UTC, p.at.Location(), name)
			}
			if p.quality != nil {
				got.quality = *p.quality
			}
			assert.Equal(t, c.want, got, name)
		}
	})
}
