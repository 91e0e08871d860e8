package usage_test

import (
	"fmt"
	"math"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/test/fixture"
)

type barsBody struct {
	costBody
	Bars     []barBody
	Estimate *struct {
		Total float64
		Rows  []struct{ Amount float64 }
		Bars  []barBody
		Days  []struct{ From, To string }
	}
}

type barBody struct {
	Start, Day string
	Amount     *float64
	Estimated  bool
}

// importPrices imports the household's agreement, which starts in 2025, with electricity prices.
func (h household) importPrices(t *testing.T, all *fixture.Customers, prices string) {
	t.Helper()
	load(t, all.Portal, "agreement", fmt.Sprintf(`{"debtor_number":%q,"agreement_identifier":%q,"agreement_identifier_with_sequence":"%[2]s-1",
		"name":"Groen","period":{"from":"2025-01-01","to":null},"product_category":"ENERGY","status":"ACTIVE","price_agreements":[%s]}`, h.Debtor, h.agreement, prices))
}

func priceOf(kind, unit, amount, period string) string {
	return fmt.Sprintf(`{"description":"x","kind":%q,"commodity":"ELECTRICITY","unit":%q,"amount":%q,"includes_vat":true,%s}`, kind, unit,
		amount, period)
}

func testCostBars(t *testing.T, all *fixture.Customers) {
	h := newHousehold(all, t)
	since := `"from":"2025-01-01"`
	h.importPrices(t, all, priceOf("single", "kWh", "0.30", since)+","+priceOf("standing", "month", "6", since))
	var days []string
	for day := 1; day <= 31; day++ {
		n := 24
		if day == 25 {
			n = 25
		}
		if day != 12 {
			days = append(days, fmt.Sprintf(`{"ean_code":%q,"day":"2026-10-%02d","normal":%s}`, h.power, day, hours("0.5", n)))
		}
	}
	load(t, all.Portal, "interval_day", days...)
	get := func(query string) (out barsBody) {
		t.Helper()
		a := h.Do(http.MethodGet, "/usage/"+h.power+"/cost"+query, nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		require.Contains(t, string(a.Body), `"bars":[`)
		a.JSON(t, &out)
		return out
	}
	cents := func(b barsBody) (out []int) {
		for _, bar := range b.Bars {
			if bar.Amount == nil {
				out = append(out, -1)
			} else {
				out = append(out, int(math.Round(*bar.Amount*100)))
			}
		}
		return out
	}
	october := "?from=2026-10-01&to=2026-11-01&unit="
	t.Run("9-usage-euro-bars", func(t *testing.T) {
		assert.Empty(t, get(october+"day").Bars, "without consent no day")
		h.Get(t, consentPath+"?consentGiven=true")
		b := get(october + "day")
		require.Len(t, b.Bars, 31)
		assert.Nil(t, b.Total)
		assert.Nil(t, b.Bars[11].Amount, "not measured")
		assert.Nil(t, b.Estimate, "9-usage-euro-estimate: not in the current month")
		assert.Equal(t, "2026-10-25", b.Bars[24].Day)
		assert.InDelta(t, 394, cents(b)[24], 1, "25 hours")
		assert.NotContains(t, append(cents(b)[:11], cents(b)[12:]...), -1)
		assert.Empty(t, get("?from=2026-10-01&to=2026-11-01").Bars, "no bars were asked for")
	})
	load(t, all.Portal, "reading", fmt.Sprintf(`{"ean_code":%q,"measurement_date":"2026-10-01","consumption_normal":1000,"consumption_low":500}`, h.power),
		fmt.Sprintf(`{"ean_code":%q,"measurement_date":"2026-11-01","consumption_normal":1380.5,"consumption_low":500}`, h.power))
	t.Run("9-usage-euro-gap", func(t *testing.T) {
		b := get(october + "day")
		require.NotNil(t, b.Total, "%+v", b)
		assert.Equal(t, 120.15, *b.Total, "380.5 kWh at 0.30 and a month at 6")
		assert.InDelta(t, 619, cents(b)[11], 1, "20 kWh, which the other days of October did not use")
		b = get("?from=2026-10-12&to=2026-10-13&unit=day")
		require.NotNil(t, b.Total, "the day alone")
		assert.Equal(t, 6.19, *b.Total)
		assert.Nil(t, get("?from=2026-10-12&to=2026-10-13&unit=hour").Bars[0].Amount, "an hour of it is not known")
	})
	t.Run("9-usage-euro-bars", func(t *testing.T) {
		for unit, n := range map[string]int{"hour": 745, "day": 31, "week": 5, "month": 1, "year": 1} {
			b := get(october + unit)
			require.Len(t, b.Bars, n, unit)
			sum := 0
			for _, c := range cents(b) {
				sum += c
			}
			if unit != "hour" { // the hours of the 12th are unknown
				assert.Equal(t, 12015, sum, unit)
			}
		}
		b := get("?from=2026-10-25&to=2026-10-26&unit=hour")
		require.Len(t, b.Bars, 25)
		sum := 0
		for _, c := range cents(b) {
			sum += c
		}
		assert.Equal(t, []any{394, "2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00", ""},
			[]any{sum, b.Bars[2].Start, b.Bars[3].Start, b.Bars[3].Day})
		assert.Equal(t, "2026-09-28", get(october + "week").Bars[0].Day, "a week is named by its Monday")
		assert.InDelta(t, 1517, cents(get(october + "week"))[0], 1, "of which four days are counted")
		for query, status := range map[string]int{"?from=2020-10-01&to=2026-11-01&unit=month": 200,
			"?from=2025-10-31&to=2026-11-01&unit=hour": 200,
			"?from=2025-10-30&to=2026-11-01&unit=hour": 400, october + "minute": 400, "?from=2026-10-02&to=2026-10-02&unit=hour": 400} {
			assert.Equal(t, status, h.Do(http.MethodGet, "/usage/"+h.power+"/cost"+query, nil).Status, query)
		}
	})
}

func testNetMetering(t *testing.T, all *fixture.Customers) {
	h := newHousehold(all, t)
	before, since := `"from":"2025-01-01","to":"2026-04-30"`, `"from":"2026-05-01"`
	prices := priceOf("single", "kWh", "0.50", before) + "," + priceOf("single", "kWh", "0.30", since) + "," +
		priceOf("feed_in", "kWh", "0.07", since) + "," +
		priceOf("standing", "month", "9", before) + "," + priceOf("standing", "month", "6", since)
	h.importPrices(t, all, prices+","+priceOf("feed_in_cost", "kWh", "0.05", since))
	var readings []string
	for n, on := range []string{"2025-11", "2025-12", "2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06", "2026-07", "2026-08",
		"2026-09", "2026-10", "2026-11"} {
		readings = append(readings, fmt.Sprintf(`{"ean_code":%q,"measurement_date":"%s-01","consumption_normal":%d,"consumption_low":%d,"feedin_normal":%d,"feedin_low":%d}`,
			h.power, on, 200*n, 100*n, 150*n, 50*n))
	}
	load(t, all.Portal, "reading", readings...)
	type body struct {
		Applies       bool
		Until         string `json:"net_metering_until"`
		From, To      string
		Fed           float64 `json:"fed_in"`
		With, Without *costBody
	}
	get := func(h household, ean string) (out body) {
		t.Helper()
		a := h.Do(http.MethodGet, "/usage/"+ean+"/net-metering", nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		a.JSON(t, &out)
		return out
	}
	t.Run("9-usage-euro-net-metering", func(t *testing.T) {
		for _, consent := range []string{"false", "true"} {
			h.Get(t, consentPath+"?consentGiven="+consent)
			b := get(h, h.power)
			require.True(t, b.Applies, consent)
			assert.Equal(t, []any{"2026-12-31", "2025-11-01", "2026-11-01", 2400.0}, []any{b.Until, b.From, b.To, b.Fed})
			require.NotNil(t, b.With.Total, "%+v", b.With)
			assert.Equal(t, 552.0, *b.With.Total, "at today's prices: 3600 x 0.30 - 2400 x 0.30 + 2400 x 0.05 + 12 x 6")
			require.NotNil(t, b.Without.Total, "%+v", b.Without)
			assert.Equal(t, 1104.0, *b.Without.Total, "3600 x 0.30 - 2400 x 0.07 + 2400 x 0.05 + 12 x 6")
		}
		assert.False(t, get(h, h.gas).Applies, "gas is not fed in")
		h.importPrices(t, all, prices)
		b := get(h, h.power)
		require.True(t, b.Applies)
		assert.Equal(t, 432.0, *b.With.Total)
		require.Nil(t, b.Without.Total, "costs of feed-in were not agreed")
		assert.Equal(t, []string{"price", "feed_in_cost"}, []string{b.Without.Unknown[0].Reason, b.Without.Unknown[0].Kind})
		other := newHousehold(all, t)
		b = get(other, other.power)
		assert.Equal(t, []any{false, true}, []any{b.Applies, b.With == nil}, "nothing was fed in")
		assert.Equal(t, http.StatusNotFound, other.Do(http.MethodGet, "/usage/"+h.power+"/net-metering", nil).Status)
	})
}
