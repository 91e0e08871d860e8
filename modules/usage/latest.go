package usage

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/value"
)

// Latest is the newest measurement of a connection: its last whole day, or its last meter reading with what was taken since the
// one before (9-usage-last-reading).
type Latest struct {
	EANCode     string    `json:"ean_code"`
	Commodity   Commodity `json:"commodity" enum:"GAS,ELECTRICITY"`
	From        value.Day `json:"from" doc:"First day of what was measured"`
	Measured    value.Day `json:"measured" doc:"Its last day"`
	Consumption *Amount   `json:"consumption" nullable:"true"`
	Feedin      *Amount   `json:"feedin" nullable:"true" doc:"Null where nothing is fed in"`
	Unit        Unit      `json:"unit" enum:"KWH,KWT,MTQ,M3N"`
	Previous    *Amount   `json:"previous" nullable:"true" doc:"Consumption of the period before, where it is as long"`
	LastDay     value.Day `json:"last_day,omitzero" doc:"Last day of which anything was measured; absent where days are not known or may not be shown"`

	Reading       *Reading `json:"reading,omitempty" doc:"The last meter reading, where days are not known or may not be shown"`
	ConsentNeeded bool     `json:"consent_needed" doc:"Days are not shown because the customer has not agreed to it"`
}

// Summary is the usage of the current month: electricity, or gas of a relation that has nothing else.
type Summary struct {
	Month             string    `json:"month" doc:"2026-11"`
	Commodity         Commodity `json:"commodity" enum:"GAS,ELECTRICITY"`
	Unit              Unit      `json:"unit" enum:"KWH,KWT,MTQ,M3N"`
	Consumption       *Amount   `json:"consumption" nullable:"true" doc:"So far; null without measurements"`
	SameMonthLastYear *Amount   `json:"same_month_last_year" nullable:"true" doc:"Of the days that were measured whole in both years; null when those are too few"`
	SameDays          *Amount   `json:"same_days" nullable:"true" doc:"Of the very same days this year: what to compare that with"`
	Days              Gappy     `json:"days" nullable:"false" doc:"One for each day of the month; null is a gap, or still to come"`
	Reading           *Reading  `json:"reading,omitempty" doc:"Last meter reading of the connections whose days are not counted"`
	ConsentNeeded     bool      `json:"consent_needed" doc:"Connections are not counted because the customer has not agreed to it"`
}

// Gappy is a row of amounts in which null is a gap.
type Gappy []*Amount

// Schema describes a row to OpenAPI.
func (Gappy) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeNumber, Nullable: true}}
}

// latestOfDays is the last day that was measured whole, else the last that was measured, out of the last days, newest first.
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
	if last := slices.IndexFunc(days, func(d dayRow) bool { return !d.amounts().none() }); last >= 0 {
		l.LastDay = days[last].Day
	}
	return l, true
}

// latestOfReadings is the last reading with what was taken since the one before of the same meter, out of all, oldest first, in the
// span in which the relation was supplied. Without one before, From and Measured are the day of the reading.
func latestOfReadings(c Connection, standings []standing, t span) (l Latest, ok bool) {
	if len(standings) == 0 {
		return l, false
	}
	last := standings[len(standings)-1]
	of := slices.DeleteFunc(slices.Clone(standings), func(s standing) bool {
		return s.MeterNumber != last.MeterNumber || !t.covers(span{from: s.Day, until: last.Day})
	})
	n := len(of)
	l = Latest{EANCode: c.EANCode, Commodity: c.Commodity, Unit: UnitOf(c.Commodity), From: last.Day, Measured: last.Day,
		Reading: &readingsOf(c, of, t)[0]}
	if n < 2 {
		return l, true
	}
	a := used(of[n-2], of[n-1], c.Commodity)
	l.From, l.Measured, l.Consumption, l.Feedin = of[n-2].Day, last.Day.AddDays(-1), a.Consumption, a.feedin()
	if n > 2 && of[n-2].Day.DaysSince(of[n-3].Day) == of[n-1].Day.DaysSince(of[n-2].Day) {
		l.Previous = used(of[n-3], of[n-2], c.Commodity).Consumption
	}
	return l, true
}

// enough is the part of the measured days that a comparison must count: below it, it would say more about the gaps than about the
// usage. The usage page draws the same line (series.rules.ts).
const enough = 0.75

// monthly sums a month and the same month a year before.
type monthly struct {
	Summary
	first     value.Day
	now, then []tally // by day of the month
}

// tally is what the connections used on a day, and how many of them were measured whole.
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

// like reports whether two days can be compared: the same number of connections, all of them measured whole.
func (t tally) like(o tally) bool {
	return t.used != nil && o.used != nil && t.whole == t.parts && o.whole == o.parts && t.parts == o.parts
}

// newMonthly begins the summary of the month of today.
func newMonthly(today value.Day, connections []Connection) *monthly {
	first := Mon.begin(today)
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

// add takes the days of a connection in both months.
func (m *monthly) add(now, then []dayTotals) {
	for _, d := range now {
		m.now[d.Day.Day-1].add(d)
	}
	for _, d := range then {
		m.then[d.Day.Day-1].add(d)
	}
}

// withhold counts a connection whose days are not known or may not be shown: of its readings, newest first, the last stands in
// (9-usage-last-reading).
func (m *monthly) withhold(readings []Reading, needsConsent bool) {
	m.ConsentNeeded = m.ConsentNeeded || needsConsent
	if len(readings) > 0 && (m.Reading == nil || readings[0].MeasurementDate.After(m.Reading.MeasurementDate)) {
		m.Reading = &readings[0]
	}
}

// summary compares the days that were measured whole in both years. 29 February has no day a year before.
func (m *monthly) summary() Summary {
	s := m.Summary
	s.Days = make(Gappy, len(m.now))
	measured, same := 0, 0
	var now, then *Amount
	for i, day := range m.now {
		s.Days[i] = day.used
		if day.used == nil {
			continue
		}
		s.Consumption = sum(s.Consumption, day.used)
		measured++
		if i < len(m.then) && day.like(m.then[i]) {
			now, then = sum(now, day.used), sum(then, m.then[i].used)
			same++
		}
	}
	if float64(same) >= enough*float64(measured) {
		s.SameDays, s.SameMonthLastYear = now, then
	}
	return s
}
