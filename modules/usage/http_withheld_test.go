package usage_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/test/fixture"
)

// Amounts that occur only in intervals and daily readings. Responses must not contain them without a legal basis.
const (
	secretHour = "0.123"
	secretDay  = "2.829" // the sum of 23 hours
)

// secrets contains the amounts of hours and days in every format that occurs in responses, and the amounts of weeks and months of which
// only some days were measured.
var secrets = []string{secretHour, "0,123", secretDay, "7.777", "15.554", "54.439", "13.435", "130.090"}

// measured imports daily electricity readings from 20 August to 19 November, which differ by 7.777 per day, and the hours of a few days.
func (h household) measured(t *testing.T, all *fixture.Customers) {
	t.Helper()
	var readings []string
	on, err := value.ParseDay("2026-08-20")
	require.NoError(t, err)
	for n := range 92 {
		readings = append(readings, fmt.Sprintf(`{"ean_code":%q,"measurement_date":%q,"consumption_normal":%.3f,"consumption_low":500}`,
			h.power, on.AddDays(n), 1000+7.777*float64(n)))
	}
	load(t, all.Portal, "reading", readings...)
	load(t, all.Portal, "reading", fmt.Sprintf(`{"ean_code":%q,"measurement_date":"2026-10-01","consumption":100}`, h.gas),
		fmt.Sprintf(`{"ean_code":%q,"measurement_date":"2026-11-01","consumption":155.5}`, h.gas))
	load(t, all.Portal, "interval_day", hoursOf(h.power, "2026-11-17", "normal", 24, secretHour),
		hoursOf(h.power, "2026-11-18", "normal", 24, secretHour),
		hoursOf(h.gas, "2026-11-18", "consumption", 24, secretHour))
}

// pathsWithAmounts returns the paths of all operations whose responses contain amounts.
func (h household) pathsWithAmounts() (paths []string) {
	for _, ean := range []string{h.power, h.gas, h.old} {
		for _, unit := range []string{"hour", "day", "week", "month", "year"} {
			from := "2026-08-01"
			if unit == "hour" {
				from = "2026-11-10"
			}
			paths = append(paths, "/usage/"+ean+"/series?unit="+unit+"&from="+from+"&to=2026-12-01")
		}
		paths = append(paths, "/usage/"+ean+"/cost", "/usage/"+ean+"/cost?from=2026-11-17&to=2026-11-18",
			"/usage/"+ean+"/cost?from=2026-11-17&to=2026-11-19&unit=hour", "/usage/"+ean+"/net-metering")
		paths = append(paths, "/smartmeterreadings/csv/"+ean, "/smartmeterreadings/csv/"+ean+"?layout=excel", "/readings/"+h.agreement+"/L-"+
			h.Debtor+"/"+ean)
	}
	return append(paths, "/usage/latest", "/usage/summary", "/usage/forecast", consentPath, consentPath+"/"+h.agreement, "/connections")
}

