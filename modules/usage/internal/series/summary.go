package series

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/reading"
)

// Summary is the usage of the current month: electricity, or gas for a relation with gas connections only.
type Summary struct {
	Month             string           `json:"month" doc:"Month as YYYY-MM"`
	Commodity         meter.Commodity  `json:"commodity" enum:"GAS,ELECTRICITY" doc:"Commodity whose usage is shown"`
	Unit              meter.Unit       `json:"unit" enum:"KWH,KWT,MTQ,M3N" doc:"Unit of the usage: KWH is kWh, M3N is normal cubic meter"`
	Consumption       *meter.Amount    `json:"consumption" nullable:"true" doc:"Usage in this month until now; null: no measurements"`
	SameMonthLastYear *meter.Amount    `json:"same_month_last_year" nullable:"true" doc:"Usage in last year's month on days complete in both years; null: too few"`
	SameDays          *meter.Amount    `json:"same_days" nullable:"true" doc:"Usage in this month on the days counted in same_month_last_year"`
	Days              NullableAmounts  `json:"days" nullable:"false" doc:"Usage per day of the month; null: a gap or a future day"`
	Reading           *reading.Reading `json:"reading,omitempty" doc:"Last meter reading of the connections that are not counted"`
	ConsentNeeded     bool             `json:"consent_needed" doc:"Whether connections are not counted because consent is missing"`
}

// NullableAmounts is a list of amounts in which null is a gap.
type NullableAmounts []*meter.Amount

// Schema returns the OpenAPI schema of the list.
func (NullableAmounts) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeNumber, Nullable: true}}
}

// Comparison adds up a month and the same month of the previous year.
type Comparison struct {
	Summary
	first     value.Day
	now, then []tally // by day of the month
}

// tally is the usage of the connections on a day, their number, and the number of those with complete measurements.
type tally struct {
	used            *meter.Amount
	parts, complete int
}

// add adds the day of a connection.
func (t *tally) add(d interval.Totals) {
	t.used = meter.Sum(t.used, d.Amounts().Consumption)
	t.parts++
	if d.Missing == 0 {
		t.complete++
	}
}

// isComparable reports whether two days can be compared: both have the same number of connections, all with complete measurements.
func (t tally) isComparable(o tally) bool {
	return t.used != nil && o.used != nil && t.complete == t.parts && o.complete == o.parts && t.parts == o.parts
}

// NewComparison returns an empty summary of the current month.
func NewComparison(today value.Day, connections []meter.Connection) *Comparison {
	first := meter.Monthly.Begin(today)
	commodity := meter.Electricity
	if len(connections) > 0 && !slices.ContainsFunc(connections, func(c meter.Connection) bool { return c.Commodity == meter.Electricity }) {
		commodity = meter.Gas
	}
	m := &Comparison{first: first, Summary: Summary{Month: first.String()[:7], Commodity: commodity, Unit: meter.UnitOf(commodity)}}
	m.now, m.then = make([]tally, m.ThisMonth().Days()), make([]tally, m.LastYear().Days())
	return m
}

// ThisMonth returns the days of the month.
func (m *Comparison) ThisMonth() meter.Span {
	return meter.Span{From: m.first, Until: m.first.AddMonths(1)}
}

// LastYear returns the days of the same month of the previous year.
func (m *Comparison) LastYear() meter.Span {
	return meter.Span{From: m.first.AddMonths(-12), Until: m.first.AddMonths(-11)}
}

// Add adds the days of a connection in both months.
func (m *Comparison) Add(now, then []interval.Totals) {
	for _, d := range now {
		m.now[d.Day.Day-1].add(d)
	}
	for _, d := range then {
		m.then[d.Day.Day-1].add(d)
	}
}

// AddWithheld adds a connection whose days are unknown or may not be shown: its last reading is returned instead (9-usage-last-reading).
// Readings are sorted, newest first.
func (m *Comparison) AddWithheld(readings []reading.Reading, needsConsent bool) {
	m.ConsentNeeded = m.ConsentNeeded || needsConsent
	if len(readings) > 0 && (m.Reading == nil || readings[0].MeasurementDate.After(m.Reading.MeasurementDate)) {
		m.Reading = &readings[0]
	}
}

// Result compares the days with complete measurements in both years. 29 February has no counterpart in the previous year.
func (m *Comparison) Result() Summary {
	s := m.Summary
	s.Days = make(NullableAmounts, len(m.now))
	measured, same := 0, 0
	var now, then *meter.Amount
	for i, day := range m.now {
		s.Days[i] = day.used
		if day.used == nil {
			continue
		}
		s.Consumption = meter.Sum(s.Consumption, day.used)
		measured++
		if i < len(m.then) && day.isComparable(m.then[i]) {
			now, then = meter.Sum(now, day.used), meter.Sum(then, m.then[i].used)
			same++
		}
	}
	if float64(same) >= meter.MinComparable*float64(measured) {
		s.SameDays, s.SameMonthLastYear = now, then
	}
	return s
}
