package history

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/modules/usage/internal/interval"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter/metertest"
)

func TestCSV(t *testing.T) {
	loc := metertest.Amsterdam(t)
	t.Run("less than 80 bytes without measurements", func(t *testing.T) {
		var b bytes.Buffer
		require.NoError(t, WriteCSV(&b, metertest.Power, nil, loc))
		assert.Equal(t, "ean,start,end,normal,low,feedin_normal,feedin_low,consumption,unit\r\n", b.String())
		assert.Less(t, b.Len(), 80)
	})
	t.Run("one line per measured interval", func(t *testing.T) {
		p := interval.NewProfile(interval.HourSeconds, 25)
		p.Set(interval.Low, 2, 207)
		p.Set(interval.Low, 3, 515)
		p.Set(interval.FeedinNormal, 3, 0)
		whole := interval.NewProfile(interval.DaySeconds, 1)
		whole.Set(interval.Normal, 0, 12000)
		var b bytes.Buffer
		require.NoError(t, WriteCSV(&b, metertest.Power,
			[]interval.Measured{{Day: day("2024-10-27"), Profile: p}, {Day: day("2024-10-28"), Profile: whole}}, loc))
		lines, err := csv.NewReader(&b).ReadAll()
		require.NoError(t, err)
		assert.Equal(t, [][]string{csvColumns,
			{metertest.Power.EANCode, "2024-10-27T02:00:00+02:00", "2024-10-27T02:00:00+01:00", "", "0.207", "", "", "0.207", "KWH"},
			{metertest.Power.EANCode, "2024-10-27T02:00:00+01:00", "2024-10-27T03:00:00+01:00", "", "0.515", "0.000", "", "0.515", "KWH"},
			{metertest.Power.EANCode, "2024-10-28T00:00:00+01:00", "2024-10-29T00:00:00+01:00", "12.000", "", "", "", "12.000", "KWH"}}, lines)
	})
	t.Run("9-usage-csv-excel", func(t *testing.T) { // version 1 stays unchanged, byte for byte
		p := interval.NewProfile(interval.HourSeconds, 25)
		p.Set(interval.Low, 2, 207)
		p.Set(interval.Low, 3, 1515)
		p.Set(interval.FeedinNormal, 3, 0)
		var b bytes.Buffer
		require.NoError(t, WriteCSV(&b, metertest.Power, []interval.Measured{{Day: day("2024-10-27"), Profile: p}}, loc))
		assert.Equal(t, "ean,start,end,normal,low,feedin_normal,feedin_low,consumption,unit\r\n"+
			"871600000000000017,2024-10-27T02:00:00+02:00,2024-10-27T02:00:00+01:00,,0.207,,,0.207,KWH\r\n"+
			"871600000000000017,2024-10-27T02:00:00+01:00,2024-10-27T03:00:00+01:00,,1.515,0.000,,1.515,KWH\r\n", b.String())
	})
	t.Run("9-usage-csv-excel", func(t *testing.T) {
		p := interval.NewProfile(interval.HourSeconds, 25)
		p.Set(interval.Low, 2, 207)
		p.Set(interval.Low, 3, 1515)
		p.Set(interval.FeedinNormal, 3, 0)
		whole := interval.NewProfile(interval.DaySeconds, 1)
		whole.Set(interval.Low, 0, 1_234_500)
		var b bytes.Buffer
		require.NoError(t, WriteSheet(&b, metertest.Power,
			[]interval.Measured{{Day: day("2024-10-27"), Profile: p}, {Day: day("2024-10-28"), Profile: whole}}, loc))
		assert.Equal(t, "\xef\xbb\xbfEAN;Begin;Einde;Klok;Dal (kWh);Teruglevering normaal (kWh);Verbruik (kWh)\r\n"+
			"87 1600 0000 0000 0017;27-10-2024 02:00;27-10-2024 02:00;zomertijd;0,207;;0,207\r\n"+
			"87 1600 0000 0000 0017;27-10-2024 02:00;27-10-2024 03:00;wintertijd;1,515;0,000;1,515\r\n"+
			"87 1600 0000 0000 0017;28-10-2024 00:00;29-10-2024 00:00;wintertijd;1234,500;;1234,500\r\n", b.String())
		b.Reset()
		gas := interval.NewProfile(interval.HourSeconds, 24)
		gas.Set(interval.Gas, 0, 480)
		require.NoError(t, WriteSheet(&b, metertest.Gas, []interval.Measured{{Day: day("2024-10-28"), Profile: gas}}, loc))
		assert.Equal(t, "\xef\xbb\xbfEAN;Begin;Einde;Klok;Verbruik (m³)\r\n87 1600 0000 0000 0024;28-10-2024 00:00;28-10-2024 01:00;wintertijd;0,480\r\n", b.String())
		assert.GreaterOrEqual(t, b.Len(), 80, "the shortest file with a measurement is offered")
		b.Reset()
		require.NoError(t, WriteSheet(&b, metertest.Power, nil, loc))
		assert.Equal(t, "\xef\xbb\xbfEAN;Begin;Einde;Klok\r\n", b.String())
		assert.Less(t, b.Len(), 80, "a file without measurements is not offered")
		assert.Equal(t, "'=cmd", sheetEAN("=cmd"))
		assert.Equal(t, "historical-data-871600000000000017-excel.csv", SheetName(metertest.Power.EANCode))
	})
	t.Run("texts are never formulas", func(t *testing.T) {
		for text, want := range map[string]string{"=1+1": "'=1+1", "+31": "+31", "-2.5": "-2.5", "@SUM(A1)": "'@SUM(A1)", "\tx": "'\tx",
			"-x": "'-x", "KWH": "KWH", "": ""} {
			assert.Equal(t, want, escapeCell(text))
		}
		var b bytes.Buffer
		p := interval.NewProfile(interval.DaySeconds, 1)
		p.Set(interval.Normal, 0, 1)
		require.NoError(t, WriteCSV(&b, meter.Connection{EANCode: "=cmd|' /C calc'!A0"},
			[]interval.Measured{{Day: day("2024-10-28"), Profile: p}}, loc))
		assert.True(t, strings.Contains(b.String(), "\r\n'=cmd"), b.String())
	})
	t.Run("name", func(t *testing.T) {
		assert.Equal(t, "historical-data-871600000000000017.csv", CSVName("871600000000000017"))
	})
}