// testWithheld verifies that no response contains daily or finer values of a smart meter without consent.
func testWithheld(t *testing.T, all *fixture.Customers) {
	h := newHousehold(all, t)
	h.measured(t, all)
	october := "unit=month&from=2026-08-01&to=2026-12-01"
	// usage in September and October, calculated from readings: 30 and 31 days of 7.777
	months := func(t *testing.T, c household) {
		t.Helper()
		s := c.series(t, c.power, october)
		require.Len(t, s.Points, 4)
		assert.Equal(t, []bool{true, false, false, true}, []bool{s.Points[0].Missing, s.Points[1].Missing, s.Points[2].Missing,
			s.Points[3].Missing},
			"August has no reading of its begin, November none of its end")
		assert.Equal(t, []float64{233.31, 241.087}, []float64{*s.Points[1].Consumption, *s.Points[2].Consumption})
		assert.InDelta(t, 233.31+241.087, *s.Total["consumption"], 1e-9)
		assert.False(t, s.Complete)
		assert.Equal(t, "2026-10-31T23:00:00Z", s.Updated.UTC().Format(time.RFC3339), "the last visible reading")
	}
	nothing := func(t *testing.T, c household) {
		t.Helper()
		for _, path := range c.pathsWithAmounts() {
			a := c.Do(http.MethodGet, path, nil)
			body := string(a.Body)
			for _, amount := range secrets {
				assert.NotContains(t, body, amount, path)
			}
		}
	}
	t.Run("5.10-historical-conditions,9-usage-units", func(t *testing.T) {
		nothing(t, h)
		for _, ean := range []string{h.power, h.gas} {
			for _, unit := range []string{"hour", "day", "week"} {
				a := h.Do(http.MethodGet, "/usage/"+ean+"/series?unit="+unit+"&from=2026-11-16&to=2026-11-20", nil)
				assert.Equal(t, []any{http.StatusForbidden, "usage.consent_needed"}, []any{a.Status, a.Code()}, unit)
			}
		}
		for _, unit := range []string{"hour", "day", "week"} {
			a := h.Do(http.MethodGet, "/usage/"+h.old+"/series?unit="+unit+"&from=2026-11-16&to=2026-11-20", nil)
			assert.Equal(t, []any{http.StatusUnprocessableEntity, "usage.not_supported"}, []any{a.Status, a.Code()}, unit)
		}
		for _, ean := range []string{h.power, h.gas, h.old} {
			for _, unit := range []string{"month", "year"} {
				a := h.Do(http.MethodGet, "/usage/"+ean+"/series?unit="+unit+"&from=2026-11-16&to=2026-11-20", nil)
				assert.Equal(t, http.StatusOK, a.Status, "9-usage-units: by %s always", unit)
			}
		}
	})
	t.Run("9-usage-month-readings", func(t *testing.T) {
		months(t, h)
		year := h.series(t, h.power, "unit=year&from=2026-01-01&to=2027-01-01")
		assert.InDelta(t, 233.31+241.087, *year.Points[0].Consumption, 1e-9)
		assert.True(t, year.Points[0].Partial)
		gas := h.series(t, h.gas, october)
		assert.Equal(t, 55.5, *gas.Points[2].Consumption)
	})
	t.Run("9-usage-readings-spaced", func(t *testing.T) {
		var days []string
		for _, r := range h.list(t, "/readings/"+h.agreement+"/L-"+h.Debtor+"/"+h.power) {
			days = append(days, r["measurement_date"].(string))
		}
		assert.Equal(t, []string{"2026-11-01", "2026-10-01", "2026-09-01", "2026-08-20"}, days)
	})
	t.Run("9-usage-last-reading", func(t *testing.T) {
		list := h.list(t, "/usage/latest")
		require.Len(t, list, 2)
		power := list[0]
		assert.Equal(t, []any{h.power, "2026-10-01", "2026-10-31", 241.087, true},
			[]any{power["ean_code"], power["from"], power["measured"], power["consumption"], power["consent_needed"]})
		reading := power["reading"].(map[string]any)
		assert.Equal(t, []any{"2026-11-01", 1567.721, 500.0}, []any{reading["measurement_date"], reading["consumption_normal"],
			reading["consumption_low"]})
		sum := h.Get(t, "/usage/summary")
		assert.Equal(t, []any{nil, nil, nil, true}, []any{sum["consumption"], sum["same_days"], sum["same_month_last_year"],
			sum["consent_needed"]})
		assert.Equal(t, reading, sum["reading"])
		for _, d := range sum["days"].([]any) {
			assert.Nil(t, d)
		}
	})
	t.Run("5.10-historical-conditions", func(t *testing.T) { // for every caller
		impersonator := h
		impersonator.Customer = fixture.Customer{Caller: h.Portal.Impersonator("alpha", h.Relation), Debtor: h.Debtor}
		nothing(t, impersonator)
		months(t, impersonator)
	})
	t.Run("5.10-historical-conditions", func(t *testing.T) {
		h.Get(t, consentPath+"?consentGiven=true&ean="+h.power)
		hours := h.series(t, h.power, "unit=hour&from=2026-11-18&to=2026-11-19")
		assert.Equal(t, 0.123, *hours.Points[0].Consumption)
		days := "&from=2026-11-16&to=2026-11-20"
		for path, amount := range map[string]string{"/usage/" + h.power + "/series?unit=hour" + days: secretHour,
			"/usage/" + h.power + "/series?unit=day" + days: secretDay, "/usage/" + h.power + "/series?unit=week" + days: "13.435",
			"/usage/" + h.power + "/series?unit=month" + days: "130.090", "/smartmeterreadings/csv/" + h.power: secretHour,
			"/smartmeterreadings/csv/" + h.power + "?layout=excel": "0,123", "/usage/latest": "7.777", "/usage/summary": secretDay,
			"/readings/" + h.agreement + "/L-" + h.Debtor + "/" + h.power: "7.777", consentPath + "/" + h.agreement: "130.090"} {
			assert.Contains(t, string(h.Do(http.MethodGet, path, nil).Body), amount, "what is withheld without consent: %s", path)
		}
		require.Len(t, h.list(t, "/readings/"+h.agreement+"/L-"+h.Debtor+"/"+h.power), 92)
		a := h.Do(http.MethodGet, "/usage/"+h.gas+"/series?unit=hour&from=2026-11-18&to=2026-11-19", nil)
		assert.Equal(t, http.StatusForbidden, a.Status, "the other connection has consent")
		assert.NotContains(t, string(h.Do(http.MethodGet, consentPath+"/"+h.agreement, nil).Body), h.gas)
		h.Get(t, consentPath+"?consentGiven=false&ean="+h.power)
		nothing(t, h)
		months(t, h)
	})
}

