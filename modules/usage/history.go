package usage

import (
	"slices"
	"time"

	"github.com/wattle-portal/wattle/core/value"
)

// HistoryStart is the first day that historical meter data reaches back to: months before today, or the start of the contract
// when that is later (9-historical-span).
func HistoryStart(contractStart, today value.Day, months int) value.Day {
	start := today.AddMonths(-months)
	if contractStart.After(start) {
		return contractStart
	}
	return start
}

// History is what is known of an agreement's past usage.
type History struct {
	AgreementIdentifier string     `json:"agreement_identifier"`
	From                value.Day  `json:"from" doc:"First day that historical data reaches back to"`
	LastRetrieval       *time.Time `json:"last_retrieval" nullable:"true" doc:"When a retrieval for this agreement was done last"`
	Retrieval           Retrieval  `json:"retrieval"`

	Connections []ConnectionHistory `json:"connections" nullable:"false" doc:"Those whose daily values may be shown: with a smart meter and consent, or by contract"`
}

// ConnectionHistory is the past usage of one connection, by month.
type ConnectionHistory struct {
	EANCode   string    `json:"ean_code"`
	Commodity Commodity `json:"commodity" enum:"GAS,ELECTRICITY"`
	Unit      Unit      `json:"unit" enum:"KWH,KWT,MTQ,M3N"`
	From      value.Day `json:"from" doc:"First day that is shown"`
	Until     value.Day `json:"until,omitzero" doc:"Last day with measurements; absent without any"`

	Months []Month `json:"months" nullable:"false" doc:"Oldest first; a month without measurements is left out"`
}

// Month is a month's usage.
type Month struct {
	Month string `json:"month" doc:"2026-11"`
	Amounts
	Partial bool `json:"partial" doc:"Part of the month has no measurements"`
}

// cancelled is the status of an agreement that never came into force.
const cancelled = "CANCELLED"

// Agreement is what this module needs of billing's agreements: which connections it supplies, from when until when.
type Agreement struct {
	Identifier   string
	WithSequence string
	Status       string
	From         value.Day
	To           value.Day // its last day; zero: no end is known
	EANs         []string
}

// named reports whether id is the agreement's identifier, with or without its sequence.
func (a Agreement) named(id string) bool {
	return id != "" && (id == a.Identifier || id == a.WithSequence)
}

// supplies reports whether the agreement supplies the connection.
func (a Agreement) supplies(ean string) bool {
	return slices.Contains(a.EANs, ean)
}

// span is a stretch of days: from its first to the one before until. A zero until is open. Gaps are stretches inside it that do not
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

// supplied is from when until when the relation has been supplied at a connection, by its agreements. What was measured there
// before, after or in between is of another household and never shown. Not ok: no agreement has the connection.
func supplied(c Connection, agreements []Agreement) (s span, ok bool) {
	var all []span
	for _, a := range agreements {
		if a.Status != cancelled && !a.From.IsZero() && c.of(a) {
			all = append(all, a.span())
		}
	}
	if len(all) == 0 {
		return s, false
	}
	return joined(all), true
}

// joined is the span from the begin of the first to the end of the last, with the gaps between them; there is at least one.
func joined(all []span) span {
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

// within narrows a span to another, which has no gaps.
func (s span) within(o span) span {
	if o.from.After(s.from) {
		s.from = o.from
	}
	if !o.until.IsZero() && (s.until.IsZero() || o.until.Before(s.until)) {
		s.until = o.until
	}
	return s
}

// foreign reports whether a day lies in a gap of the span.
func (s span) foreign(d value.Day) bool {
	return slices.ContainsFunc(s.gaps, func(g span) bool { return !d.Before(g.from) && d.Before(g.until) })
}

// covers reports whether all days of another span lie in this one.
func (s span) covers(o span) bool {
	return !o.from.Before(s.from) && !o.until.After(s.end()) && !slices.ContainsFunc(s.gaps, func(g span) bool {
		return o.from.Before(g.until) && g.from.Before(o.until)
	})
}

// days is how many days the span has; it has an end.
func (s span) days() int { return s.until.DaysSince(s.from) }

// suppliedOrNever is supplied, with a span without days where no agreement has the connection.
func suppliedOrNever(c Connection, agreements []Agreement) span {
	if s, ok := supplied(c, agreements); ok {
		return s
	}
	return span{from: farthest, until: farthest}
}

// farthest stands for "never".
var farthest = value.Day{Year: 9999, Month: time.December, Day: 31}

// end is the day after the last, one that never comes for a span without end.
func (s span) end() value.Day {
	if s.until.IsZero() {
		return farthest
	}
	return s.until
}

// months sums days, oldest first, by month. A month without measurements is left out.
func months(days []dayTotals) []Month {
	out, measured := []Month{}, 0
	for i, d := range days {
		begin := Mon.begin(d.Day)
		if i == 0 || begin != Mon.begin(days[i-1].Day) {
			out, measured = append(out, Month{Month: begin.String()[:7]}), 0
		}
		m := &out[len(out)-1]
		m.plus(d.amounts())
		m.Partial = m.Partial || d.Missing > 0
		measured++
		if i+1 == len(days) || begin != Mon.begin(days[i+1].Day) {
			m.Partial = m.Partial || measured < Mon.next(begin).DaysSince(begin)
		}
	}
	return out
}
