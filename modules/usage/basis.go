package usage

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// Basis is the legal basis on which a label shows the daily and finer values of smart meters (9-usage-intervals-basis).
type Basis string

// Legal bases: the customer's consent for the connection, or the contract itself, as with dynamic prices.
const (
	ByConsent  Basis = "consent"
	ByContract Basis = "contract"
)

// CheckHistory says why daily and finer values of a connection may not be shown: its meter cannot be read from afar, or the
// customer has not agreed to it and the label's contracts give no other basis (5.10-historical-conditions). It returns nil when
// they may be shown.
func CheckHistory(meter MeterType, consent bool, basis Basis) []string {
	switch {
	case meter != Smart:
		return []string{codeNotSupported}
	case !consent && basis != ByContract:
		return []string{codeConsentNeeded}
	}
	return nil
}

// CheckUnit says why a series of a connection may not be shown by this unit (9-usage-units). Months and years always may: without
// daily values they are differences of meter readings.
func CheckUnit(p Period, meter MeterType, consent bool, basis Basis) []string {
	if p == Mon || p == Years {
		return nil
	}
	return CheckHistory(meter, consent, basis)
}

// access is what decides about the daily values of a relation's connections: its consents and the label's basis.
type access struct {
	consents map[string]decision // by EAN
	basis    Basis
}

// access reads the consents of the call's relation.
func (s *service) access(ctx context.Context) (a access, err error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return a, err
	}
	return s.accessOf(ctx, rows, rows.Relation())
}

// accessOf reads the consents of a relation among rows.
func (s *service) accessOf(ctx context.Context, rows module.Rows, relation string) (a access, err error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return a, err
	}
	a.basis = set.Intervals
	a.consents, err = latestConsents(ctx, s.host.DB, rows, relation)
	return a, err
}

func (a access) check(c Connection) []string {
	return CheckHistory(c.MeterType, a.consents[c.EANCode].Given, a.basis)
}

func (a access) checkUnit(c Connection, p Period) []string {
	return CheckUnit(p, c.MeterType, a.consents[c.EANCode].Given, a.basis)
}

// hasDays reports whether daily and finer values of a connection may be shown.
func (a access) hasDays(c Connection) bool { return a.check(c) == nil }

// readings are those of a connection's readings, oldest first, that may be shown (9-usage-readings-spaced).
func (a access) readings(c Connection, standings []standing, t span, today value.Day) []standing {
	if a.needsConsent(c) {
		return spaced(standings, !t.end().After(today))
	}
	return standings
}

// needsConsent reports whether consent is what keeps daily values away.
func (a access) needsConsent(c Connection) bool { return c.MeterType == Smart && !a.hasDays(c) }
