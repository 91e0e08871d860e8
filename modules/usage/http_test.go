package usage_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/portaltest"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/modules/account"
	"github.com/wattle-portal/wattle/modules/billing"
	"github.com/wattle-portal/wattle/modules/usage"
	"github.com/wattle-portal/wattle/modules/usage/internal/history"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/test/fixture"
)

var withUsage = []module.Module{account.Module, billing.Module, usage.Module}

// household is a customer with an agreement since 2026-02-01 and three connections: smart electricity, smart gas and an old gas meter.
type household struct {
	fixture.Customer
	power, gas, old string // EAN codes
	agreement       string
}

var eans atomic.Int64

func newEAN() string { return fmt.Sprintf("8716000%011d", eans.Add(1)) }

// load imports records of a kind and requires that none is refused.
func load(t *testing.T, s *portaltest.Portal, kind string, records ...string) {
	t.Helper()
	require.Empty(t, refusals(t, s, kind, records...))
}

// refusals imports records and returns the refusals as "line field code".
func refusals(t *testing.T, s *portaltest.Portal, kind string, records ...string) (out []string) {
	t.Helper()
	rows := make([]any, len(records))
	for i, r := range records {
		rows[i] = r
	}
	for _, r := range s.For(t).Import("alpha", kind, rows...) {
		out = append(out, fmt.Sprintf("%d %s %s", r.Line, r.Field, r.Code))
	}
	return out
}

func newHousehold(c *fixture.Customers, t *testing.T) household {
	t.Helper()
	h := household{c.New(), newEAN(), newEAN(), newEAN(), ""}
	h.agreement = "A" + h.Debtor
	load(t, c.Portal, "agreement", fmt.Sprintf(`{"debtor_number":%q,"agreement_identifier":%q,"agreement_identifier_with_sequence":"%[2]s-1",
		"name":"Groen","period":{"from":"2026-02-01","to":null},"product_category":"ENERGY","status":"ACTIVE"}`, h.Debtor, h.agreement))
	for ean, kind := range map[string]string{h.power: `"ELECTRICITY","meter_type":"SMART"`, h.gas: `"GAS","meter_type":"SMART"`,
		h.old: `"GAS","meter_type":"CONVENTIONAL"`} {
		load(t, c.Portal, "connection", fmt.Sprintf(`{"debtor_number":%q,"ean_code":%q,"commodity":%s,"ean_group_number":"G1","location_id":"L-%[1]s",
			"meter_number":"M1","capacity":"3x25A","address":{"street":"Molenweg","house_number":12,"house_number_extension":"bis","zip_code":"9861GT","city":"Grootegast"},
			"agreement_identifier":%[4]q,"delivery":{%[4]q:true,"of before":false}}`, h.Debtor, ean, kind, h.agreement))
	}
	return h
}

// addAgreement imports another agreement of the customer with a smart meter, and gives consent for that meter. It returns the identifiers
// of both.
func (h household) addAgreement(t *testing.T, c *fixture.Customers, from string) (agreement, ean string) {
	t.Helper()
	agreement, ean = "B"+h.Debtor, newEAN()
	load(t, c.Portal, "agreement", fmt.Sprintf(`{"debtor_number":%q,"agreement_identifier":%q,"agreement_identifier_with_sequence":"%[2]s-1",
		"name":"Schuur","period":{"from":%q,"to":null},"product_category":"ENERGY","status":"ACTIVE"}`, h.Debtor, agreement, from))
	load(t, c.Portal, "connection", fmt.Sprintf(`{"debtor_number":%q,"ean_code":%q,"commodity":"ELECTRICITY","meter_type":"SMART","agreement_identifier":%q}`,
		h.Debtor, ean, agreement))
	h.Get(t, consentPath+"?consentGiven=true&ean="+ean)
	return agreement, ean
}

func TestUsage(t *testing.T) {
	t.Parallel()
	portaltest.Each(t, portaltest.Options{Modules: withUsage}, func(t *testing.T, s *portaltest.Portal) {
		c := &fixture.Customers{Portal: s, T: t}
		t.Run("connections", func(t *testing.T) { testConnections(t, c) })
		t.Run("readings", func(t *testing.T) { testReadings(t, c) })
		t.Run("series", func(t *testing.T) { testSeries(t, c) })
		t.Run("consent", func(t *testing.T) { testConsent(t, c) })
		t.Run("without consent", func(t *testing.T) { testWithheld(t, c) })
		t.Run("cost", func(t *testing.T) { testCost(t, c) })
		t.Run("cost by period", func(t *testing.T) { testCostBars(t, c) })
		t.Run("net metering", func(t *testing.T) { testNetMetering(t, c) })
		t.Run("forecast", func(t *testing.T) { testForecast(t, c) })
		t.Run("history", func(t *testing.T) { testHistory(t, c) })
		t.Run("home", func(t *testing.T) { testHome(t, c) })
		t.Run("refused records", func(t *testing.T) { testRefusedRecords(t, c) })
		t.Run("data of others", func(t *testing.T) { testOthers(t, c) })
		t.Run("catalogue", func(t *testing.T) { assert.Empty(t, s.TablesWithoutLabelKey()) })
	})
}

func (h household) list(t *testing.T, path string) (out []map[string]any) {
	t.Helper()
	a := h.Do(http.MethodGet, path, nil)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(t, &out)
	return out
}