// With the legal basis "contract", a label shows hours without consent. By default, consent is required.
func TestUsageBasis(t *testing.T) {
	t.Parallel()
	portaltest.Each(t, portaltest.Options{Modules: withUsage,
		Labels: []portaltest.Label{{Key: "alpha", CUE: `modules: usage: intervals: "contract"`}}}, func(t *testing.T, s *portaltest.Portal) {
		t.Run("9-usage-intervals-basis", func(t *testing.T) {
			all := &fixture.Customers{Portal: s, T: t}
			h := newHousehold(all, t)
			h.measured(t, all)
			hours := h.series(t, h.power, "unit=hour&from=2026-11-18&to=2026-11-19")
			assert.Equal(t, 0.123, *hours.Points[0].Consumption)
			assert.Equal(t, http.StatusOK, h.Do(http.MethodGet, "/smartmeterreadings/csv/"+h.power, nil).Status)
			assert.Equal(t, http.StatusOK, h.Do(http.MethodGet, consentPath+"/"+h.agreement, nil).Status)
			assert.Contains(t, string(h.Do(http.MethodGet, "/usage/summary", nil).Body), secretDay)
			assert.Equal(t, false, h.Get(t, "/usage/summary")["consent_needed"], "no consent is requested")
			latest := h.list(t, "/usage/latest")
			require.NotEmpty(t, latest)
			for _, l := range latest {
				assert.Equal(t, false, l["consent_needed"], "no consent is requested: %v", l["ean_code"])
			}
			require.Len(t, h.list(t, "/readings/"+h.agreement+"/L-"+h.Debtor+"/"+h.power), 92)
			a := h.Do(http.MethodGet, "/usage/"+h.old+"/series?unit=hour&from=2026-11-18&to=2026-11-19", nil)
			assert.Equal(t, "usage.not_supported", a.Code())
			a = h.Do(http.MethodPost, "/smartmeterreadings/retrievals", map[string]string{"agreement_identifier": h.agreement})
			require.Equal(t, http.StatusAccepted, a.Status, string(a.Body))
			s.Eventually(func() bool {
				return strings.Contains(string(h.Do(http.MethodGet, consentPath+"/"+h.agreement, nil).Body), `"state":"DONE"`)
			})
		})
	})
}
