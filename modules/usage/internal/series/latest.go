package series

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/reading"
)

// Latest is the newest measurement of a connection: its last complete day, or its last meter reading with the usage since the previous one
// (9-usage-last-reading).
type Latest struct {
	EANCode     string          `json:"ean_code" doc:"EAN code of the connection"`
	Commodity   meter.Commodity `json:"commodity" enum:"GAS,ELECTRICITY" doc:"What is supplied over the connection"`
	From        value.Day       `json:"from" doc:"First day of the measured period"`
	Measured    value.Day       `json:"measured" doc:"Last day of the measured period"`
	Consumption *meter.Amount   `json:"consumption" nullable:"true" doc:"Usage in the period; null: unknown"`
	Feedin      *meter.Amount   `json:"feedin" nullable:"true" doc:"Feed-in in the period; null: none"`
	Unit        meter.Unit      `json:"unit" enum:"KWH,KWT,MTQ,M3N" doc:"Unit of the usage: KWH is kWh, M3N is normal cubic meter"`
	Previous    *meter.Amount   `json:"previous" nullable:"true" doc:"Usage in the previous period of the same length; null: unknown"`
	LastDay     value.Day       `json:"last_day,omitzero" doc:"Last day with measurements; absent if days are unknown or may not be shown"`

	Reading       *reading.Reading `json:"reading,omitempty" doc:"Last meter reading, if days are unknown or may not be shown"`
	ConsentNeeded bool             `json:"consent_needed" doc:"Whether days are not shown because consent is missing"`
}

// LatestOfDays returns the last complete day, or the last measured day if none is complete. Days are sorted, newest first.
func LatestOfDays(c meter.Connection, days []interval.Totals) (l Latest, ok bool) {
	if len(days) == 0 {
		return l, false
	}
	i := max(0, slices.IndexFunc(days, func(d interval.Totals) bool { return d.Missing == 0 }))
	a := days[i].Amounts()
	l = Latest{EANCode: c.EANCode, Commodity: c.Commodity, Unit: meter.UnitOf(c.Commodity), From: days[i].Day, Measured: days[i].Day,
		Consumption: a.Consumption, Feedin: a.Feedin()}
	if i+1 < len(days) && days[i+1].Day == l.From.AddDays(-1) && days[i].Missing == 0 && days[i+1].Missing == 0 {
		l.Previous = days[i+1].Amounts().Consumption
	}
	if last := slices.IndexFunc(days, func(d interval.Totals) bool { return !d.Amounts().IsEmpty() }); last >= 0 {
		l.LastDay = days[last].Day
	}
	return l, true
}

// LatestOfReadings returns the last reading with the usage since the previous one of the same meter, within the span of supply. Readings
// are sorted, oldest first. Without a previous reading, From and Measured are the day of the reading.
func LatestOfReadings(c meter.Connection, readings []reading.Stored, t meter.Span) (l Latest, ok bool) {
	if len(readings) == 0 {
		return l, false
	}
	last := readings[len(readings)-1]
	same := slices.DeleteFunc(slices.Clone(readings), func(s reading.Stored) bool {
		return s.MeterNumber != last.MeterNumber || !t.Contains(meter.Span{From: s.Day, Until: last.Day})
	})
	n := len(same)
	l = Latest{EANCode: c.EANCode, Commodity: c.Commodity, Unit: meter.UnitOf(c.Commodity), From: last.Day, Measured: last.Day,
		Reading: &reading.List(c, same, t)[0]}
	if n < 2 {
		return l, true
	}
	a := reading.Difference(same[n-2], same[n-1], c.Commodity)
	l.From, l.Measured, l.Consumption, l.Feedin = same[n-2].Day, last.Day.AddDays(-1), a.Consumption, a.Feedin()
	if n > 2 && same[n-2].Day.DaysSince(same[n-3].Day) == same[n-1].Day.DaysSince(same[n-2].Day) {
		l.Previous = reading.Difference(same[n-3], same[n-2], c.Commodity).Consumption
	}
	return l, true
}