func testConnections(t *testing.T, all *fixture.Customers) {
	h := newHousehold(all, t)
	t.Run("7.2-get-connections,3-connection-fields,3-connection-delivery", func(t *testing.T) {
		other := newHousehold(all, t)
		eansOf := func(h household) (found []any) {
			for _, c := range h.list(t, "/connections") {
				found = append(found, c["ean_code"])
			}
			return found
		}
		assert.ElementsMatch(t, []any{h.power, h.gas, h.old}, eansOf(h))
		assert.ElementsMatch(t, []any{other.power, other.gas, other.old}, eansOf(other))
		list := h.list(t, "/connections")
		require.Len(t, list, 3)
		assert.Equal(t, map[string]any{"commodity": "ELECTRICITY", "ean_code": h.power, "ean_group_number": "G1", "location_id": "L-" + h.Debtor,
			"meter_type": "SMART", "meter_number": "M1", "capacity": "3x25A", "agreement_identifier": h.agreement,
			"delivery": map[string]any{h.agreement: true, "of before": false},
			"address": map[string]any{"street": "Molenweg", "house_number": "12", "house_number_extension": "bis", "zip_code": "9861GT",
				"city": "Grootegast"}}, list[0])
	})
	t.Run("a customer without connections", func(t *testing.T) {
		none := all.New()
		assert.Equal(t, "[]", strings.TrimSpace(string(none.Do(http.MethodGet, "/connections", nil).Body)))
		assert.Equal(t, "[]", strings.TrimSpace(string(none.Do(http.MethodGet, "/usage/latest", nil).Body)))
		assert.Nil(t, none.Get(t, "/usage/summary")["consumption"])
	})
}

func testReadings(t *testing.T, all *fixture.Customers) {
	h := newHousehold(all, t)
	readingJSON := func(on, meter string, normal, low any) string {
		return fmt.Sprintf(`{"ean_code":%q,"measurement_date":%q,"meter_number":%q,"consumption_normal":%v,"consumption_low":%v,"feedin_normal":10,"feedin_low":5.001}`,
			h.power, on, meter, normal, low)
	}
	// The readings are sorted newest first, as in many files. The meter is replaced on 1 June.
	load(t, all.Portal, "reading", readingJSON("2026-07-01", "M1", 30, 12), readingJSON("2026-06-01", "M1", 0, 0),
		readingJSON("2026-06-01", "M0", 1100.5, `"900"`),
		readingJSON("2026-03-01", "M0", 1000.125, 850), readingJSON("2026-01-01", "M0", 900, 800),
		fmt.Sprintf(`{"ean_code":%q,"measurement_date":"2026-05-01","consumption":77}`, h.gas))
	path := "/readings/" + h.agreement + "/L-" + h.Debtor + "/" + h.power
	t.Run("7.2-get-readings,3-meter-reading-fields,3-mixed-case-reconcile", func(t *testing.T) {
		list := h.list(t, path)
		require.Len(t, list, 4, "readings before the agreement belong to another household")
		assert.Equal(t, map[string]any{"ean_number": h.power, "measurement_date": "2026-07-01", "meterType": "SMART", "meter_number": "M1",
			"consumption":        42.0,
			"consumption_normal": 30.0, "consumption_low": 12.0, "feedin_normal": 10.0, "feedin_low": 5.001, "unit": "KWH"}, list[0])
		assert.Nil(t, list[3]["consumption"], "the first reading has no previous one")
		for _, r := range list[1:3] {
			if r["meter_number"] == "M0" {
				assert.Equal(t, 150.375, r["consumption"])
			} else {
				assert.Nil(t, r["consumption"], "the first reading of the new meter")
			}
		}
		assert.Equal(t, list, h.list(t, strings.Replace(path, h.agreement+"/", h.agreement+"-1/", 1)), "also by the identifier with sequence")
		gas := h.list(t, strings.Replace(path, h.power, h.gas, 1))
		require.Len(t, gas, 1, "the readings of each connection are its own")
		assert.Equal(t, []any{h.gas, "M3N", 77.0}, []any{gas[0]["ean_number"], gas[0]["unit"], gas[0]["consumption_normal"]})
	})
	t.Run("unknown agreements, locations and connections return 404", func(t *testing.T) {
		for _, invalid := range []string{"/readings/nope/L-" + h.Debtor + "/" + h.power, "/readings/" + h.agreement + "/L0/" + h.power,
			"/readings/" + h.agreement + "/L-" + h.Debtor + "/" + newEAN()} {
			assert.Equal(t, http.StatusNotFound, h.Do(http.MethodGet, invalid, nil).Status, invalid)
		}
	})
	t.Run("a reading without a meter number belongs to the current meter", func(t *testing.T) {
		load(t, all.Portal, "reading", fmt.Sprintf(`{"ean_number":%q,"measurement_date":"2026-08-01","consumption_normal":40,"consumption_low":13}`, h.power))
		assert.Equal(t, "M1", h.list(t, path)[0]["meter_number"])
	})
}

// hoursOf returns an interval_day record of n hours with the same amount and a gap at hour 5.
func hoursOf(ean, on, register string, n int, each string) string {
	list := strings.Split(strings.Repeat(each+" ", n), " ")[:n]
	list[5] = "null"
	return fmt.Sprintf(`{"ean_code":%q,"day":%q,%q:[%s]}`, ean, on, register, strings.Join(list, ","))
}

