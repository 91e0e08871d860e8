package history

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/reading"
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
	t.Run("9-usage-readings-spaced", func(t *testing.T) {
		var daily []reading.Stored
		for n := range 10 {
			daily = append(daily, reading.Stored{Day: day("2026-10-10").AddDays(n), MeterNumber: "E1"})
		}
		today := day("2026-11-20")
		for name, c := range map[string]struct {
			access Access
			of     meter.Connection
			want   int
		}{
			"without consent": {a, other, 1}, "with consent": {a, smart, 10}, "by contract": {Access{Basis: ByContract}, other, 10},
			"a meter that is not smart": {a, plain, 10},
		} {
			assert.Len(t, c.access.VisibleReadings(c.of, daily, meter.Span{}, today), c.want, name)
		}
		ended := meter.Span{From: day("2026-01-01"), Until: today}
		assert.Len(t, a.VisibleReadings(other, daily, ended, today), 2, "the last of a supply that ended yesterday counts no more")
		ended.Until = today.AddDays(1)
		assert.Len(t, a.VisibleReadings(other, daily, ended, today), 1, "of one that ends today it does")
	})
}

// historySettings contains the settings of the test cases.
type historySettings struct {
	HistoryMonths int `json:"history_months"`
	Intervals     Basis
}

// vectors runs the cases of schemas/rules/<row>.json.
func vectors[G any](t *testing.T, row string, check func(input G, today value.Day, set historySettings) []string) {
	t.Helper()
	t.Run(row, func(t *testing.T) {
		moduletest.RunCases(t, "../../../../schemas/rules/"+row+".json", func(input G, today value.Day, set historySettings) []string {
			return append([]string{}, check(input, today, set)...)
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
	t.Run("9-usage-intervals-basis", func(t *testing.T) { // the default legal basis
		assert.Equal(t, []string{CodeConsentNeeded}, checkDays(meter.Smart, false, ""))
	})
}
