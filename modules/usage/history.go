package usage

import (
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// HistoryStart returns the first day of historical meter data: months before today, or the start of the contract if that is later
// (9-historical-span).
func HistoryStart(contractStart, today value.Day, months int) value.Day {
	start := today.AddMonths(-months)
	if contractStart.After(start) {
		return contractStart
	}
	return start
}

// History is the historical usage of an agreement.
type History struct {
	AgreementIdentifier string     `json:"agreement_identifier" doc:"Id of the agreement, without sequence"`
	From                value.Day  `json:"from" doc:"First day of historical data"`
	LastRetrieval       *time.Time `json:"last_retrieval" nullable:"true" doc:"Time of the last successful retrieval; null: none"`
	Retrieval           Retrieval  `json:"retrieval" doc:"State of the last retrieval"`

	Connections []ConnectionHistory `json:"connections" nullable:"false" doc:"Connections whose daily values may be shown"`
}

// ConnectionHistory is the historical usage of one connection by month.
type ConnectionHistory struct {
	EANCode   string    `json:"ean_code" doc:"EAN code of the connection"`
	Commodity Commodity `json:"commodity" enum:"GAS,ELECTRICITY" doc:"What is supplied over the connection"`
	Unit      Unit      `json:"unit" enum:"KWH,KWT,MTQ,M3N" doc:"Unit of the usage: KWH is kWh, M3N is normal cubic meter"`
	From      value.Day `json:"from" doc:"First day of the data"`
	Until     value.Day `json:"until,omitzero" doc:"Last day with measurements; absent: none"`

	Months []Month `json:"months" nullable:"false" doc:"Usage by month, oldest first; months without measurements are left out"`
}

// Month is the usage of a month.
type Month struct {
	Month string `json:"month" doc:"Month as YYYY-MM"`
	Amounts
	Partial bool `json:"partial" doc:"Whether part of the month was not measured"`
}

// cancelled is the status of an agreement that never began.
const cancelled = "CANCELLED"

// Agreement contains the fields of billing's agreements that this module uses.
type Agreement struct {
	Identifier   string
	WithSequence string
	Status       string
	From         value.Day
	To           value.Day // last day; zero: no end is known
	EANs         []string
}

// hasID reports whether id is the agreement's identifier, with or without sequence.
func (a Agreement) hasID(id string) bool {
	return id != "" && (id == a.Identifier || id == a.WithSequence)
}

// supplies reports whether the agreement supplies the connection.
func (a Agreement) supplies(ean string) bool {
	return slices.Contains(a.EANs, ean)
}

// span is a range of days from the first to the one before until. A zero until means no end. Gaps are ranges within the span that do not
// belong to it.
type span struct {
	from, until value.Day
	gaps        []span
}

func (a Agreement) span() span {
	s := span{from: a.From}
	if !a.To.IsZero() {
		s.until = a.To.AddDays(1)
	}
	return s
}

// supplySpan returns the span in which agreements of the relation supply a connection. Measurements outside it belong to another household
// and are never shown. ok is false if no agreement supplies the connection.
func supplySpan(c Connection, agreements []Agreement) (s span, ok bool) {
	var all []span
	for _, a := range agreements {
		if a.Status != cancelled && !a.From.IsZero() && c.belongsTo(a) {
			all = append(all, a.span())
		}
	}
	if len(all) == 0 {
		return s, false
	}
	return union(all), true
}

// union returns the span from the first begin to the last end, with the gaps in between. all must not be empty.
func union(all []span) span {
	slices.SortFunc(all, func(a, b span) int { return a.from.DaysSince(b.from) })
	s := all[0]
	for _, next := range all[1:] {
		if s.until.IsZero() {
			break
		}
		if next.from.After(s.until) {
			s.gaps = append(s.gaps, span{from: s.until, until: next.from})
		}
		if next.until.IsZero() || next.until.After(s.until) {
			s.until = next.until
		}
	}
	return s
}

// within limits a span to another one without gaps.
func (s span) within(o span) span {
	if o.from.After(s.from) {
		s.from = o.from
	}
	if !o.until.IsZero() && (s.until.IsZero() || o.until.Before(s.until)) {
		s.until = o.until
	}
	return s
}

// inGap reports whether a day is in a gap of the span.
func (s span) inGap(d value.Day) bool {
	return slices.ContainsFunc(s.gaps, func(g span) bool { return !d.Before(g.from) && d.Before(g.until) })
}

// contains reports whether all days of another span are in this one.
func (s span) contains(o span) bool {
	return !o.from.Before(s.from) && !o.until.After(s.end()) && !slices.ContainsFunc(s.gaps, func(g span) bool {
		return o.from.Before(g.until) && g.from.Before(o.until)
	})
}

// days returns the number of days of a span with an end.
func (s span) days() int { return s.until.DaysSince(s.from) }

// supplySpanOrEmpty returns supplySpan, or a span without days if no agreement supplies the connection.
func supplySpanOrEmpty(c Connection, agreements []Agreement) span {
	if s, ok := supplySpan(c, agreements); ok {
		return s
	}
	return span{from: maxDay, until: maxDay}
}

// maxDay is the day that stands for "no end".
var maxDay = value.Day{Year: 9999, Month: time.December, Day: 31}

// end returns the day after the last one, or maxDay for a span without an end.
func (s span) end() value.Day {
	if s.until.IsZero() {
		return maxDay
	}
	return s.until
}

// months adds up days by month. Days are sorted, oldest first; months without measurements are left out.
func months(days []dayTotals) []Month {
	out, measured := []Month{}, 0
	for i, d := range days {
		begin := Monthly.begin(d.Day)
		if i == 0 || begin != Monthly.begin(days[i-1].Day) {
			out, measured = append(out, Month{Month: begin.String()[:7]}), 0
		}
		m := &out[len(out)-1]
		m.add(d.amounts())
		m.Partial = m.Partial || d.Missing > 0
		measured++
		if i+1 == len(days) || begin != Monthly.begin(days[i+1].Day) {
			m.Partial = m.Partial || measured < Monthly.next(begin).DaysSince(begin)
		}
	}
	return out
}
