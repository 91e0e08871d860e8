package series

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

var day, wh = metertest.Day, metertest.Wh

// chart returns a series of measured days.
func chart(p meter.Period, from, to value.Day, days []interval.Measured, loc *time.Location) Series {
	s := New(meter.Connection{Commodity: meter.Electricity}, p, meter.Align(p, from, to), loc)
	profiles, totals := map[value.Day]interval.Profile{}, []interval.Totals{}
	for _, d := range days {
		if !d.Day.Before(s.From) && d.Day.Before(s.To) {
			profiles[d.Day] = d.Profile
			totals = append(totals, interval.Totals{Day: d.Day, Counts: d.Profile.Counts()})
		}
	}
	if p == meter.Hourly {
		s.FillFromProfiles(profiles, loc)
	} else {
		s.FillFromDays(totals, loc)
	}
	return s
}

func TestSeries(t *testing.T) {
	loc := metertest.Amsterdam(t)
	t.Run("the repeated hour has two points", func(t *testing.T) {
		d := day("2024-10-27")
		p := interval.NewProfile(interval.HourSeconds, 25)
		for slot := range 25 {
			p.Set(interval.Low, slot, meter.Amount(100+slot))
		}
		s := chart(meter.Hourly, d, d.AddDays(1), []interval.Measured{{Day: d, Profile: p}}, loc)
		require.Len(t, s.Points, 25)
		assert.Equal(t, "2024-10-27T02:00:00+02:00", s.Points[2].Start.Format(time.RFC3339))
		assert.Equal(t, "2024-10-27T02:00:00+01:00", s.Points[3].Start.Format(time.RFC3339))
		assert.Equal(t, wh(102), s.Points[2].Low)
		assert.Equal(t, wh(103), s.Points[3].Low)
		assert.True(t, s.Complete)
		assert.Equal(t, wh(25*100+300), s.Total.Consumption)
	})
	t.Run("the skipped hour has no point", func(t *testing.T) {
		d := day("2024-03-31")
		p := interval.NewProfile(interval.HourSeconds, 23)
		p.Set(interval.Normal, 2, 500)
		s := chart(meter.Hourly, d, d.AddDays(1), []interval.Measured{{Day: d, Profile: p}}, loc)
		require.Len(t, s.Points, 23)
		assert.Equal(t, "2024-03-31T01:00:00+01:00", s.Points[1].Start.Format(time.RFC3339))
		assert.Equal(t, "2024-03-31T03:00:00+02:00", s.Points[2].Start.Format(time.RFC3339))
		assert.Equal(t, wh(500), s.Points[2].Consumption)
	})
	t.Run("a missing measurement is a gap, zero is not", func(t *testing.T) {
		d := day("2026-01-01")
		p := interval.NewProfile(interval.HourSeconds, 24)
		p.Set(interval.Normal, 0, 0)
		s := chart(meter.Hourly, d, d.AddDays(2), []interval.Measured{{Day: d, Profile: p}}, loc)
		require.Len(t, s.Points, 48)
		assert.False(t, s.Points[0].Missing)
		assert.Equal(t, wh(0), s.Points[0].Consumption)
		assert.True(t, s.Points[1].Missing)
		assert.Nil(t, s.Points[1].Consumption)
		assert.True(t, s.Points[40].Missing)
		assert.False(t, s.Complete)
		days := chart(meter.Daily, d, d.AddDays(2), []interval.Measured{{Day: d, Profile: p}}, loc)
		assert.Equal(t, []bool{true, false}, []bool{days.Points[0].Partial, days.Points[1].Partial})
		assert.Equal(t, []bool{false, true}, []bool{days.Points[0].Missing, days.Points[1].Missing})
		assert.Nil(t, chart(meter.Daily, d.AddDays(9), d.AddDays(12), nil, loc).Total.Consumption, "a gap is not zero")
	})
	t.Run("a day that was measured as a whole has no hourly values", func(t *testing.T) {
		d := day("2026-01-01")
		p := interval.NewProfile(interval.DaySeconds, 1)
		p.Set(interval.Normal, 0, 9000)
		s := chart(meter.Hourly, d, d.AddDays(1), []interval.Measured{{Day: d, Profile: p}}, loc)
		assert.Nil(t, s.Total.Consumption)
		whole := chart(meter.Daily, d, d.AddDays(1), []interval.Measured{{Day: d, Profile: p}}, loc)
		assert.Equal(t, wh(9000), whole.Total.Consumption)
		assert.True(t, whole.Complete)
	})
	t.Run("missing hours at the end of a day are gaps", func(t *testing.T) {
		d := day("2026-01-01")
		p := interval.NewProfile(interval.HourSeconds, 23) // as in another time zone
		p.Set(interval.Normal, 22, 500)
		s := chart(meter.Hourly, d, d.AddDays(1), []interval.Measured{{Day: d, Profile: p}}, loc)
		require.Len(t, s.Points, 24)
		assert.Equal(t, wh(500), s.Points[22].Consumption)
		assert.True(t, s.Points[23].Missing)
	})
	t.Run("quarters of an hour add up to hours", func(t *testing.T) {
		d := day("2026-01-01")
		p := interval.NewProfile(interval.QuarterSeconds, 96)
		for slot := range 6 {
			p.Set(interval.Normal, slot, 10)
		}
		s := chart(meter.Hourly, d, d.AddDays(1), []interval.Measured{{Day: d, Profile: p}}, loc)
		assert.Equal(t, wh(40), s.Points[0].Consumption)
		assert.False(t, s.Points[0].Partial)
		assert.Equal(t, wh(20), s.Points[1].Consumption)
		assert.True(t, s.Points[1].Partial)
		assert.True(t, s.Points[2].Missing)
	})
	t.Run("totals add up across changes of the clock", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			from := day("2023-10-01").AddDays(rapid.IntRange(0, 800).Draw(t, "from"))
			to := from.AddDays(rapid.IntRange(1, 40).Draw(t, "days"))
			whole := meter.Align(meter.Monthly, from, to)
			var days []interval.Measured
			for d := whole.From; d.Before(whole.Until); d = d.AddDays(1) {
				if rapid.IntRange(0, 9).Draw(t, "gap") > 0 {
					p := interval.NewProfile(interval.HourSeconds, interval.SlotCount(d, interval.HourSeconds, loc))
					for slot := range p.Slots {
						if v := meter.Amount(rapid.IntRange(-1, 30).Draw(t, "Wh")); v >= 0 {
							p.Set(slot%interval.Gas, slot, v)
						}
					}
					if p.LastSlot() >= 0 {
						days = append(days, interval.Measured{Day: d, Profile: p})
					}
				}
			}
			hours, dates, months := chart(meter.Hourly, whole.From, whole.Until, days, loc), chart(meter.Daily, whole.From, whole.Until, days, loc),
				chart(meter.Monthly, whole.From, whole.Until, days, loc)
			for _, s := range []Series{hours, dates, months} {
				var sum meter.Amounts
				for _, p := range s.Points {
					sum.Add(p.Amounts)
				}
				if !metertest.Equal(sum, s.Total) || !metertest.Equal(s.Total, hours.Total) {
					t.Fatalf("the total of %s is %v, its points give %v, the hours %v", s.Unit, s.Total, sum, hours.Total)
				}
			}
			at := 0
			for _, p := range dates.Points { // and also for each day
				var sum meter.Amounts
				for range interval.SlotCount(p.Day, interval.HourSeconds, loc) {
					sum.Add(hours.Points[at].Amounts)
					at++
				}
				if !metertest.Equal(sum, p.Amounts) {
					t.Fatalf("%s is %v, its hours are %v", p.Day, p.Amounts, sum)
				}
			}
			if at != len(hours.Points) || months.Complete != hours.Complete {
				t.Fatalf("%d of %d hours; complete %v and %v", at, len(hours.Points), months.Complete, hours.Complete)
			}
		})
	})
	t.Run("points are encoded according to their tags", func(t *testing.T) {
		type plain Point // encoded with reflection
		for _, p := range []Point{{Start: day("2026-01-01").In(loc), Day: day("2026-01-01"),
			Amounts: meter.Amounts{Low: wh(12345), Consumption: wh(0)}, Partial: true},
			{Start: day("2026-07-01").In(loc), Missing: true}} {
			want, err := json.Marshal([]plain{plain(p)})
			require.NoError(t, err)
			got, err := json.Marshal(Points{p})
			require.NoError(t, err)
			assert.JSONEq(t, string(want), string(got))
			assert.Equal(t, string(want), string(got))
		}
		none, err := json.Marshal(Points{})
		require.NoError(t, err)
		assert.Equal(t, "[]", string(none))
	})
	t.Run("range", func(t *testing.T) {
		for _, c := range []struct {
			period   meter.Period
			from, to string
			want     string
		}{
			{meter.Hourly, "2026-01-01", "2026-01-02", ""}, {meter.Hourly, "2026-01-01", "2026-01-01", CodeRange},
			{meter.Daily, "2026-01-02", "2026-01-01", CodeRange},
			{meter.Hourly, "2026-01-01", "2026-12-31", codeRangeTooLong}, {meter.Daily, "2025-01-01", "2026-01-01", ""},
			{meter.Yearly, "0001-01-01", "9999-01-01", codeRangeTooLong},
			{meter.Hourly, "2026-01-01", "2026-03-04", ""}, {meter.Hourly, "2026-01-01", "2026-03-05", codeRangeTooLong},
		} {
			_, code := CheckRange(c.period, day(c.from), day(c.to))
			assert.Equal(t, c.want, code, "%v", c)
		}
	})
	t.Run("the end of the last measurement", func(t *testing.T) {
		p := interval.NewProfile(interval.HourSeconds, 24)
		p.Set(interval.Normal, 13, 1)
		assert.Equal(t, "2026-01-01T14:00:00+01:00",
			MeasuredUntil([]interval.Measured{{Day: day("2026-01-01"), Profile: p}}, loc).Format(time.RFC3339))
		first := interval.NewProfile(interval.HourSeconds, 24)
		first.Set(interval.Normal, 0, 1)
		assert.Equal(t, "2026-01-02T01:00:00+01:00",
			MeasuredUntil([]interval.Measured{{Day: day("2026-01-02"), Profile: first}, {Day: day("2026-01-01"), Profile: p}},
				loc).Format(time.RFC3339), "in the first hour")
		assert.Nil(t, MeasuredUntil(nil, loc))
	})
}
