package history

import (
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/reading"
)

// Basis is the legal basis on which a label shows daily and finer values of smart meters (9-usage-intervals-basis).
type Basis string

// Legal bases: the customer's consent for the connection, or the contract itself, as with dynamic prices.
const (
	ByConsent  Basis = "consent"
	ByContract Basis = "contract"
)

// checkDays returns the reason why daily and finer values of a connection may not be shown: the meter is not smart, or the customer has
// not given consent and the label has no other basis (5.10-historical-conditions). It returns nil if they may be shown.
func checkDays(kind meter.Type, consent bool, basis Basis) []string {
	switch {
	case kind != meter.Smart:
		return []string{CodeNotSupported}
	case !consent && basis != ByContract:
		return []string{CodeConsentNeeded}
	}
	return nil
}

// checkUnit returns the reason why a series of a connection may not be shown with this period (9-usage-units). Months and years may always
// be shown, because without daily values they are calculated from meter readings.
func checkUnit(p meter.Period, kind meter.Type, consent bool, basis Basis) []string {
	if p == meter.Monthly || p == meter.Yearly {
		return nil
	}
	return checkDays(kind, consent, basis)
}

// Access contains the consents of a relation and the label's legal basis. They determine whether daily values may be shown.
type Access struct {
	Consents map[string]Decision // by EAN
	Basis    Basis
}

// Check returns the reason why daily and finer values of a connection may not be shown, as the only element, or nil if they may be shown
// (5.10-historical-conditions, 9-usage-intervals-basis).
func (a Access) Check(c meter.Connection) []string {
	return checkDays(c.MeterType, a.Consents[c.EANCode].Given, a.Basis)
}

// CheckUnit returns the reason why a series of a connection may not be shown with this period, as the only element, or nil if it may be
// shown (9-usage-units).
func (a Access) CheckUnit(c meter.Connection, p meter.Period) []string {
	return checkUnit(p, c.MeterType, a.Consents[c.EANCode].Given, a.Basis)
}

// CanShowDays reports whether daily and finer values of a connection may be shown.
func (a Access) CanShowDays(c meter.Connection) bool { return a.Check(c) == nil }

// CanRetrieve reports whether historical data of a connection with a smart meter may be retrieved.
func (a Access) CanRetrieve(ean string) bool { return a.Consents[ean].Given || a.Basis == ByContract }

// VisibleReadings returns the readings of a connection that may be shown, oldest first (9-usage-readings-spaced).
func (a Access) VisibleReadings(c meter.Connection, readings []reading.Stored, t meter.Span, today value.Day) []reading.Stored {
	if a.NeedsConsent(c) {
		return reading.ThinOut(readings, !t.End().After(today))
	}
	return readings
}

// NeedsConsent reports whether daily values are withheld only because consent is missing.
func (a Access) NeedsConsent(c meter.Connection) bool {
	return c.MeterType == meter.Smart && !a.CanShowDays(c)
}
