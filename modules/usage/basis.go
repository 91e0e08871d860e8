package usage

import (
	"context"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
)

// Basis is the legal basis on which a label shows daily and finer values of smart meters (9-usage-intervals-basis).
type Basis string

// Legal bases: the customer's consent for the connection, or the contract itself, as with dynamic prices.
const (
	ByConsent  Basis = "consent"
	ByContract Basis = "contract"
)

// CheckHistory returns the reason why daily and finer values of a connection may not be shown: the meter is not smart, or the customer has
// not given consent and the label has no other basis (5.10-historical-conditions). It returns nil if they may be shown.
func CheckHistory(meter MeterType, consent bool, basis Basis) []string {
	switch {
	case meter != Smart:
		return []string{codeNotSupported}
	case !consent && basis != ByContract:
		return []string{codeConsentNeeded}
	}
	return nil
}

// CheckUnit returns the reason why a series of a connection may not be shown with this period (9-usage-units). Months and years may always
// be shown: without daily values they are differences of meter readings.
func CheckUnit(p Period, meter MeterType, consent bool, basis Basis) []string {
	if p == Monthly || p == Yearly {
		return nil
	}
	return CheckHistory(meter, consent, basis)
}

// access contains the consents of a relation and the label's basis, which decide about daily values.
type access struct {
	consents map[string]decision // by EAN
	basis    Basis
}

// access returns the access for the relation of the call.
func (s *service) access(ctx context.Context) (a access, err error) {
	rows, err := module.Mine(ctx)
	if err != nil {
		return a, err
	}
	return s.accessOf(ctx, rows, rows.Relation())
}

// accessOf returns the access for a relation.
func (s *service) accessOf(ctx context.Context, rows module.Rows, relation string) (a access, err error) {
	set, err := module.Settings[Settings](ctx)
	if err != nil {
		return a, err
	}
	a.basis = set.Intervals
	a.consents, err = latestDecisions(ctx, s.host.DB, rows, relation)
	return a, err
}

func (a access) check(c Connection) []string {
	return CheckHistory(c.MeterType, a.consents[c.EANCode].Given, a.basis)
}

func (a access) checkUnit(c Connection, p Period) []string {
	return CheckUnit(p, c.MeterType, a.consents[c.EANCode].Given, a.basis)
}

// canShowDays reports whether daily and finer values of a connection may be shown.
func (a access) canShowDays(c Connection) bool { return a.check(c) == nil }

// visibleReadings returns the readings of a connection that may be shown, oldest first (9-usage-readings-spaced).
func (a access) visibleReadings(c Connection, readings []storedReading, t span, today value.Day) []storedReading {
	if a.needsConsent(c) {
		return spacedReadings(readings, !t.end().After(today))
	}
	return readings
}

// needsConsent reports whether daily values are withheld only because consent is missing.
func (a access) needsConsent(c Connection) bool { return c.MeterType == Smart && !a.canShowDays(c) }
