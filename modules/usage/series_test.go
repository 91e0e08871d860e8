package usage

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wattle-portal/wattle/core/value"
)

func kWh(n Amount) *Amount { return &n }

// totalsOfDay returns the totals of a day.
func totalsOfDay(d value.Day, p Profile) dayTotals {
	row := newDayRow("x", dayKey{"e", d}, p)
	return dayTotals{Day: row.Day, dayCounts: row.dayCounts}
}

// chart returns a series of measured days.
func chart(p Period, from, to value.Day, days []measuredDay, loc *time.Location) Series {
	s := newSeries(Connection{Commodity: Electricity}, p, align(p, from, to), loc)
	profiles, totals := map[value.Day]Profile{}, []dayTotals{}
	for _, d := range days {
		if !d.day.Before(s.From) && d.day.Before(s.To) {
			profiles[d.day] = d.profile
			totals = append(totals, totalsOfDay(d.day, d.profile))
		}
	}
	if p == Hourly {
		s.fillFromProfiles(profiles, loc)
	} else {
		s.fillFromDays(totals, loc)
	}
	return s
}

func TestSeries(t *testing.T) {
	loc := amsterdam(t)
	t.Run("the repeated hour has two points", func(t *testing.T) {
		d := day("2024-10-27")
		p := newProfile(hourSeconds, 25)
		for slot := range 25 {
			p.set(regLow, slot, Amount(100+slot))
		}
		s := chart(Hourly, d, d.AddDays(1), []measuredDay{{d, p}}, loc)
		require.Len(t, s.Points, 25)
		assert.Equal(t, "2024-10-27T02:00:00+02:00", s.Points[2].Start.Format(time.RFC3339))
		assert.Equal(t, "2024-10-27T02:00:00+01:00", s.Points[3].Start.Format(time.RFC3339))
		assert.Equal(t, kWh(102), s.Points[2].Low)
		assert.Equal(t, kWh(103), s.Points[3].Low)
		assert.True(t, s.Complete)
		assert.Equal(t, kWh(25*100+300), s.Total.Consumption)
	})
	t.Run("the skipped hour has no point", func(t *testing.T) {
		d := day("2024-03-31")
		p := newProfile(hourSeconds, 23)
		p.set(regNormal, 2, 500)
		s := chart(Hourly, d, d.AddDays(1), []measuredDay{{d, p}}, loc)
		require.Len(t, s.Points, 23)
		assert.Equal(t, "2024-03-31T01:00:00+01:00", s.Points[1].Start.Format(time.RFC3339))
		assert.Equal(t, "2024-03-31T03:00:00+02:00", s.Points[2].Start.Format(time.RFC3339))
		assert.Equal(t, kWh(500), s.Points[2].Consumption)
	})
	t.Run("a missing measurement is a gap, zero is not", func(t *testing.T) {
		d := day("2026-01-01")
		p := newProfile(hourSeconds, 24)
		p.set(regNormal, 0, 0)
		s := chart(Hourly, d, d.AddDays(2), []measuredDay{{d, p}}, loc)
		require.Len(t, s.Points, 48)
		assert.False(t, s.Points[0].Missing)
		assert.Equal(t, kWh(0), s.Points[0].Consumption)
		assert.True(t, s.Points[1].Missing)
		assert.Nil(t, s.Points[1].Consumption)
		assert.True(t, s.Points[40].Missing)
		assert.False(t, s.Complete)
		days := chart(Daily, d, d.AddDays(2), []measuredDay{{d, p}}, loc)
		assert.Equal(t, []bool{true, false}, []bool{days.Points[0].Partial, days.Points[1].Partial})
		assert.Equal(t, []bool{false, true}, []bool{days.Points[0].Missing, days.Points[1].Missing})
		assert.Nil(t, chart(Daily, d.AddDays(9), d.AddDays(12), nil, loc).Total.Consumption, "a gap is not zero")
	})
	t.Run("a day that was measured as a whole has no hourly values", func(t *testing.T) {
		d := day("2026-01-01")
		p := newProfile(daySeconds, 1)
		p.set(regNormal, 0, 9000)
		s := chart(Hourly, d, d.AddDays(1), []measuredDay{{d, p}}, loc)
		assert.Nil(t, s.Total.Consumption)
		whole := chart(Daily, d, d.AddDays(1), []measuredDay{{d, p}}, loc)
		assert.Equal(t, kWh(9000), whole.Total.Consumption)
		assert.True(t, whole.Complete)
	})
	t.Run("missing hours at the end of a day are gaps", func(t *testing.T) {
		d := day("2026-01-01")
		p := newProfile(hourSeconds, 23) // as in another time zone
		p.set(regNormal, 22, 500)
		s := chart(Hourly, d, d.AddDays(1), []measuredDay{{d, p}}, loc)
		require.Len(t, s.Points, 24)
		assert.Equal(t, kWh(500), s.Points[22].Consumption)
		assert.True(t, s.Points[23].Missing)
	})
	t.Run("quarters of an hour add up to hours", func(t *testing.T) {
		d := day("2026-01-01")
		p := newProfile(quarterSeconds, 96)
		for slot := range 6 {
			p.set(regNormal, slot, 10)
		}
		s := chart(Hourly, d, d.AddDays(1), []measuredDay{{d, p}}, loc)
		assert.Equal(t, kWh(40), s.Points[0].Consumption)
		assert.False(t, s.Points[0].Partial)
		assert.Equal(t, kWh(20), s.Points[1].Consumption)
		assert.True(t, s.Points[1].Partial)
		assert.True(t, s.Points[2].Missing)
	})
	t.Run("totals add up across changes of the clock", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			from := day("2023-10-01").AddDays(rapid.IntRange(0, 800).Draw(t, "from"))
			to := from.AddDays(rapid.IntRange(1, 40).Draw(t, "days"))
			whole := align(Monthly, from, to)
			var days []measuredDay
			for d := whole.from; d.Before(whole.until); d = d.AddDays(1) {
				if rapid.IntRange(0, 9).Draw(t, "gap") > 0 {
					p := newProfile(hourSeconds, slotCount(d, hourSeconds, loc))
					for slot := range p.Slots {
						if v := Amount(rapid.IntRange(-1, 30).Draw(t, "Wh")); v >= 0 {
							p.set(slot%regGas, slot, v)
						}
					}
					if p.lastSlot() >= 0 {
						days = append(days, measuredDay{d, p})
					}
				}
			}
			hours, dates, months := chart(Hourly, whole.from, whole.until, days, loc), chart(Daily, whole.from, whole.until, days, loc), chart(Monthly, whole.from, whole.until, days, loc)
			for _, s := range []Series{hours, dates, months} {
				var sum Amounts
				for _, p := range s.Points {
					sum.add(p.Amounts)
				}
				if !equalAmounts(sum, s.Total) || !equalAmounts(s.Total, hours.Total) {
					t.Fatalf("the total of %s is %v, its points give %v, the hours %v", s.Unit, s.Total, sum, hours.Total)
				}
			}
			at := 0
			for _, p := range dates.Points { // and for each day
				var sum Amounts
				for range slotCount(p.Day, hourSeconds, loc) {
					sum.add(hours.Points[at].Amounts)
					at++
				}
				if !equalAmounts(sum, p.Amounts) {
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
		for _, p := range []Point{{Start: day("2026-01-01").In(loc), Day: day("2026-01-01"), Amounts: Amounts{Low: kWh(12345), Consumption: kWh(0)}, Partial: true},
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
			period   Period
			from, to string
			want     string
		}{
			{Hourly, "2026-01-01", "2026-01-02", ""}, {Hourly, "2026-01-01", "2026-01-01", codeRange}, {Daily, "2026-01-02", "2026-01-01", codeRange},
			{Hourly, "2026-01-01", "2026-12-31", codeRangeTooLong}, {Daily, "2025-01-01", "2026-01-01", ""}, {Yearly, "0001-01-01", "9999-01-01", codeRangeTooLong},
			{Hourly, "2026-01-01", "2026-03-04", ""}, {Hourly, "2026-01-01", "2026-03-05", codeRangeTooLong},
		} {
			_, code := checkRange(c.period, day(c.from), day(c.to))
			assert.Equal(t, c.want, code, "%v", c)
		}
	})
	t.Run("the end of the last measurement", func(t *testing.T) {
		p := newProfile(hourSeconds, 24)
		p.set(regNormal, 13, 1)
		assert.Equal(t, "2026-01-01T14:00:00+01:00", measuredUntil([]measuredDay{{day("2026-01-01"), p}}, loc).Format(time.RFC3339))
		first := newProfile(hourSeconds, 24)
		first.set(regNormal, 0, 1)
		assert.Equal(t, "2026-01-02T01:00:00+01:00", measuredUntil([]measuredDay{{day("2026-01-02"), first}, {day("2026-01-01"), p}}, loc).Format(time.RFC3339), "in the first hour")
		assert.Nil(t, measuredUntil(nil, loc))
	})
}

func TestMonths(t *testing.T) {
	var days []dayTotals
	for d := day("2026-01-01"); d.Before(day("2026-03-02")); d = d.AddDays(1) {
		p := newProfile(daySeconds, 1)
		p.set(regGas, 0, 1000)
		if d != day("2026-02-10") {
			days = append(days, totalsOfDay(d, p))
		}
	}
	assert.Equal(t, []Month{{"2026-01", Amounts{Consumption: kWh(31000)}, false}, {"2026-02", Amounts{Consumption: kWh(27000)}, true},
		{"2026-03", Amounts{Consumption: kWh(1000)}, true}}, months(days))
	assert.Equal(t, []Month{}, months(nil))
}

func TestLatest(t *testing.T) {
	c := Connection{EANCode: "e", Commodity: Electricity}
	on := func(d string, wh Amount, missing int) dayRow {
		return dayRow{dayKey: dayKey{"e", day(d)}, dayCounts: dayCounts{Normal: &wh, FeedinLow: kWh(7), Missing: missing}, Seconds: hourSeconds}
	}
	l, ok := latestOfDays(c, []dayRow{on("2026-11-19", 100, 3), on("2026-11-18", 2000, 0), on("2026-11-17", 1500, 0)})
	require.True(t, ok)
	assert.Equal(t, Latest{"e", Electricity, day("2026-11-18"), day("2026-11-18"), kWh(2000), kWh(7), KWH, kWh(1500), day("2026-11-19"), nil, false}, l, "the last complete day")
	nothing := dayRow{dayKey: dayKey{"e", day("2026-11-20")}, dayCounts: dayCounts{Missing: 24}, Seconds: hourSeconds}
	t.Run("2.5-usage-day-last", func(t *testing.T) {
		l, _ := latestOfDays(c, []dayRow{nothing, on("2026-11-19", 100, 3), on("2026-11-18", 2000, 0)})
		assert.Equal(t, day("2026-11-19"), l.LastDay, "a measured, incomplete day; the next day has no measurements")
		l, _ = latestOfDays(c, []dayRow{nothing})
		assert.True(t, l.LastDay.IsZero(), "a stored day without a value")
	})
	l, _ = latestOfDays(c, []dayRow{on("2026-11-19", 100, 3)})
	assert.Equal(t, kWh(100), l.Consumption)
	l, _ = latestOfDays(c, []dayRow{on("2026-11-19", 100, 0), on("2026-11-17", 100, 0)})
	assert.Nil(t, l.Previous, "the day before was not measured")

	read := func(d, meter string, n Amount) storedReading {
		return storedReading{EANCode: "e", Day: day(d), MeterNumber: meter, Normal: &n}
	}
	g := Connection{EANCode: "e", Commodity: Gas}
	l, ok = latestOfReadings(g, []storedReading{read("2026-09-01", "m", 100), read("2026-10-01", "m", 150), read("2026-10-31", "m", 210)}, span{})
	require.True(t, ok)
	assert.Equal(t, kWh(210), l.Reading.ConsumptionNormal)
	l.Reading = nil
	assert.Equal(t, Latest{"e", Gas, day("2026-10-01"), day("2026-10-30"), kWh(60), nil, M3N, kWh(50), value.Day{}, nil, false}, l, "readings have no last day")
	l, ok = latestOfReadings(g, []storedReading{read("2026-09-01", "m", 100), read("2026-10-01", "new", 0)}, span{})
	assert.True(t, ok)
	assert.Nil(t, l.Consumption, "no usage across a replaced meter")
	assert.Equal(t, []any{day("2026-10-01"), day("2026-10-01"), day("2026-10-01")}, []any{l.From, l.Measured, l.Reading.MeasurementDate})
	_, ok = latestOfReadings(g, nil, span{})
	assert.False(t, ok)
}

func TestMonthly(t *testing.T) {
	c := []Connection{{Commodity: Gas}, {Commodity: Electricity}}
	on := func(d string, wh Amount) dayTotals {
		return dayTotals{Day: day(d), dayCounts: dayCounts{Normal: &wh}}
	}
	m := newMonthly(day("2026-11-20"), c)
	assert.Equal(t, span{from: day("2025-11-01"), until: day("2025-12-01")}, m.lastYear())
	half := on("2026-11-05", 8)
	half.Missing = 12
	m.add([]dayTotals{on("2026-11-01", 10), on("2026-11-03", 30), on("2026-11-04", 40), half, on("2026-11-06", 60)},
		[]dayTotals{on("2025-11-01", 1), on("2025-11-02", 2), on("2025-11-03", 3), on("2025-11-04", 4), on("2025-11-05", 5), on("2025-11-06", 6)})
	s := m.summary()
	assert.Equal(t, "2026-11", s.Month)
	assert.Equal(t, Electricity, s.Commodity)
	assert.Equal(t, kWh(148), s.Consumption)
	assert.Equal(t, kWh(140), s.SameDays, "without the incomplete day and the one without measurements")
	assert.Equal(t, kWh(14), s.SameMonthLastYear, "on the same days")
	require.Len(t, s.Days, 30)
	assert.Equal(t, kWh(10), s.Days[0])
	assert.Nil(t, s.Days[1])
	m.add([]dayTotals{on("2026-11-01", 5), on("2026-11-03", 5)}, nil)
	s = m.summary()
	assert.Equal(t, kWh(15), s.Days[0])
	assert.Nil(t, s.SameMonthLastYear, "another connection on two of five days leaves too few days to compare")

	none := newMonthly(day("2026-11-20"), c[:1]).summary()
	assert.Equal(t, M3N, none.Unit)
	assert.Nil(t, none.Consumption)
	leap := newMonthly(day("2028-02-29"), c)
	leap.add([]dayTotals{on("2028-02-29", 1)}, nil)
	assert.Nil(t, leap.summary().SameMonthLastYear)
}
