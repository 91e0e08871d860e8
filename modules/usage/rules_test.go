package usage

import (
	"encoding/json"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
)

// vectors runs the cases of schemas/rules/<row>.json.
func vectors[G any](t *testing.T, row string, check func(given G, today value.Day, set Settings) []string) {
	t.Helper()
	t.Run(row, func(t *testing.T) {
		moduletest.Vectors(t, "../../schemas/rules/"+row+".json", func(given G, today value.Day, set Settings) []string {
			return append([]string{}, check(given, today, set)...)
		})
	})
}

func TestHistory(t *testing.T) {
	type contract struct {
		Start value.Day `json:"contract_start"`
	}
	vectors(t, "9-historical-span", func(c contract, today value.Day, set Settings) []string {
		return []string{HistoryStart(c.Start, today, set.HistoryMonths).String()}
	})
	type meter struct {
		Type    MeterType `json:"meter_type"`
		Consent bool
		Unit    Period
	}
	history := func(m meter, _ value.Day, set Settings) []string {
		return CheckHistory(m.Type, m.Consent, set.Intervals)
	}
	vectors(t, "5.10-historical-conditions", history)
	vectors(t, "9-usage-intervals-basis", history)
	vectors(t, "9-usage-units", func(m meter, _ value.Day, set Settings) []string {
		return CheckUnit(m.Unit, m.Type, m.Consent, set.Intervals)
	})
	t.Run("an empty basis requires consent", func(t *testing.T) {
		assert.Equal(t, []string{codeConsentNeeded}, CheckHistory(Smart, false, ""))
	})
	vectors(t, "3-unit-per-commodity", func(c Commodity, _ value.Day, _ Settings) []string { return []string{string(UnitOf(c))} })
}

// A label can set fewer months of history, but not more than consent covers.
func TestSettings(t *testing.T) {
	c := cuecontext.New()
	schema := c.CompileString(settings).LookupPath(cue.ParsePath("#Settings"))
	for months, fine := range map[string]bool{"24": true, "1": true, "25": false, "0": false} {
		err := schema.Unify(c.CompileString("{history_months: " + months + "}")).Validate(cue.Concrete(true))
		assert.Equal(t, fine, err == nil, "%s: %v", months, err)
	}
	for basis, fine := range map[string]bool{`"consent"`: true, `"contract"`: true, `"law"`: false, "true": false} {
		err := schema.Unify(c.CompileString("{intervals: " + basis + "}")).Validate(cue.Concrete(true))
		assert.Equal(t, fine, err == nil, "%s: %v", basis, err)
	}
	for day, fine := range map[string]bool{"2026-12-31": true, "2024-02-29": true, "2026-02-29": false, "2026-13-01": false, "": false, "31-12-2026": false} {
		err := schema.Unify(c.CompileString(`{net_metering_until: "` + day + `"}`)).Validate(cue.Concrete(true))
		assert.Equal(t, fine, err == nil, "%s: %v", day, err)
	}
	for percent, fine := range map[string]bool{"0": true, "9": true, "100": true, "101": false, "-1": false, "0.21": false} {
		err := schema.Unify(c.CompileString("{vat_percent: " + percent + "}")).Validate(cue.Concrete(true))
		assert.Equal(t, fine, err == nil, "%s: %v", percent, err)
	}
	raw, err := schema.MarshalJSON()
	require.NoError(t, err)
	var set Settings
	require.NoError(t, json.Unmarshal(raw, &set))
	assert.Equal(t, Settings{"2026-02", 24, ByConsent, value.Day{Year: 2026, Month: 12, Day: 31}, 21}, set)
}

func TestConnection(t *testing.T) {
	good := Connection{EANCode: "871600000000000017", Commodity: Gas, MeterType: Conventional}
	check := func(change func(*Connection)) string {
		c := good
		change(&c)
		field, code := c.check()
		return strings.Trim(field+":"+code, ":")
	}
	assert.Empty(t, check(func(*Connection) {}))
	assert.Equal(t, "ean_code:required", check(func(c *Connection) { c.EANCode = "" }))
	assert.Equal(t, "ean_code:usage.ean", check(func(c *Connection) { c.EANCode = "=1+1" }))
	assert.Equal(t, "ean_code:usage.ean", check(func(c *Connection) { c.EANCode = "87160000000000001" }))
	t.Run("3-enum-commodity", func(t *testing.T) {
		assert.Empty(t, check(func(c *Connection) { c.Commodity = "ELECTRICITY" }))
		assert.Empty(t, check(func(c *Connection) { c.Commodity = "GAS" }))
		assert.Equal(t, "commodity:invalid", check(func(c *Connection) { c.Commodity = "WATER" }))
	})
	t.Run("3-connection-meter-type", func(t *testing.T) {
		assert.Empty(t, check(func(c *Connection) { c.MeterType = "SMART" }))
		assert.Empty(t, check(func(c *Connection) { c.MeterType = "CONVENTIONAL" }))
		assert.Equal(t, "meter_type:invalid", check(func(c *Connection) { c.MeterType = "DUMB" }))
	})
	t.Run("a house number may be a number", func(t *testing.T) {
		for _, record := range []string{`{"house_number":12,"city":"Grootegast"}`, `{"house_number":"12","city":"Grootegast"}`} {
			var a Address
			require.NoError(t, json.Unmarshal([]byte(record), &a))
			assert.Equal(t, Address{HouseNumber: "12", City: "Grootegast"}, a)
		}
	})
}

// 3-enum-unit: every unit in the schema has these four values.
func TestUnits(t *testing.T) {
	t.Run("3-enum-unit", func(t *testing.T) {
		doc, err := json.Marshal(newService(module.Host{}).OpenAPI())
		require.NoError(t, err)
		var api struct {
			Components struct {
				Schemas map[string]struct {
					Properties map[string]struct{ Enum []string }
				}
			}
		}
		require.NoError(t, json.Unmarshal(doc, &api))
		for schema, field := range map[string]string{"Reading": "unit", "Series": "unit_of_measurement", "Latest": "unit", "Summary": "unit", "ConnectionHistory": "unit"} {
			assert.Equal(t, []string{"KWH", "KWT", "MTQ", "M3N"}, api.Components.Schemas[schema].Properties[field].Enum, schema)
		}
	})
}

func TestAmount(t *testing.T) {
	for text, want := range map[string]Amount{"0": 0, "12": 12000, "12.5": 12500, "0.123": 123, "0.1230": 123, "1200.123": 1200123, "007": 7000, "1000000000000": maxAmount} {
		a, err := ParseAmount(text)
		assert.NoError(t, err, text)
		assert.Equal(t, want, a, text)
	}
	for text, want := range map[string]error{"0.1234": errDecimals, "-1": errNegative, "": errNumber, ".5": errNumber, "5.": errNumber,
		"1,5": errNumber, "1e3": errNumber, "NaN": errNumber, "--1": errNumber, "1000000000000.001": errNumber, "99999999999999": errNumber, "9999999999999999999999": errNumber} {
		_, err := ParseAmount(text)
		assert.Equal(t, want, err, text)
	}
	data, err := json.Marshal([]Amount{0, 5, 12345, -2500})
	require.NoError(t, err)
	assert.Equal(t, "[0.000,0.005,12.345,-2.500]", string(data))
}