type seriesAnswer struct {
	UnitOfMeasurement string `json:"unit_of_measurement"`
	Zone              string
	Updated           *time.Time
	Complete          bool
	Total             map[string]*float64
	Points            []struct {
		Start       string
		Day         string
		Consumption *float64
		Low         *float64
		Missing     bool
		Partial     bool
	}
}

func (h household) series(t *testing.T, ean, query string) (out seriesAnswer) {
	t.Helper()
	a := h.Do(http.MethodGet, "/usage/"+ean+"/series?"+query, nil)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(t, &out)
	return out
}

func testSeries(t *testing.T, all *fixture.Customers) {
	h := newHousehold(all, t)
	h.Get(t, consentPath+"?consentGiven=true")
	load(t, all.Portal, "interval_day", hoursOf(h.power, "2026-03-29", "low", 23, "0.1"), hoursOf(h.power, "2026-10-25", "low", 25, "0.1"),
		hoursOf(h.gas, "2026-10-25", "consumption", 25, "0.02"), hoursOf(h.power, "2026-01-15", "low", 24, "1"))
	t.Run("days of 23 and of 25 hours", func(t *testing.T) {
		spring, autumn := h.series(t, h.power, "unit=hour&from=2026-03-29&to=2026-03-30"),
			h.series(t, h.power, "unit=hour&from=2026-10-25&to=2026-10-26")
		require.Len(t, spring.Points, 23)
		require.Len(t, autumn.Points, 25)
		assert.Equal(t, "2026-03-29T03:00:00+02:00", spring.Points[2].Start)
		assert.Equal(t, []string{"2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00"},
			[]string{autumn.Points[2].Start, autumn.Points[3].Start})
		assert.True(t, autumn.Points[5].Missing)
		assert.Nil(t, autumn.Points[5].Consumption, "a gap, not zero")
		assert.InDelta(t, 2.4, *autumn.Total["consumption"], 1e-9)
		assert.Equal(t, "Europe/Amsterdam", autumn.Zone)
		assert.Equal(t, "2026-10-25T23:00:00Z", autumn.Updated.UTC().Format(time.RFC3339))
		assert.False(t, autumn.Complete)
	})
	t.Run("days, weeks, months and years agree", func(t *testing.T) {
		for unit, points := range map[string]int{"day": 365, "week": 54, "month": 12, "year": 1} {
			s := h.series(t, h.power, "unit="+unit+"&from=2026-01-01&to=2027-01-01")
			require.GreaterOrEqual(t, points, len(s.Points), unit)
			assert.InDelta(t, 2.2+2.4, *s.Total["consumption"], 1e-9, unit)
			assert.Nil(t, s.Total["normal"], unit)
		}
		month := h.series(t, h.power, "unit=month&from=2026-03-01&to=2026-05-01").Points
		assert.True(t, month[0].Partial)
		assert.True(t, month[1].Missing)
	})
	t.Run("3-unit-per-commodity", func(t *testing.T) {
		assert.Equal(t, "KWH", h.series(t, h.power, "unit=day&from=2026-10-25&to=2026-10-26").UnitOfMeasurement)
		gas := h.series(t, h.gas, "unit=day&from=2026-10-25&to=2026-10-26")
		assert.Equal(t, "M3N", gas.UnitOfMeasurement)
		assert.InDelta(t, 0.48, *gas.Points[0].Consumption, 1e-9)
	})
	t.Run("the usage of the previous household is left out", func(t *testing.T) {
		assert.True(t, h.series(t, h.power, "unit=day&from=2026-01-15&to=2026-01-16").Points[0].Missing, "the agreement began later")
	})
	t.Run("a correction replaces the value", func(t *testing.T) {
		load(t, all.Portal, "interval", fmt.Sprintf(`{"ean_code":%q,"start":"2026-10-25T02:00:00+01:00","low":9.5}`, h.power))
		s := h.series(t, h.power, "unit=hour&from=2026-10-25&to=2026-10-26")
		assert.Equal(t, 0.1, *s.Points[2].Low)
		assert.Equal(t, 9.5, *s.Points[3].Low)
	})
	t.Run("ranges", func(t *testing.T) {
		for query, code := range map[string]string{"unit=hour&from=2026-01-01&to=2026-01-01": "usage.range",
			"unit=hour&from=2020-01-01&to=2026-01-01":   "usage.range_too_long",
			"unit=minute&from=2026-01-01&to=2026-01-02": "invalid", "unit=day&from=x&to=2026-01-02": "invalid",
			"unit=day&to=2026-01-02": "required"} {
			a := h.Do(http.MethodGet, "/usage/"+h.power+"/series?"+query, nil)
			assert.Equal(t, http.StatusBadRequest, a.Status, query)
			assert.Contains(t, string(a.Body), code, query)
		}
	})
}

const consentPath = "/smartmeterreadings/historicaldata"

