package history

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
)

func TestAccess(t *testing.T) {
	a := Access{Consents: map[string]Decision{"given": {Given: true}}, Basis: ByConsent}
	smart, plain := meter.Connection{EANCode: "given", MeterType: meter.Smart},
		meter.Connection{EANCode: "given", MeterType: meter.Conventional}
	other := meter.Connection{EANCode: "other", MeterType: meter.Smart}
	assert.Equal(t, []bool{true, false, false}, []bool{a.CanShowDays(smart), a.CanShowDays(plain), a.CanShowDays(other)})
	assert.Equal(t, []bool{false, false, true}, []bool{a.NeedsConsent(smart), a.NeedsConsent(plain), a.NeedsConsent(other)})
	assert.Equal(t, []bool{true, false}, []bool{a.CanRetrieve("given"), a.CanRetrieve("other")})
	assert.True(t, Access{Basis: ByContract}.CanRetrieve("other"))
}

// historySettings are the settings of the cases.
type historySettings struct {
	HistoryMonths int `json:"history_months"`
	Intervals     Basis
}

// vectors runs the cases of schemas/rules/<row>.json.
func vectors[G any](t *testing.T, row string, check func(given G, today value.Day, set historySettings) []string) {
	t.Helper()
	t.Run(row, func(t *testing.T) {
		moduletest.Vectors(t, "../../../../schemas/rules/"+row+".json", func(given G, today value.Day, set historySettings) []string {
			return append([]string{}, check(given, today, set)...)
		})
	})
}

func TestHistory(t *testing.T) {
	type contract struct {
		Start value.Day `json:"contract_start"`
	}
	vectors(t, "9-historical-span", func(c contract, today value.Day, set historySettings) []string {
		return []string{Start(c.Start, today, set.HistoryMonths).String()}
	})
	type metered struct {
		Type    meter.Type `json:"meter_type"`
		Consent bool
		Unit    meter.Period
	}
	check := func(m metered, _ value.Day, set historySettings) []string {
		return checkDays(m.Type, m.Consent, set.Intervals)
	}
	vectors(t, "5.10-historical-conditions", check)
	vectors(t, "9-usage-intervals-basis", check)
	vectors(t, "9-usage-units", func(m metered, _ value.Day, set historySettings) []string {
		return checkUnit(m.Unit, m.Type, m.Consent, set.Intervals)
	})
	t.Run("an empty basis requires consent", func(t *testing.T) {
		assert.Equal(t, []string{CodeConsentNeeded}, checkDays(meter.Smart, false, ""))
	})
}
