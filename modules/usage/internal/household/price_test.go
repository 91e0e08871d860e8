package household

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/cost"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

// The demo contains prices for thirteen months, so that it can show a year in euros and a year without net metering.
func TestDemoPrices(t *testing.T) {
	now := time.Date(2026, 11, 23, 11, 0, 0, 0, metertest.Amsterdam(t))
	today := value.DayOf(now)
	shapes, err := os.ReadFile("../../../billing/demo/shapes.tmpl")
	require.NoError(t, err)
	texts := demodata.NewTexts(now, string(shapes)).For("90000001", "1")
	folders, err := filepath.Glob("../../../../labels/*/demo")
	require.NoError(t, err)
	samples := map[string][2]string{"sample": {"../../../billing/demo/agreement.ndjson", "../../demo/households.json"}}
	for _, folder := range folders {
		samples[folder] = [2]string{filepath.Join(folder, "agreement.ndjson"), filepath.Join(folder, "households.json")}
	}
	known, panels := 0, 0
	t.Run("9-usage-euro-demo", func(t *testing.T) {
		for _, files := range samples {
			var homes []Household
			list, err := os.ReadFile(files[1])
			if err != nil {
				continue // a label without module usage
			}
			expanded, err := texts.Execute("households", string(list))
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(expanded, &homes))
			text, err := os.ReadFile(files[0])
			require.NoError(t, err)
			text, err = texts.Execute("agreement", string(text))
			require.NoError(t, err)
			for _, h := range homes {
				var prices []cost.Price
				var supplied []meter.Span
				for line := range strings.Lines(string(text)) {
					var a struct {
						figures
						Period struct{ From, To value.Day }
						Prices []struct {
							Kind            cost.PriceKind
							Commodity, Unit string
							Amount          value.Price
							IncludesVAT     *bool `json:"includes_vat"`
							From, To        value.Day
						} `json:"price_agreements"`
					}
					require.NoError(t, json.Unmarshal([]byte(line), &a))
					own := false
					for _, at := range a.Addresses {
						for _, c := range at.Connections {
							own = own || c.EAN == h.EAN
						}
					}
					if !own || a.Status == meter.Cancelled || a.Status == "FUTURE" {
						continue
					}
					supplied = append(supplied, meter.Agreement{From: a.Period.From, To: a.Period.To}.Span())
					for _, p := range a.Prices {
						if p.Commodity != h.Commodity {
							continue
						}
						unit := map[string]string{"maand": "month", "jaar": "year", "m³": "m3"}[p.Unit]
						if unit == "" {
							unit = p.Unit
						}
						one := cost.Price{Kind: p.Kind, Unit: unit, Amount: p.Amount, IncludesVAT: p.IncludesVAT, From: p.From}
						if !p.To.IsZero() {
							one.Until = p.To.AddDays(1)
						}
						prices = append(prices, one)
					}
				}
				require.NotEmpty(t, supplied, "%s: no agreement", h.EAN)
				days := meter.Union(supplied).Within(meter.Span{From: today.AddMonths(-13), Until: today})
				var quantities []meter.Quantity
				for d := days.From; d.Before(days.Until); d = d.AddDays(1) {
					q := meter.Quantity{From: d, Until: d.AddDays(1),
						Amounts: meter.Amounts{Normal: metertest.KWh(2), Low: metertest.KWh(1), Consumption: metertest.KWh(3)}}
					if h.Solar > 0 {
						q.FeedinNormal, q.FeedinLow = metertest.KWh(4), metertest.KWh(2)
					}
					quantities = append(quantities, q)
				}
				tariff := cost.Tariff{Commodity: meter.Commodity(h.Commodity), Prices: prices, NetMeteringUntil: today}
				c := cost.Of(tariff, days, quantities)
				require.NotNil(t, c.Total, "%s from %s: %+v", h.EAN, days.From, c.Unknown)
				known++
				if h.Solar > 0 {
					panels++
					tariff.NetMeteringUntil = value.Day{}
					without := cost.Of(tariff, days, quantities)
					require.NotNil(t, without.Total, "%s without net metering: %+v", h.EAN, without.Unknown)
					assert.Greater(t, *without.Total, *c.Total, h.EAN)
				}
			}
		}
		assert.GreaterOrEqual(t, known, 30)
		assert.GreaterOrEqual(t, panels, 4)
	})
}