func testConsent(t *testing.T, all *fixture.Customers) {
	h := newHousehold(all, t)
	t.Run("7.2-get-historical-consent,7.2-historical-consent-semantics,3-consent-fields,4-consent-give-revoke,9-consent-version-hidden,"+
		"3-mixed-case-reconcile", func(t *testing.T) {
		c := h.Get(t, consentPath+"?consentGiven=")
		assert.Equal(t, []any{false, nil}, []any{c["consentPresent"], c["consentDateTime"]})
		assert.Equal(t, "2026-02", c["text_version"])
		before := h.Portal.Now().Add(-time.Second)

		c = h.Get(t, consentPath+"?consentGiven=true")
		at, err := time.Parse(time.RFC3339, c["consentDateTime"].(string))
		require.NoError(t, err)
		assert.Equal(t, true, c["consentPresent"])
		assert.True(t, at.After(before) && at.Before(h.Portal.Now().Add(time.Second)))
		assert.Equal(t, c, h.Get(t, consentPath), "reading changes nothing")
		assert.Equal(t, c, h.Get(t, consentPath+"?consentGiven="), "an empty consentGiven neither gives nor revokes")
		assert.Equal(t, c["consentDateTime"], h.Get(t, consentPath+"?consentGiven=true")["consentDateTime"], "giving it again changes nothing")

		c = h.Get(t, consentPath+"?consentGiven=false&ean="+h.gas)
		assert.Equal(t, false, c["consentPresent"], "not for all connections")
		assert.NotNil(t, c["revokedDateTime"])
		by := map[any]map[string]any{}
		for _, x := range c["connections"].([]any) {
			by[x.(map[string]any)["ean_code"]] = x.(map[string]any)
		}
		assert.Equal(t, []any{true, false, false}, []any{by[h.power]["consentPresent"], by[h.gas]["consentPresent"], by[h.old]["consentPresent"]})
		assert.Equal(t, "2026-02", by[h.power]["text_version"])
		assert.Equal(t, false, by[h.old]["supported"])
		c = h.Get(t, consentPath+"?consentGiven=false")
		assert.Equal(t, []any{false, nil}, []any{c["consentPresent"], c["consentDateTime"]})
	})
	t.Run("the history of decisions is stored", func(t *testing.T) {
		n, err := h.Portal.DB().NewSelect().Table("usage_consents").Where("relation_id = ?", h.Relation).Count(t.Context())
		require.NoError(t, err)
		assert.EqualValues(t, 4, n, "two given, one revoked, then the other")
	})
	t.Run("events are published", func(t *testing.T) {
		h.Portal.Eventually(func() bool {
			var types []string
			err := h.Portal.DB().NewRaw("SELECT type FROM outbox_messages WHERE module = 'usage' AND payload LIKE ?", "%"+h.Relation+
				"%").Scan(t.Context(), &types)
			require.NoError(t, err)
			slices.Sort(types)
			return slices.Equal(types, []string{"usage.consent_given", "usage.consent_given", "usage.consent_revoked", "usage.consent_revoked"})
		})
	})
	t.Run("consent that cannot be given", func(t *testing.T) {
		a := h.Do(http.MethodGet, consentPath+"?consentGiven=true&ean="+h.old, nil)
		assert.Equal(t, []any{422, "usage.not_supported"}, []any{a.Status, a.Code()})
		assert.Equal(t, http.StatusNotFound, h.Do(http.MethodGet, consentPath+"?consentGiven=true&ean="+newEAN(), nil).Status)
		assert.Equal(t, http.StatusBadRequest, h.Do(http.MethodGet, consentPath+"?consentGiven=yes", nil).Status)
	})
	t.Run("6-impersonator-api", func(t *testing.T) {
		guest := fixture.Customer{Caller: h.Portal.Impersonator("alpha", h.Relation)}
		assert.Equal(t, false, guest.Get(t, consentPath)["consentPresent"])
		a := guest.Do(http.MethodGet, consentPath+"?consentGiven=true", nil)
		assert.Equal(t, []any{http.StatusForbidden, problem.CodeReadOnly}, []any{a.Status, a.Code()}, "a GET that writes")
		assert.Equal(t, false, h.Get(t, consentPath)["consentPresent"])
	})
}

