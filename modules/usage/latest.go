package usage

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/value"
)

// Latest is the newest measurement of a connection: its last complete day, or its last meter reading with the usage since the previous one
// (9-usage-last-reading).
type Latest struct {
	EANCode     string    `json:"ean_code" doc:"EAN code of the connection"`
	Commodity   Commodity `json:"commodity" enum:"GAS,ELECTRICITY" doc:"What is supplied over the connection"`
	From        value.Day `json:"from" doc:"First day of the measured period"`
	Measured    value.Day `json:"measured" doc:"Last day of the measured period"`
	Consumption *Amount   `json:"consumption" nullable:"true" doc:"Usage in the period; null: unknown"`
	Feedin      *Amount   `json:"feedin" nullable:"true" doc:"Feed-in in the period; null: none"`
	Unit        Unit      `json:"unit" enum:"KWH,KWT,MTQ,M3N" doc:"Unit of the usage: KWH is kWh, M3N is normal cubic meter"`
	Previous    *Amount   `json:"previous" nullable:"true" doc:"Usage in the previous period of the same length; null: unknown"`
	LastDay     value.Day `json:"last_day,omitzero" doc:"Last day with measurements; absent if days are unknown or may not be shown"`

	Reading       *Reading `json:"reading,omitempty" doc:"Last meter reading, if days are unknown or may not be shown"`
	ConsentNeeded bool     `json:"consent_needed" doc:"Whether days are not shown because consent is missing"`
}

// Summary is the usage of the current month: electricity, or gas for a relation with gas connections only.
type Summary struct {
	Month             string          `json:"month" doc:"Month as YYYY-MM"`
	Commodity         Commodity       `json:"commodity" enum:"GAS,ELECTRICITY" doc:"Commodity whose usage is shown"`
	Unit              Unit            `json:"unit" enum:"KWH,KWT,MTQ,M3N" doc:"Unit of the usage: KWH is kWh, M3N is normal cubic meter"`
	Consumption       *Amount         `json:"consumption" nullable:"true" doc:"Usage in this month until now; null: no measurements"`
	SameMonthLastYear *Amount         `json:"same_month_last_year" nullable:"true" doc:"Usage in last year's month on days complete in both years; null: too few"`
	SameDays          *Amount         `json:"same_days" nullable:"true" doc:"Usage in this month on the days counted in same_month_last_year"`
	Days              NullableAmounts `json:"days" nullable:"false" doc:"Usage per day of the month; null: a gap or a future day"`
	Reading           *Reading        `json:"reading,omitempty" doc:"Last meter reading of the connections that are not counted"`
	ConsentNeeded     bool            `json:"consent_needed" doc:"Whether connections are not counted because consent is missing"`
}

// NullableAmounts is a list of amounts in which null is a gap.
type NullableAmounts []*Amount

// Schema returns the OpenAPI schema of the list.
func (NullableAmounts) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeNumber, Nullable: true}}
}

// latestOfDays returns the last complete day, or the last measured one if none is complete. Days are sorted, newest first.
func latestOfDays(c Connection, days []dayRow) (l Latest, ok bool) {
	if len(days) == 0 {
		return l, false
	}
	i := max(0, slices.IndexFunc(days, func(d dayRow) bool { return d.Missing == 0 }))
	a := days[i].amounts()
	l = Latest{EANCode: c.EANCode, Commodity: c.Commodity, Unit: UnitOf(c.Commodity), From: days[i].Day, Measured: days[i].Day,
		Consumption: a.Consumption, Feedin: a.feedin()}
	if i+1 < len(days) && days[i+1].Day == l.From.AddDays(-1) && days[i].Missing == 0 && days[i+1].Missing == 0 {
		l.Previous = days[i+1].amounts().Consumption
	}
	if last := slices.IndexFunc(days, func(d dayRow) bool { return !d.amounts().isEmpty() }); last >= 0 {
		l.LastDay = days[last].Day
	}
	return l, true
}

