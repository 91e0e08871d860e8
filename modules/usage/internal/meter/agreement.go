package meter

import (
	"slices"

	"github.com/wattle-portal/wattle/core/value"
)

// Cancelled is the status of an agreement that never began.
const Cancelled = "CANCELLED"

// Agreement contains the fields of billing's agreements that this module uses.
type Agreement struct {
	Identifier   string
	WithSequence string
	Status       string
	From         value.Day
	To           value.Day // last day; zero if no end is known
	EANs         []string
}

// HasID reports whether id is the agreement's identifier, with or without sequence.
func (a Agreement) HasID(id string) bool {
	return id != "" && (id == a.Identifier || id == a.WithSequence)
}

// supplies reports whether the agreement supplies the connection.
func (a Agreement) supplies(ean string) bool {
	return slices.Contains(a.EANs, ean)
}

// Span returns the days of the agreement. The span has no end if none is known.
func (a Agreement) Span() Span {
	s := Span{From: a.From}
	if !a.To.IsZero() {
		s.Until = a.To.AddDays(1)
	}
	return s
}

// SupplySpan returns the span in which agreements of the relation supply a connection. Measurements outside it belong to another household
// and are never shown. ok is false if no agreement supplies the connection.
func SupplySpan(c Connection, agreements []Agreement) (s Span, ok bool) {
	var all []Span
	for _, a := range agreements {
		if a.Status != Cancelled && !a.From.IsZero() && c.BelongsTo(a) {
			all = append(all, a.Span())
		}
	}
	if len(all) == 0 {
		return s, false
	}
	return Union(all), true
}

// SupplySpanOrEmpty returns the span in which agreements of the relation supply a connection, or a span without days if none does.
func SupplySpanOrEmpty(c Connection, agreements []Agreement) Span {
	if s, ok := SupplySpan(c, agreements); ok {
		return s
	}
	return Span{From: maxDay, Until: maxDay}
}
