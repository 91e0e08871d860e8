package usage_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/test/fixture"
)

// forecastBody is a forecast in a response.
type forecastBody struct {
	Month       string
	Connections []struct {
		EANCode       string `json:"ean_code"`
		Reason, Until string
		LastDay       string `json:"last_day"`
		Usage, Feedin *expectedBody
		Cost          *expectedBody
		Unknown       []struct{ Reason, Kind string }
	}
	Total *expectedBody
}

type expectedBody struct {
	SoFar               *float64 `json:"so_far"`
	Expected, Low, High float64
	Estimated           bool
	LastYear            *float64 `json:"last_year"`
}

func (h household) forecast(t *testing.T) forecastBody {
	t.Helper()
	out := h.forecastNow(t)
	require.Len(t, out.Connections, 3)
	return out
}

func (h household) forecastNow(t *testing.T) (out forecastBody) {
	t.Helper()
	a := h.Do(http.MethodGet, "/usage/forecast", nil)
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	a.JSON(t, &out)
	return out
}

// testForecast requires that the clock is set to 20 November 2026.
func testForecast(t *testing.T, all *fixture.Customers) {
	h := newHousehold(all, t)
	price := func(kind, commodity, unit, amount string) string {
		return fmt.Sprintf(`{"description":"x","kind":%q,"commodity":%q,"unit":%q,"amount":%q,"includes_vat":true,"from":"2026-10-01"}`, kind,
			commodity, unit, amount)
	}
	before := strings.NewReplacer(`"from":"2026-10-01"`, `"from":"2025-11-01","to":"2025-11-30"`)
	load(t, all.Portal, "agreement", fmt.Sprintf(`{"debtor_number":%q,"agreement_identifier":%q,"agreement_identifier_with_sequence":"%[2]s-1",
		"name":"Groen","period":{"from":"2025-01-01","to":null},"product_category":"ENERGY","status":"ACTIVE","price_agreements":[%s,%s,%s,%s,%s,%s]}`,
		h.Debtor, h.agreement, before.Replace(price("single", "ELECTRICITY", "kWh", "0.20")),
		before.Replace(price("standing", "ELECTRICITY", "maand", "5.00")), price("single", "ELECTRICITY", "kWh", "0.30"), price("standing", "ELECTRICITY", "maand", "6.00"),
		price("single", "GAS", "m³", "1.20"), price("standing", "GAS", "maand", "6.00")))
	days := func(ean, register, hour string, from, until value.Day) {
		var records []string
		for d := from; d.Before(until); d = d.AddDays(1) {
			records = append(records, fmt.Sprintf(`{"ean_code":%q,"start":%q,"seconds":86400,%q:%q}`, ean, d, register, hour))
		}
		load(t, all.Portal, "interval", records...)
	}
	begin, turn, last := value.Day{Year: 2025, Month: time.October, Day: 1}, value.Day{Year: 2026, Month: time.October, Day: 1},
		value.Day{Year: 2026, Month: time.November, Day: 20}
	days(h.power, "normal", "10", begin, turn)
	days(h.power, "normal", "8", turn, last)
	gap := value.Day{Year: 2026, Month: time.November, Day: 5}
	days(h.gas, "consumption", "4", turn, gap)
	days(h.gas, "consumption", "4", gap.AddDays(1), last)

	t.Run("9-forecast-none", func(t *testing.T) {
		f := h.forecast(t)
		assert.Nil(t, f.Total)
		for _, c := range f.Connections {
			want := "consent"
			if c.EANCode == h.old {
				want = "meter"
			}
			assert.Equal(t, want, c.Reason)
			assert.Nil(t, c.Usage)
			assert.Nil(t, c.Cost)
			assert.Empty(t, c.Until)
		}
		h.Get(t, consentPath+"?consentGiven=true")
		f = h.forecast(t)
		assert.Nil(t, f.Total, "gas has been measured since October only")
		for _, c := range f.Connections {
			if c.EANCode == h.gas {
				assert.Equal(t, "history", c.Reason)
				assert.Nil(t, c.Usage)
			}
		}
	})
	t.Run("9-forecast-cost,9-hero-last-year", func(t *testing.T) {
		f := h.forecast(t)
		assert.Equal(t, "2026-11", f.Month)
		for _, c := range f.Connections {
			if c.EANCode != h.power {
				continue
			}
			require.Empty(t, c.Reason)
			require.NotNil(t, c.Cost, "%+v", c)
			assert.Equal(t, "2026-11-20", c.Until)
			assert.Equal(t, "2026-11-19", c.LastDay)
			assert.Equal(t, expectedBody{SoFar: new(152.0), Expected: 240, Low: 240, High: 240}, *c.Usage,
				"19 days of 8, and 11 days of 10 times 8/10")
			assert.Equal(t, expectedBody{SoFar: new(49.4), Expected: 78, Low: 78, High: 78, LastYear: new(65.0)}, *c.Cost,
				"152 and 240 times 0.30, and 19 and 30 days of 6.00; 9-hero-last-year: 300 times 0.20, and 5.00")
			assert.Nil(t, c.Feedin)
			assert.Empty(t, c.Unknown)
		}
	})
	t.Run("9-forecast-cost", func(t *testing.T) {
		days(h.gas, "consumption", "5", begin, turn)
		f := h.forecast(t)
		var sum expectedBody
		for _, c := range f.Connections {
			if c.Cost != nil {
				sum.Expected += c.Cost.Expected
			}
			if c.EANCode == h.gas {
				require.NotNil(t, c.Cost, "%+v", c)
				assert.Equal(t, new(72.0), c.Usage.SoFar, "18 days of 4")
				assert.Nil(t, c.Cost.LastYear, "9-hero-last-year: the prices of gas a year before are not known")
				assert.Equal(t, new(95.0), c.Cost.SoFar, "19 days of 4 times 1.20, and 19 of 30 days of 6.00")
			}
			assert.Equal(t, c.EANCode == h.gas, c.Cost != nil && c.Cost.Estimated,
				"9-forecast-cost: a day that was not measured is estimated, and it says so")
		}
		assert.Equal(t, 228.0, sum.Expected, "78, and 120 times 1.20 and 6.00")
		assert.Nil(t, f.Total, "the third meter is not smart")
	})
	t.Run("9-usage-euro-estimate", func(t *testing.T) {
		get := func(query string) (out barsBody) {
			t.Helper()
			a := h.Do(http.MethodGet, "/usage/"+h.gas+"/cost"+query, nil)
			require.Equal(t, http.StatusOK, a.Status, string(a.Body))
			a.JSON(t, &out)
			return out
		}
		november := "?from=2026-11-01&to=2026-11-20"
		c := get(november + "&unit=day")
		assert.Nil(t, c.Total, "never the cost itself")
		assert.Nil(t, c.Bars[4].Amount)
		assert.Equal(t, "measurement", c.Unknown[0].Reason)
		require.NotNil(t, c.Estimate)
		assert.Equal(t, 95.0, c.Estimate.Total, "as the forecast has it")
		assert.Len(t, c.Estimate.Rows, 2)
		for i, bar := range c.Estimate.Bars {
			assert.Equal(t, []any{new(5.0), i == 4}, []any{bar.Amount, bar.Estimated}, bar.Day)
		}
		assert.Equal(t, "2026-11-05", c.Estimate.Days[0].From)
		assert.Equal(t, 95.0, get(november).Estimate.Total, "without bars")
		assert.Nil(t, get("?from=2026-10-01&to=2026-11-01&unit=day").Estimate, "known")
		assert.Nil(t, get("?from=2026-09-25&to=2026-11-20&unit=month").Estimate, "prices of September are not known")
	})
	t.Run("9-forecast-month", func(t *testing.T) {
		load(t, all.Portal, "interval", fmt.Sprintf(`{"ean_code":%q,"start":"2026-11-20T06:00:00+01:00","seconds":3600,"normal":"0.5"}`, h.power))
		var month struct{ Total struct{ Consumption float64 } }
		a := h.Do(http.MethodGet, "/usage/"+h.power+"/series?unit=day&from=2026-11-01&to=2026-12-01", nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &month)
		for _, c := range h.forecast(t).Connections {
			if c.EANCode == h.power {
				assert.Equal(t, 152.5, month.Total.Consumption)
				assert.Equal(t, &month.Total.Consumption, c.Usage.SoFar, "all that was measured, as on the usage page")
				assert.Equal(t, "2026-11-20", c.LastDay, "of which not all was measured")
				assert.Equal(t, "2026-11-20", c.Until, "days before were measured completely")
				assert.Equal(t, 240.0, c.Usage.Expected)
				assert.Equal(t, new(49.4), c.Cost.SoFar, "complete days only")
			}
		}
	})
	t.Run("9-forecast-cost", func(t *testing.T) {
		load(t, all.Portal, "connection", fmt.Sprintf(`{"debtor_number":%q,"ean_code":%q,"commodity":"GAS","meter_type":"CONVENTIONAL","agreement_identifier":"ended"}`, h.Debtor, h.old))
		f := h.forecastNow(t)
		require.Len(t, f.Connections, 2, "the third one is not supplied any more")
		require.NotNil(t, f.Total, "the cost of each of them is known")
		assert.Equal(t, expectedBody{SoFar: new(144.4), Expected: 228, Low: 228, High: 228, Estimated: true}, *f.Total,
			"49.40 and 95, 78 and 150")
		load(t, all.Portal, "connection", fmt.Sprintf(`{"debtor_number":%q,"ean_code":%q,"commodity":"GAS","meter_type":"CONVENTIONAL","agreement_identifier":%q}`, h.Debtor, h.old, h.agreement))
	})
	t.Run("9-forecast-none", func(t *testing.T) {
		h.Get(t, consentPath+"?consentGiven=false")
		for _, c := range h.forecast(t).Connections {
			assert.NotEmpty(t, c.Reason)
			assert.Nil(t, c.Usage)
		}
	})
}