// latestOfReadings returns the last reading with the usage since the previous one of the same meter, within the span of supply. Readings are
// sorted, oldest first. Without a previous reading, From and Measured are the day of the reading.
func latestOfReadings(c Connection, readings []storedReading, t span) (l Latest, ok bool) {
	if len(readings) == 0 {
		return l, false
	}
	last := readings[len(readings)-1]
	same := slices.DeleteFunc(slices.Clone(readings), func(s storedReading) bool {
		return s.MeterNumber != last.MeterNumber || !t.contains(span{from: s.Day, until: last.Day})
	})
	n := len(same)
	l = Latest{EANCode: c.EANCode, Commodity: c.Commodity, Unit: UnitOf(c.Commodity), From: last.Day, Measured: last.Day,
		Reading: &toReadings(c, same, t)[0]}
	if n < 2 {
		return l, true
	}
	a := difference(same[n-2], same[n-1], c.Commodity)
	l.From, l.Measured, l.Consumption, l.Feedin = same[n-2].Day, last.Day.AddDays(-1), a.Consumption, a.feedin()
	if n > 2 && same[n-2].Day.DaysSince(same[n-3].Day) == same[n-1].Day.DaysSince(same[n-2].Day) {
		l.Previous = difference(same[n-3], same[n-2], c.Commodity).Consumption
	}
	return l, true
}

// minComparable is the part of the measured days that must be comparable with last year; with fewer, gaps would distort the comparison. The
// usage page applies the same limit (series.rules.ts).
const minComparable = 0.75

// monthly adds up a month and the same month of the year before.
type monthly struct {
	Summary
	first     value.Day
	now, then []tally // by day of the month
}

// tally is the usage of the connections on a day, their number, and the number of those with complete measurements.
type tally struct {
	used         *Amount
	parts, whole int
}

func (t *tally) add(d dayTotals) {
	t.used = sum(t.used, d.amounts().Consumption)
	t.parts++
	if d.Missing == 0 {
		t.whole++
	}
}

// haveSameRegisters reports whether two days can be compared: both have the same number of connections, all with complete measurements.
func (t tally) comparable(o tally) bool {
	return t.used != nil && o.used != nil && t.whole == t.parts && o.whole == o.parts && t.parts == o.parts
}

// newMonthly returns an empty summary of the current month.
func newMonthly(today value.Day, connections []Connection) *monthly {
	first := Monthly.begin(today)
	commodity := Electricity
	if len(connections) > 0 && !slices.ContainsFunc(connections, func(c Connection) bool { return c.Commodity == Electricity }) {
		commodity = Gas
	}
	m := &monthly{first: first, Summary: Summary{Month: first.String()[:7], Commodity: commodity, Unit: UnitOf(commodity)}}
	m.now, m.then = make([]tally, m.thisMonth().days()), make([]tally, m.lastYear().days())
	return m
}

func (m *monthly) thisMonth() span { return span{from: m.first, until: m.first.AddMonths(1)} }
func (m *monthly) lastYear() span {
	return span{from: m.first.AddMonths(-12), until: m.first.AddMonths(-11)}
}

// add adds the days of a connection in both months.
func (m *monthly) add(now, then []dayTotals) {
	for _, d := range now {
		m.now[d.Day.Day-1].add(d)
	}
	for _, d := range then {
		m.then[d.Day.Day-1].add(d)
	}
}

// addWithheld adds a connection whose days are unknown or may not be shown: its last reading is returned instead (9-usage-last-reading).
// Readings are sorted, newest first.
func (m *monthly) addWithheld(readings []Reading, needsConsent bool) {
	m.ConsentNeeded = m.ConsentNeeded || needsConsent
	if len(readings) > 0 && (m.Reading == nil || readings[0].MeasurementDate.After(m.Reading.MeasurementDate)) {
		m.Reading = &readings[0]
	}
}

// summary compares the days with complete measurements in both years. 29 February has no counterpart in the year before.
func (m *monthly) summary() Summary {
	s := m.Summary
	s.Days = make(NullableAmounts, len(m.now))
	measured, same := 0, 0
	var now, then *Amount
	for i, day := range m.now {
		s.Days[i] = day.used
		if day.used == nil {
			continue
		}
		s.Consumption = sum(s.Consumption, day.used)
		measured++
		if i < len(m.then) && day.comparable(m.then[i]) {
			now, then = sum(now, day.used), sum(then, m.then[i].used)
			same++
		}
	}
	if float64(same) >= minComparable*float64(measured) {
		s.SameDays, s.SameMonthLastYear = now, then
	}
	return s
}