func testHistory(t *testing.T, all *fixture.Customers) {
	h := newHousehold(all, t)
	path := consentPath + "/" + h.agreement
	load(t, all.Portal, "interval_day", hoursOf(h.power, "2026-01-31", "normal", 24, "1"), hoursOf(h.power, "2026-02-01", "normal", 24, "1"),
		hoursOf(h.power, "2026-10-25", "low", 25, "0.1"), hoursOf(h.gas, "2026-10-25", "consumption", 25, "0.02"))
	t.Run("7.2-historical-refused", func(t *testing.T) {
		for _, p := range []string{path, "/smartmeterreadings/csv/" + h.power} {
			a := h.Do(http.MethodGet, p, nil)
			assert.Equal(t, []any{403, "usage.consent_needed"}, []any{a.Status, a.Code()}, p)
		}
		a := h.Do(http.MethodGet, "/smartmeterreadings/csv/"+h.old, nil)
		assert.Equal(t, []any{422, "usage.not_supported"}, []any{a.Status, a.Code()})
		a = h.Do(http.MethodPost, "/smartmeterreadings/retrievals", map[string]string{"agreement_identifier": h.agreement})
		assert.Equal(t, []any{403, "usage.consent_needed"}, []any{a.Status, a.Code()})

		only := newHousehold(all, t)
		for _, ean := range []string{only.power, only.gas} { // the other meters of the same agreement
			load(t, all.Portal, "connection", fmt.Sprintf(`{"debtor_number":%q,"ean_code":%q,"commodity":"GAS","meter_type":"CONVENTIONAL","agreement_identifier":%q}`, only.Debtor, ean, only.agreement))
		}
		a = only.Do(http.MethodGet, consentPath+"/"+only.agreement, nil)
		assert.Equal(t, []any{422, "usage.not_supported"}, []any{a.Status, a.Code()})
		assert.Equal(t, http.StatusNotFound, h.Do(http.MethodGet, consentPath+"/"+only.agreement, nil).Status,
			"the agreement of another relation")
	})
	require.Equal(t, true, h.Get(t, consentPath+"?consentGiven=true")["consentPresent"])
	t.Run("7.2-get-historical-agreement,9-historical-span,5.10-historical-conditions", func(t *testing.T) {
		got := h.Get(t, path)
		assert.Equal(t, h.agreement, got["agreement_identifier"])
		assert.Equal(t, "2026-02-01", got["from"], "the contract began less than two years ago")
		assert.Nil(t, got["last_retrieval"])
		assert.Equal(t, map[string]any{"state": "NONE", "progress": 0.0}, got["retrieval"])
		list := got["connections"].([]any)
		require.Len(t, list, 2, "the conventional meter is left out")
		power := list[0].(map[string]any)
		assert.Equal(t, []any{h.power, "KWH", "2026-02-01", "2026-10-25"}, []any{power["ean_code"], power["unit"], power["from"], power["until"]})
		months := power["months"].([]any)
		require.Len(t, months, 2, "months without measurements are left out")
		assert.Equal(t, map[string]any{"month": "2026-02", "normal": 23.0, "low": nil, "feedin_normal": nil, "feedin_low": nil,
			"consumption": 23.0, "partial": true}, months[0])
		assert.Equal(t, got, h.Get(t, path+"-1"))
	})
	t.Run("9-historical-span", func(t *testing.T) {
		old := newHousehold(all, t)
		agreement, ean := old.addAgreement(t, all, "2020-01-01")
		load(t, all.Portal, "interval_day", hoursOf(ean, "2024-11-19", "normal", 24, "1"), hoursOf(ean, "2024-11-20", "normal", 24, "2"))
		got := old.Get(t, consentPath+"/"+agreement)
		assert.Equal(t, "2024-11-20", got["from"], "two years before today, long after the start of the contract")
		months := got["connections"].([]any)[0].(map[string]any)["months"].([]any)
		require.Len(t, months, 1)
		assert.Equal(t, 46.0, months[0].(map[string]any)["consumption"], "without the day before")
		csv := string(old.Do(http.MethodGet, "/smartmeterreadings/csv/"+ean, nil).Body)
		assert.Contains(t, csv, "2024-11-20T00:00:00+01:00,")
		assert.NotContains(t, csv, "2024-11-19T")
	})
	t.Run("7.2-get-csv,7.2-csv-parameter,7.2-csv-name-reconcile,9-usage-csv-excel", func(t *testing.T) {
		a := h.Do(http.MethodGet, "/smartmeterreadings/csv/"+h.power, nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		assert.Equal(t, "text/csv; charset=utf-8", a.Header.Get("Content-Type"))
		assert.Contains(t, a.Header.Get("Content-Disposition"), "attachment;")
		assert.Contains(t, a.Header.Get("Content-Disposition"), "historical-data-"+h.power+".csv")
		lines := strings.Split(strings.TrimSuffix(string(a.Body), "\r\n"), "\r\n")
		require.Len(t, lines, 1+23+24, "the measured hours since the start of the contract")
		assert.Equal(t, "ean,start,end,normal,low,feedin_normal,feedin_low,consumption,unit", lines[0])
		assert.Equal(t, h.power+",2026-10-25T02:00:00+02:00,2026-10-25T02:00:00+01:00,,0.100,,,0.100,KWH", lines[26])
		assert.Equal(t, h.power+",2026-10-25T02:00:00+01:00,2026-10-25T03:00:00+01:00,,0.100,,,0.100,KWH", lines[27])
		assert.Equal(t, string(a.Body), string(h.Do(http.MethodGet, "/smartmeterreadings/csv/"+h.power+"?layout=csv", nil).Body))
		sheet := h.Do(http.MethodGet, "/smartmeterreadings/csv/"+h.power+"?layout=excel", nil)
		require.Equal(t, http.StatusOK, sheet.Status, string(sheet.Body))
		assert.Equal(t, "text/csv; charset=utf-8", sheet.Header.Get("Content-Type"))
		assert.Contains(t, sheet.Header.Get("Content-Disposition"), "historical-data-"+h.power+"-excel.csv")
		assert.True(t, strings.HasPrefix(string(sheet.Body), "\xef\xbb\xbfEAN;Begin;Einde;Klok;Normaal (kWh);Dal (kWh);Verbruik (kWh)\r\n"),
			string(sheet.Body[:80]))
		assert.Len(t, strings.Split(strings.TrimSuffix(string(sheet.Body), "\r\n"), "\r\n"), len(lines))
		assert.Equal(t, http.StatusBadRequest, h.Do(http.MethodGet, "/smartmeterreadings/csv/"+h.power+"?layout=pdf", nil).Status)
		gas := string(h.Do(http.MethodGet, "/smartmeterreadings/csv/"+h.gas, nil).Body)
		assert.Contains(t, gas, "\n"+h.gas+",2026-10-25")
		assert.NotContains(t, gas, h.power)
		for _, unknown := range []string{h.agreement, h.agreement + "-1", newEAN()} {
			assert.Equal(t, http.StatusNotFound, h.Do(http.MethodGet, "/smartmeterreadings/csv/"+unknown, nil).Status, unknown)
		}
		empty := newHousehold(all, t)
		empty.Get(t, consentPath+"?consentGiven=true")
		assert.Less(t, len(empty.Do(http.MethodGet, "/smartmeterreadings/csv/"+empty.power, nil).Body), 80, "nothing was measured")
	})
	t.Run("retrieval", func(t *testing.T) {
		a := h.Do(http.MethodPost, "/smartmeterreadings/retrievals", map[string]string{"agreement_identifier": h.agreement + "-1"})
		require.Equal(t, http.StatusAccepted, a.Status, string(a.Body))
		var begun struct {
			State     string
			Requested time.Time
		}
		a.JSON(t, &begun)
		assert.Equal(t, "QUEUED", begun.State)
		second := h.Do(http.MethodPost, "/smartmeterreadings/retrievals", map[string]string{"agreement_identifier": h.agreement})
		require.Equal(t, http.StatusAccepted, second.Status)
		var same struct{ Requested time.Time }
		second.JSON(t, &same)
		assert.Equal(t, begun.Requested, same.Requested, "the running retrieval")
		last := 0.0
		h.Portal.Eventually(func() bool {
			r := h.Get(t, path)["retrieval"].(map[string]any)
			assert.GreaterOrEqual(t, r["progress"], last)
			last = r["progress"].(float64)
			return r["state"] == "DONE"
		})
		t.Run("4-consent-last-retrieval-source", func(t *testing.T) {
			got := h.Get(t, path)
			assert.Equal(t, map[string]any{"state": "DONE", "progress": 100.0, "until": "2026-10-25"}, got["retrieval"])
			at, err := time.Parse(time.RFC3339, got["last_retrieval"].(string))
			require.NoError(t, err)
			assert.WithinDuration(t, h.Portal.Now(), at, time.Minute)
			neighbour := newHousehold(all, t)
			neighbour.Get(t, consentPath+"?consentGiven=true")
			assert.Nil(t, neighbour.Get(t, consentPath+"/"+neighbour.agreement)["last_retrieval"], "not of another customer")
		})
		t.Run("4-consent-last-retrieval-source,7.2-get-historical-agreement", func(t *testing.T) {
			other, ean := h.addAgreement(t, all, "2020-01-01")
			got := h.Get(t, consentPath+"/"+other)
			assert.Nil(t, got["last_retrieval"], "not of another agreement of the customer")
			list := got["connections"].([]any)
			require.Len(t, list, 1, "the connections of this agreement only")
			assert.Equal(t, ean, list[0].(map[string]any)["ean_code"])
			assert.Len(t, h.Get(t, path)["connections"], 2, "not those of another agreement")
		})
		t.Run("revoking the consent ends a running retrieval", func(t *testing.T) {
			require.Equal(t, http.StatusAccepted, h.Do(http.MethodPost, "/smartmeterreadings/retrievals",
				map[string]string{"agreement_identifier": h.agreement}).Status)
			h.Get(t, consentPath+"?consentGiven=false&ean="+h.gas)
			h.Portal.Eventually(func() bool {
				return h.Get(t, path)["retrieval"].(map[string]any)["state"] != "RUNNING" &&
					h.Get(t, path)["retrieval"].(map[string]any)["state"] != "QUEUED"
			})
			r := h.Get(t, path)
			if r["retrieval"].(map[string]any)["state"] == "FAILED" { // unless it has ended already
				assert.Equal(t, "usage.consent_needed", r["retrieval"].(map[string]any)["code"])
			}
			assert.NotNil(t, r["last_retrieval"], "the previous retrieval stays")
		})
	})
}

func testHome(t *testing.T, all *fixture.Customers) {
	h := newHousehold(all, t)
	h.Get(t, consentPath+"?consentGiven=true")
	whole := func(ean, register, on, amount string) string {
		return fmt.Sprintf(`{"ean_code":%q,"start":%q,"seconds":86400,%q:%s}`, ean, on, register, amount)
	}
	load(t, all.Portal, "interval", whole(h.power, "normal", "2026-11-17", "6.5"), whole(h.power, "normal", "2026-11-18", "7.25"),
		whole(h.gas, "consumption", "2026-11-18", "3"))
	load(t, all.Portal, "reading", fmt.Sprintf(`{"ean_code":%q,"measurement_date":"2026-09-01","consumption":100}`, h.old),
		fmt.Sprintf(`{"ean_code":%q,"measurement_date":"2026-10-01","consumption":"141.5"}`, h.old))
	by := map[any]map[string]any{}
	for _, l := range h.list(t, "/usage/latest") {
		by[l["ean_code"]] = l
	}
	t.Run("2.5-usage-day-last", func(t *testing.T) {
		assert.Equal(t, map[string]any{"ean_code": h.power, "commodity": "ELECTRICITY", "from": "2026-11-18", "measured": "2026-11-18",
			"consumption": 7.25, "feedin": nil, "unit": "KWH", "previous": 6.5, "consent_needed": false, "last_day": "2026-11-18"}, by[h.power])
		assert.NotContains(t, by[h.old], "last_day", "readings have no last day")
	})
	assert.Equal(t, []any{"2026-11-18", 3.0, nil}, []any{by[h.gas]["measured"], by[h.gas]["consumption"], by[h.gas]["previous"]})
	assert.Equal(t, []any{"2026-09-01", "2026-09-30", 41.5}, []any{by[h.old]["from"], by[h.old]["measured"], by[h.old]["consumption"]})
	assert.Equal(t, []any{"2026-10-01", 141.5}, []any{by[h.old]["reading"].(map[string]any)["measurement_date"],
		by[h.old]["reading"].(map[string]any)["consumption_normal"]})
	assert.Equal(t, false, by[h.old]["consent_needed"], "a conventional meter needs no consent")
	sum := h.Get(t, "/usage/summary")
	assert.Equal(t, []any{"2026-11", "KWH", 13.75, nil}, []any{sum["month"], sum["unit"], sum["consumption"], sum["same_month_last_year"]})
	days := sum["days"].([]any)
	require.Len(t, days, 30)
	assert.Equal(t, []any{nil, 6.5, 7.25, nil}, days[15:19])
	t.Run("9-usage-intervals-finer", func(t *testing.T) {
		quarters := make([]string, 96)
		for i := range quarters {
			at := time.Date(2026, 11, 17, 23, 15*i, 0, 0, time.UTC) // midnight in the label's zone
			quarters[i] = fmt.Sprintf(`{"ean_code":%q,"start":%q,"seconds":900,"normal":0.1}`, h.power, at.Format(time.RFC3339))
		}
		load(t, all.Portal, "interval", quarters[30])
		assert.Equal(t, []any{6.5, 7.25}, h.Get(t, "/usage/summary")["days"].([]any)[16:18], "one of them replaces no day")
		load(t, all.Portal, "interval", quarters[:60]...)
		assert.Equal(t, []any{6.5, 7.25}, h.Get(t, "/usage/summary")["days"].([]any)[16:18])
		load(t, all.Portal, "interval", quarters[60:]...)
		assert.Equal(t, []any{6.5, 9.6}, h.Get(t, "/usage/summary")["days"].([]any)[16:18])
	})
}

func testRefusedRecords(t *testing.T, all *fixture.Customers) {
	h := newHousehold(all, t)
	reading := func(on string, normal any) string {
		return fmt.Sprintf(`{"ean_code":%q,"measurement_date":%q,"consumption_normal":%v}`, h.power, on, normal)
	}
	first := []string{reading("2026-05-01", 100), reading("2026-06-01", 99.999), reading("2026-05-01", 100), reading("2026-06-01", 150.123),
		reading("2026-07-01", 150.1234),
		strings.Replace(reading("2026-05-01", 1), h.power, newEAN(), 1), reading("2026-10-25T02:15:00", 200), reading("2026-03-29 02:15:00", 10),
		`{"ean_code":"x"}`, `[]`, reading("2026-04-01", 101)}
	assert.Equal(t, []string{"2 consumption_normal usage.backwards", "3 measurement_date usage.duplicate",
		"5 consumption_normal usage.decimals", "6 ean_code usage.unknown_ean",
		"7 measurement_date usage.offset_needed", "8 measurement_date usage.no_such_time", "9 ean_code usage.unknown_ean", "10  invalid",
		"11 consumption_normal usage.backwards"}, refusals(t, all.Portal, "reading", first...))
	assert.Equal(t, []string{"1 measurement_date usage.duplicate", "3 consumption_normal usage.backwards"},
		refusals(t, all.Portal, "reading", reading("2026-05-01", 100.5), reading("2026-05-01", 100), reading("2026-08-01", 150)),
		"compared with stored readings too")
	assert.Empty(t, refusals(t, all.Portal, "reading", strings.Replace(reading("2026-05-01", 100.5), "{", `{"correction":true,`, 1)))

	interval := func(start string) string { return fmt.Sprintf(`{"ean_code":%q,"start":%q,"low":1}`, h.power, start) }
	assert.Equal(t, []string{"2 start usage.offset_needed", "4 start usage.duplicate", "5 start usage.not_aligned",
		"6 consumption usage.register", "7 seconds usage.seconds"},
		refusals(t, all.Portal, "interval", interval("2026-10-25T01:00:00"), interval("2026-10-25T02:00:00"),
			interval("2026-10-25T02:00:00+02:00"), interval("2026-10-25T00:00:00Z"),
			interval("2026-10-25T05:30:00+01:00"), fmt.Sprintf(`{"ean_code":%q,"start":"2026-10-25T07:00:00Z","consumption":1}`, h.power),
			fmt.Sprintf(`{"ean_code":%q,"start":"2026-10-25T08:15:00Z","seconds":900,"low":1}`, h.power)))
	assert.Equal(t, []string{"1 low usage.day_length", "3 day usage.duplicate", "4 seconds usage.coarser"},
		refusals(t, all.Portal, "interval_day", hoursOf(h.power, "2026-10-25", "low", 24, "1"), hoursOf(h.power, "2026-10-26", "low", 24, "1"),
			hoursOf(h.power, "2026-10-26", "low", 24, "1"), fmt.Sprintf(`{"ean_code":%q,"day":"2026-10-25","seconds":86400,"low":[3]}`, h.power)))
	assert.Equal(t, []string{"1 ean_code usage.ean", "2 debtor_number required", "3 meter_type invalid"}, refusals(t, all.Portal, "connection",
		`{"debtor_number":"1","ean_code":"=1+1","commodity":"GAS","meter_type":"SMART"}`,
		`{"ean_code":"871600000000000017","commodity":"GAS","meter_type":"SMART"}`,
		`{"debtor_number":"1","ean_code":"871600000000000017","commodity":"GAS","meter_type":"CLEVER"}`))
}

func testOthers(t *testing.T, all *fixture.Customers) {
	h, stranger := newHousehold(all, t), newHousehold(all, t)
	h.Get(t, consentPath+"?consentGiven=true")
	stranger.Get(t, consentPath+"?consentGiven=true")
	load(t, all.Portal, "interval_day", hoursOf(h.power, "2026-10-24", "low", 24, "1"))
	t.Run("6-customer-own-data,6-customer-own-data-status", func(t *testing.T) {
		for _, path := range []string{"/usage/" + h.power + "/series?unit=day&from=2026-10-24&to=2026-10-25", "/smartmeterreadings/csv/" + h.power,
			"/readings/" + h.agreement + "/L-" + h.Debtor + "/" + h.power, consentPath + "/" + h.agreement,
			consentPath + "?consentGiven=false&ean=" + h.power} {
			a := stranger.Do(http.MethodGet, path, nil)
			assert.Equal(t, []any{http.StatusNotFound, problem.CodeNotFound}, []any{a.Status, a.Code()}, path)
		}
		assert.Equal(t, http.StatusNotFound, stranger.Do(http.MethodPost, "/smartmeterreadings/retrievals",
			map[string]string{"agreement_identifier": h.agreement}).Status)
		assert.Equal(t, true, h.Get(t, consentPath)["consentPresent"])
	})
	t.Run("the same relation in another label sees nothing", func(t *testing.T) {
		beta := h.Portal.SignIn(portaltest.Account{Label: "beta", Relation: h.Relation, Username: "beta." + h.Debtor,
			Email: "b@voorbeeld.example", Name: "B", Role: portaltest.RoleCustomer, Locale: "nl"})
		a := h.Portal.Do(portaltest.Call{Host: "beta.localhost", Path: "/connections", Bearer: beta.Bearer})
		assert.Equal(t, "[]", strings.TrimSpace(string(a.Body)))
	})
	t.Run("5.10-historical-conditions", func(t *testing.T) { // a new household does not see the previous household's data
		load(t, all.Portal, "connection", fmt.Sprintf(`{"debtor_number":%q,"ean_code":%q,"commodity":"ELECTRICITY","meter_type":"SMART","agreement_identifier":"nog-niet"}`, stranger.Debtor, h.power))
		refused := stranger.Do(http.MethodGet, "/usage/"+h.power+"/series?unit=day&from=2026-10-24&to=2026-10-25", nil)
		assert.Equal(t, "usage.consent_needed", refused.Code(), "consent belongs to the previous household")
		stranger.Get(t, consentPath+"?consentGiven=true&ean="+h.power)
		assert.Equal(t, http.StatusNotFound, h.Do(http.MethodGet, "/usage/"+h.power+"/series?unit=day&from=2026-10-24&to=2026-10-25", nil).Status)
		assert.True(t, stranger.series(t, h.power, "unit=day&from=2026-10-24&to=2026-10-25").Points[0].Missing,
			"no agreement of the relation supplies the connection")
	})
}

// As a plugin on PostgreSQL, the module has its own schema and role, and creates its partitions there.
func TestUsageAsAPluginOnPostgres(t *testing.T) {
	t.Parallel()
	agreements := func(a huma.API) {
		type body struct{ Body []map[string]any }
		module.Route(a, huma.Operation{Method: http.MethodGet, Path: "/agreements/supplies", OperationID: "listSupplies"}, module.Sibling,
			module.Read,
			func(context.Context, *struct{}) (*body, error) {
				return &body{[]map[string]any{{"agreement_identifier": "A1", "period": map[string]any{"from": "2020-01-01"}}}}, nil
			})
	}
	o := moduletest.Options{Main: "./plugin",
		Settings: usage.Settings{ConsentTextVersion: "1", HistoryMonths: 24, Intervals: history.ByConsent},
		Siblings: []module.Module{moduletest.Fake("account", func(huma.API) {}), moduletest.Fake("billing", agreements)}}
	moduletest.EachEngine(t, o, func(t *testing.T, o moduletest.Options) {
		if o.Database == "" {
			t.Skip("a plugin's SQLite file has no partitions")
		}
		w := moduletest.Open(t, usage.Module, o, true)
		ean := newEAN()
		require.Empty(t, w.Import("connection", fmt.Sprintf(`{"debtor_number":"1","ean_code":%q,"commodity":"GAS","meter_type":"SMART","agreement_identifier":"A1"}`, ean)))
		require.Empty(t, w.Import("interval_day", hoursOf(ean, "2026-10-25", "consumption", 25, "0.1")))
		as := module.Scope{Relation: meter.RelationID(moduletest.LabelOne, "1"), Subject: "account"}
		status, answer := w.Do(t.Context(), moduletest.Call{Path: consentPath + "?consentGiven=true", As: as})
		require.Equal(t, http.StatusOK, status, string(answer))
		status, answer = w.Do(t.Context(), moduletest.Call{Path: "/usage/" + ean + "/series?unit=month&from=2026-10-01&to=2026-11-01", As: as})
		require.Equal(t, http.StatusOK, status, string(answer))
		require.Contains(t, string(answer), `"consumption":2.400`)
	})
}
