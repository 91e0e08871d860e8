package meter

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/moduletest"
	"github.com/wattle-portal/wattle/core/value"
)

func TestUnitOf(t *testing.T) {
	t.Run("3-unit-per-commodity", func(t *testing.T) {
		moduletest.RunCases(t, "../../../../schemas/rules/3-unit-per-commodity.json", func(c Commodity, _ value.Day, _ struct{}) []string {
			return []string{string(UnitOf(c))}
		})
	})
}

func TestConnection(t *testing.T) {
	good := Connection{EANCode: "871600000000000017", Commodity: Gas, MeterType: Conventional}
	check := func(change func(*Connection)) string {
		c := good
		change(&c)
		field, code := c.Check()
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

func TestAmount(t *testing.T) {
	for text, want := range map[string]Amount{"0": 0, "12": 12000, "12.5": 12500, "0.123": 123, "0.1230": 123, "1200.123": 1200123,
		"007": 7000, "1000000000000": MaxAmount} {
		a, err := ParseAmount(text)
		assert.NoError(t, err, text)
		assert.Equal(t, want, a, text)
	}
	for text, want := range map[string]error{"0.1234": errDecimals, "-1": errNegative, "": errNumber, ".5": errNumber, "5.": errNumber,
		"1,5": errNumber, "1e3": errNumber, "NaN": errNumber, "--1": errNumber, "1000000000000.001": errNumber, "99999999999999": errNumber,
		"9999999999999999999999": errNumber} {
		_, err := ParseAmount(text)
		assert.Equal(t, want, err, text)
	}
	data, err := json.Marshal([]Amount{0, 5, 12345, -2500})
	require.NoError(t, err)
	assert.Equal(t, "[0.000,0.005,12.345,-2.500]", string(data))
}
