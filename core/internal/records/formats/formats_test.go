package formats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/records/formats/energy"
)

const power, gas, project = "871687120000000011", "871687120000000028", "WND-01"

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	require.NoError(t, err)
	return z
}

// read returns the records and refusals of a file as lines.
func read(t *testing.T, format, zoneName, text string, set map[string]string) (out, notes []string) {
	t.Helper()
	s, err := Open(format, strings.NewReader(text), zone(t, zoneName), set)
	require.NoError(t, err)
	for {
		r, err := s.Next()
		if errors.Is(err, io.EOF) {
			return out, s.Notes()
		}
		if bad, ok := errors.AsType[*energy.ParseError](err); ok {
			out = append(out, bad.Error())
			continue
		}
		if err != nil {
			return append(out, "stopped: "+err.Error()), s.Notes()
		}
		require.True(t, json.Valid(r.Data), string(r.Data))
		out = append(out, fmt.Sprintf("%d %s", r.Line, r.Data))
	}
}

// greenButton returns a file with one meter reading.
func greenButton(readingType, readings string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:espi="http://naesb.org/espi">
<entry><link rel="self" href="/RetailCustomer/9/UsagePoint/7"/><content><espi:UsagePoint><espi:ServiceCategory><espi:kind>0</espi:kind></espi:ServiceCategory></espi:UsagePoint></content></entry>
<entry><link rel="self" href="/RetailCustomer/9/UsagePoint/7/MeterReading/1"/><link rel="up" href="/RetailCustomer/9/UsagePoint/7/MeterReading"/>
<link rel="related" href="/ReadingType/4"/><content><espi:MeterReading/></content></entry>
<entry><link rel="self" href="/RetailCustomer/9/UsagePoint/7/MeterReading/1/IntervalBlock/1"/><link rel="up" href="/RetailCustomer/9/UsagePoint/7/MeterReading/1/IntervalBlock"/>
<content><espi:IntervalBlock><espi:interval><espi:duration>86400</espi:duration><espi:start>1711846800</espi:start></espi:interval>
` + readings + `</espi:IntervalBlock></content></entry>
<entry><link rel="self" href="/ReadingType/4"/><content><espi:ReadingType>` + readingType + `</espi:ReadingType></content></entry>
</feed>`
}

func intervalReading(start, seconds int, value, quality string) string {
	if quality != "" {
		quality = "<espi:ReadingQuality><espi:quality>" + quality + "</espi:quality></espi:ReadingQuality>"
	}
	return fmt.Sprintf("<espi:IntervalReading>%s<espi:timePeriod><espi:duration>%d</espi:duration><espi:start>%d</espi:start></espi:timePeriod><espi:value>%s</espi:value></espi:IntervalReading>\n",
		quality, seconds, start, value)
}

func TestGreenButton(t *testing.T) {
	wh := func(more string) string {
		return "<espi:commodity>1</espi:commodity><espi:intervalLength>3600</espi:intervalLength><espi:uom>72</espi:uom>" + more
	}
	set := map[string]string{"electricity": power, "gas": gas}
	const two = 1729987200 // 2024-10-27 02:00 in summer time
	t.Run("11-import-green-button", func(t *testing.T) {
		for _, c := range []struct {
			readingType, readings string
			want, notes           []string
		}{
			{wh("<espi:powerOfTenMultiplier>0</espi:powerOfTenMultiplier>"), intervalReading(two, 3600, "196", "17") +
				intervalReading(two+3600, 3600, "204", "8"),
				[]string{`8 {"ean_code":"` + power + `","start":"2024-10-27T02:00:00+02:00","seconds":3600,"normal":0.196}`,
					`9 {"ean_code":"` + power + `","start":"2024-10-27T02:00:00+01:00","seconds":3600,"normal":0.204}`},
				[]string{"1 value of an interval is estimated according to the file; interval records do not keep that",
					"the file has nothing for --set gas=…"}},
			{wh("<espi:powerOfTenMultiplier>3</espi:powerOfTenMultiplier><espi:flowDirection>19</espi:flowDirection>"),
				intervalReading(two, 900, "2", ""),
				[]string{`8 {"ean_code":"` + power + `","start":"2024-10-27T02:00:00+02:00","seconds":900,"feedin_normal":2.000}`},
				[]string{"the file has nothing for --set gas=…"}},
			{wh("<espi:powerOfTenMultiplier>-3</espi:powerOfTenMultiplier><espi:flowDirection>1</espi:flowDirection>"), // no rounding loss
				intervalReading(two, 900, "1600", "") + intervalReading(two+900, 900, "1600", ""),
				[]string{`8 {"ean_code":"` + power + `","start":"2024-10-27T02:00:00+02:00","seconds":900,"normal":0.001}`,
					`9 {"ean_code":"` + power + `","start":"2024-10-27T02:15:00+02:00","seconds":900,"normal":0.002}`},
				[]string{"the file has nothing for --set gas=…"}},
			{wh(""), intervalReading(1729980000, 90000, "4000", ""), // a day of 25 hours
				[]string{`8 {"ean_code":"` + power + `","start":"2024-10-27T00:00:00+02:00","seconds":86400,"normal":4.000}`},
				[]string{"the file has nothing for --set gas=…"}},
			{"<espi:commodity>7</espi:commodity><espi:uom>42</espi:uom><espi:powerOfTenMultiplier>-3</espi:powerOfTenMultiplier>",
				intervalReading(two, 3600, "1250", ""),
				[]string{`8 {"ean_code":"` + gas + `","start":"2024-10-27T02:00:00+02:00","seconds":3600,"consumption":1.250}`},
				[]string{"the file has nothing for --set electricity=…"}},
			{wh("<espi:flowDirection>4</espi:flowDirection>"), intervalReading(two, 3600, "1", "") + intervalReading(two+3600, 3600, "1", ""),
				[]string{`line 8: unknown_value: flowDirection "4" is neither 1 (delivered) nor 19 (fed in)`},
				[]string{"the file has nothing for --set electricity=…", "the file has nothing for --set gas=…"}},
			{"<espi:uom>119</espi:uom>", intervalReading(two, 3600, "1", ""),
				[]string{`line 8: unknown_unit: uom "119" is neither 72 (Wh) nor 42 (cubic meters)`},
				[]string{"the file has nothing for --set electricity=…", "the file has nothing for --set gas=…"}},
		} {
			got, notes := read(t, "green-button", "Europe/Amsterdam", greenButton(c.readingType, c.readings), set)
			require.Equal(t, c.want, got, c.readingType)
			require.Equal(t, c.notes, notes)
		}
		const reading, end = "<entry><link rel=\"self\" href=\"/ReadingType/4\"/>", "</entry>\n</feed>"
		last := greenButton(wh("<espi:powerOfTenMultiplier>2</espi:powerOfTenMultiplier>"), intervalReading(two, 3600, "7", ""))
		at, usage := strings.Index(last, reading), strings.Index(last, "<entry>")
		first := last[:usage] + last[at:len(last)-len(end)] + "</entry>" + last[usage:at] + "</feed>"
		for _, file := range []string{last, first} { // readings before their type, and after it
			got, _ := read(t, "green-button", "Europe/Amsterdam", file, set)
			require.Len(t, got, 1)
			require.Contains(t, got[0], `{"ean_code":"`+power+`","start":"2024-10-27T02:00:00+02:00","seconds":3600,"normal":0.700}`)
		}
	})
	for readings, want := range map[string]string{
		intervalReading(two, 3600, "a", ""):    `line 8: not_a_number: value "a" is not an amount`,
		intervalReading(two, 3600, "-1", ""):   `line 8: not_a_number: value "-1" is not an amount`,
		intervalReading(-1, 3600, "1", ""):     `line 8: not_a_time: start "-1" is not a number of seconds since 1970`,
		intervalReading(two, 0, "1", ""):       `line 8: not_a_number: duration "0" is not a number of seconds`,
		intervalReading(two, 7200, "1", ""):    `line 8: interval_length: an interval of 7200 seconds from 2024-10-27T02:00:00+02:00 does not fit into quarters of an hour, hours or days`,
		intervalReading(two+450, 900, "1", ""): `line 8: not_aligned: an interval of 900 seconds cannot begin at 2024-10-27T02:07:30+02:00`,
		intervalReading(two, 900, "1", "") + intervalReading(two, 900, "2",
			""): `line 9: duplicate: the interval of 2024-10-27T02:00:00+02:00 comes twice, with different amounts`,
		"<espi:IntervalReading>": `stopped: the XML ends or is broken at line 8: element <IntervalReading> closed by </IntervalBlock>`,
	} {
		got, _ := read(t, "green-button", "Europe/Amsterdam", greenButton(wh(""), readings), set)
		require.Contains(t, got, want)
	}
	got, _ := read(t, "green-button", "Europe/Amsterdam", "<feed></feed>", set)
	require.Equal(t, []string{"stopped: not a Green Button file: it has no ReadingType"}, got)
	got, _ = read(t, "green-button", "Europe/Amsterdam", greenButton(wh(""), intervalReading(two, 3600, "1", "")), nil)
	require.Equal(t, []string{"stopped: the file does not say of which connection its electricity is: --set electricity=EAN, or --set electricity= to leave it out; for a file of several meters --set 7=EAN"}, got)
	got, _ = read(t, "green-button", "Europe/Amsterdam", greenButton(wh(""), intervalReading(two, 3600, "1", "")), map[string]string{"7": gas})
	require.Contains(t, got[0], gas, "by its usage point")
}

func nemDay(date string, n int, value, rest string) string {
	return "300," + date + strings.Repeat(","+value, n) + "," + rest + "\n"
}

func TestNEM12(t *testing.T) {
	head := "100,NEM12,200506081149,UNITEDDP,NEMMCO\n"
	e := func(suffix, unit string, minutes int) string {
		return fmt.Sprintf("200,NEM1201009,E1B1,1,%s,N1,01009,%s,%d,20050610\n", suffix, unit, minutes)
	}
	set := map[string]string{"NEM1201009": power}
	t.Run("11-import-nem12", func(t *testing.T) {
		got, notes := read(t, "nem12", "Australia/Sydney", head+e("E1", "kWh", 30)+nemDay("20240101", 48, "0.2505", "A,,,20240102120025,")+
			"500,O,S01009,20240101000000,\n900\n", set)
		require.Len(t, got, 24)
		require.Empty(t, notes)
		require.Equal(t, `3 {"ean_code":"`+power+`","start":"2024-01-01T01:00:00+11:00","seconds":3600,"normal":0.501}`, got[0],
			"market time has no summer time, Sydney has")
		got, _ = read(t, "nem12", "Australia/Brisbane", head+e("E1", "Wh", 15)+nemDay("20240701", 96, "250", "A,,,,")+e("B1", "kWh", 15)+
			nemDay("20240701", 96, "1.5", "A,,,,"), set)
		require.Len(t, got, 96, "both registers of an interval are one record")
		require.Equal(t, `3 {"ean_code":"`+power+`","start":"2024-07-01T00:00:00+10:00","seconds":900,"normal":0.250,"feedin_normal":1.500}`,
			got[0])
		got, _ = read(t, "nem12", "Australia/Brisbane", head+e("E1", "kWh", 5)+nemDay("20240701", 288, "0.0105", "A,,,,"), set)
		require.Len(t, got, 96)
		require.Contains(t, got[0], `"seconds":900,"normal":0.031}`, "three of five minutes")
		require.Contains(t, got[1], `"normal":0.032}`, "what rounding left")
		got, _ = read(t, "nem12", "Australia/Adelaide", head+e("E1", "kWh", 30)+nemDay("20240701", 48, "1", "A,,,,"), set)
		require.Len(t, got, 23, "hours of Adelaide begin half an hour after those of the market")
		require.Contains(t, got[0], `"start":"2024-07-01T00:00:00+09:30"`)
	})
	t.Run("11-import-estimated", func(t *testing.T) {
		got, notes := read(t, "nem12", "Australia/Brisbane", head+e("E1", "kWh", 15)+nemDay("20240701", 96, "1", "V,,,,")+
			"400,1,90,A,,\n400,91,94,F14,76,\n400,95,96,N,,\n"+
			nemDay("20240702", 96, "1", "E52,,,,"), set)
		require.Len(t, got, 94+96, "null data is left out")
		require.Equal(t, []string{"100 values of intervals are estimated according to the file; interval records do not keep that"}, notes)
	})
	t.Run("11-import-nem12-zone", func(t *testing.T) {
		file := head + e("E1", "kWh", 30) + nemDay("20240701", 48, "0.5", "A,,,,")
		got, notes := read(t, "nem12", "Australia/Perth", file, map[string]string{"electricity": power, "zone": "+08:00"})
		require.Len(t, got, 24)
		require.Empty(t, notes)
		require.Equal(t, `3 {"ean_code":"`+power+`","start":"2024-07-01T00:00:00+08:00","seconds":3600,"normal":1.000}`, got[0])
		got, _ = read(t, "nem12", "Australia/Perth", file, map[string]string{"electricity": power})
		require.Contains(t, got[0], `"start":"2024-06-30T22:00:00+08:00"`, "without it, the days of the eastern market")
		for _, invalid := range []string{"Australia/Perth", "8", "+25:00"} {
			_, err := Open("nem12", strings.NewReader(file), time.UTC, map[string]string{"zone": invalid})
			require.EqualError(t, err, "--set zone="+invalid+" is not an offset from UTC, such as +08:00")
		}
	})
	got, notes := read(t, "nem12", "Australia/Brisbane", head+e("Q1", "kVArh", 30)+nemDay("20240701", 48, "1", "V,,,,")+"400,1,48,A,,\n"+
		e("E1", "kWh", 15)+nemDay("20240701", 96, "1", "A,,,,"), set)
	require.Len(t, got, 96)
	require.Equal(t, []string{"1 day of registers without energy, such as reactive power, is left out"}, notes)
	for text, want := range map[string]string{
		e("E1", "kWh", 10):                   `line 2: unknown_value: the interval length "10" is none of 5, 15 and 30`,
		"200,X\n":                            `line 2: field_count: a line 200 has ten fields`,
		nemDay("20240701", 48, "1", "A,,,,"): `line 2: unknown_value: the line 200 of this day is missing or was refused`,
		e("E1", "kWh", 30) + nemDay("20240701", 40, "1", "A"):  `line 3: field_count: a day of 30-minute intervals has 48 values and a quality`,
		e("E1", "kWh", 30) + nemDay("20240731", 48, "x", "A"):  `line 3: not_a_number: interval 1: "x" is not an amount`,
		e("E1", "kWh", 30) + nemDay("20240731", 48, "-1", "A"): `line 3: not_a_number: interval 1: "-1" is not an amount`,
		e("E1", "kWh", 30) + nemDay("20240732", 48, "1", "A"):  `line 3: not_a_time: "20240732" is not a day written as YYYYMMDD`,
		e("E1", "kWh", 30) + nemDay("20240731", 48, "1", "X"):  `line 3: unknown_value: the quality "X" begins with none of A, E, F, S, N and V`,
		"400,1,2,A\n": `line 2: unknown_value: a line 400 follows the line 300 of its day`,
		"hello\n":     `line 2: unknown_value: a line begins with 100, 200, 300, 400, 500 or 900`,
		e("E1", "kWh", 30) + nemDay("20240731", 48, "1", "V") +
			"400,0,2,A\n": `line 4: unknown_value: intervals are numbered 1 to 48, with a quality A, E, F, S or N`,
	} {
		got, _ := read(t, "nem12", "Australia/Brisbane", head+text, set)
		require.Equal(t, want, got[0], text)
	}
	got, _ = read(t, "nem12", "Australia/Brisbane", "date,value\n", set)
	require.Equal(t, []string{"stopped: not a NEM12 file: its first line must begin with 100,NEM12"}, got)
	two := head + e("E1", "kWh", 15) + nemDay("20240701", 96, "1", "A") + strings.ReplaceAll(e("E1", "kWh", 15), "NEM1201009", "NEM1201010") +
		nemDay("20240701", 96, "1", "A")
	got, _ = read(t, "nem12", "Australia/Brisbane", two, map[string]string{"electricity": power})
	require.Contains(t, got[len(got)-1], `the file has electricity of "NEM1201009" and of "NEM1201010": give each its connection`)
}

// telegram returns a DSMR 5 telegram with an additional line.
func telegram(at, low, normal, gasAt, gasValue, more string) string {
	return "/ISK5\\2M550T-1012\r\n\r\n1-3:0.2.8(50)\r\n0-0:1.0.0(" + at + ")\r\n0-0:96.1.1(4530303434303037313331363530363137)\r\n1-0:1.8.1(" +
		low + "*kWh)\r\n" +
		"1-0:1.8.2(" + normal + "*kWh)\r\n1-0:2.8.1(000005.000*kWh)\r\n1-0:2.8.2(000006.000*kWh)\r\n0-0:96.14.0(0001)\r\n1-0:1.7.0(00.332*kW)\r\n" +
		"0-1:24.1.0(003)\r\n0-1:96.1.0(4730303339303031373839303132333137)\r\n0-1:24.2.1(" + gasAt + ")(" + gasValue + "*m3)\r\n" +
		"0-2:24.1.0(007)\r\n0-2:24.2.1(" + gasAt + ")(00099.000*m3)\r\n" + more + "!\r\n"
}

func TestDSMR(t *testing.T) {
	set := map[string]string{"electricity": power, "gas": gas}
	t.Run("11-import-dsmr", func(t *testing.T) {
		got, notes := read(t, "dsmr", "Europe/Amsterdam", "junk of a logger\n"+
			telegram("241026235959S", "000000.900", "000000.900", "241026230000S", "00001.000", "")+
			telegram("241027000001S", "000001.123", "000002.000", "241027000000S", "00010.500", "")+
			telegram("241027000011S", "000001.124", "000002.000", "241027000000S", "00010.500", "")+
			telegram("241028000500W", "000003.000", "000004.000", "241028000000W", "00012.500", ""), set)
		require.Equal(t, []string{
			`19 {"ean_code":"` + power + `","measurement_date":"2024-10-27","consumption_normal":2.000,"consumption_low":1.123,"feedin_normal":6.000,"feedin_low":5.000}`,
			`32 {"ean_code":"` + gas + `","measurement_date":"2024-10-27","consumption":10.500}`,
			`53 {"ean_code":"` + power + `","measurement_date":"2024-10-28","consumption_normal":4.000,"consumption_low":3.000,"feedin_normal":6.000,"feedin_low":5.000}`,
			`66 {"ean_code":"` + gas + `","measurement_date":"2024-10-28","consumption":12.500}`}, got)
		require.Equal(t, []string{"4 readings that are not the first of a day are left out"}, notes)
		got, _ = read(t, "dsmr", "Europe/Brussels", telegram("240701000001S", "000001.000", "000002.000", "240701000000S", "00010.500",
			"0-0:96.1.4(50217)\r\n"), set)
		require.Contains(t, got[0], `"consumption_normal":1.000,"consumption_low":2.000,"feedin_normal":5.000,"feedin_low":6.000`,
			"tariff 1 is the normal one in Belgium")
		got, _ = read(t, "dsmr", "Europe/Amsterdam", telegram("240701000001S", "000001.000", "000002.000", "240701000000S", "00010.500", ""),
			map[string]string{"electricity": power, "gas": ""})
		require.Len(t, got, 1, "without gas")

		// A gas reading has its own time: it is in a later telegram than the electricity reading.
		got, _ = read(t, "dsmr", "Europe/Amsterdam", telegram("240702000001S", "000001.000", "000002.000", "240701230000S", "00010.000", "")+
			telegram("240702000501S", "000001.500", "000002.500", "240702000000S", "00011.000", ""), set)
		require.Equal(t, []string{`1 {"ean_code":"` + power +
			`","measurement_date":"2024-07-02","consumption_normal":2.000,"consumption_low":1.000,"feedin_normal":6.000,"feedin_low":5.000}`,
			`31 {"ean_code":"` + gas + `","measurement_date":"2024-07-02","consumption":11.000}`}, slices.Sorted(slices.Values(got)))

		one := telegram("240701000001S", "000001.000", "000002.000", "240701000000S", "00010.500", "")
		for sum, want := range map[string]int{"": 2, "B3D8": 2, "b3d8": 2, "B3D9": 1} { // CRC-16/ARC
			got, _ = read(t, "dsmr", "Europe/Amsterdam", strings.TrimSuffix(one, "\r\n")+sum+"\r\n", set)
			require.Equal(t, want == 1, strings.Contains(got[0], "the checksum after ! does not fit the telegram"), "%s: %v", sum, got)
		}
	})
	for text, want := range map[string]string{
		telegram("240701143000S", "000001.000", "000002.000", "240701140000S", "00010.500",
			""): "stopped: no telegram is of the first 15 minutes of a day: a reading is the position of the meter at the start of its day",
		telegram("240701143000", "000001.000", "000002.000", "240701140000S", "00010.500",
			""): `line 4: not_a_time: "240701143000" is not a time written as YYMMDDhhmmss with S or W`,
		telegram("241301000000S", "000001.000", "000002.000", "240701140000S", "00010.500",
			""): `line 4: not_a_time: "241301000000S" is not a time written as YYMMDDhhmmss with S or W`,
		"/X\r\n0-0:1.0.0(240701000000S)\r\n/X\r\n": "line 1: field_count: the telegram has no end (!)",
		telegram("240701000000S", "00000x.000", "000002.000", "240701140000S", "00010.500",
			""): `line 6: not_a_number: "00000x.000*kWh" is not a number of kWh`,
		"/X\r\n0-0:1.0.0(240701000000S)\r\n!\r\n":  `line 1: field_count: the telegram has no electricity or gas reading`,
		"/X\r\n1-0:1.8.1(000001.000*kWh)\r\n!\r\n": `line 1: not_a_time: the telegram has no time (0-0:1.0.0): meters before DSMR 4 do not send it`,
		"/X\r\n0-0:1.0.0(240701000000S)\r\n":       `line 1: field_count: the telegram has no end (!)`,
		"date;value\n":                             "stopped: not a file of P1 telegrams: a telegram begins with / and ends with ! on a line of its own",
		strings.Replace(telegram("240701000000S", "000001.000", "000002.000", "240701140000S", "00010.500", ""), "!\r\n", "!0000\r\n",
			1): "line 1: unknown_value: the checksum after ! does not fit the telegram",
	} {
		got, _ := read(t, "dsmr", "Europe/Amsterdam", text, set)
		require.Equal(t, want, got[0], text)
	}
}

const fluviusHead = "Van (datum);Van (tijdstip);Tot (datum);Tot (tijdstip);EAN-code;Meter;Metertype;Register;Volume;Eenheid;Validatiestatus;Omschrijving\n"

func fluviusLine(day, from, to, register, volume, unit, status string) string {
	return day + ";" + from + ":00;" + day + ";" + to + `:00;="541448820000000017";="1SAG1100000001";Digitale meter;` + register + ";" +
		volume + ";" + unit + ";" + status + ";\n"
}

func TestFluvius(t *testing.T) {
	record := func(line int, start string, more string) string {
		return fmt.Sprintf(`%d {"ean_code":"541448820000000017","start":"%s","seconds":%s}`, line, start, more)
	}
	t.Run("11-import-fluvius", func(t *testing.T) {
		got, notes := read(t, "fluvius", "Europe/Brussels", "\uFEFF"+fluviusHead+
			fluviusLine("27-10-2024", "01:45", "02:00", "Afname Nacht", "0,111", "kWh", "Uitgelezen")+
			fluviusLine("27-10-2024", "02:00", "02:15", "Afname Nacht", "0,123", "kWh", "Geschat")+
			fluviusLine("27-10-2024", "02:00", "02:15", "Injectie Nacht", "0", "kWh", "Uitgelezen")+
			fluviusLine("27-10-2024", "02:45", "02:00", "Afname Nacht", "0,2", "kWh", "Uitgelezen")+
			fluviusLine("27-10-2024", "02:00", "02:15", "Afname Nacht", "0,321", "kWh", "Uitgelezen")+
			fluviusLine("27-10-2024", "02:00", "02:15", "Injectie Nacht", "1,5", "kWh", "Uitgelezen")+
			fluviusLine("27-10-2024", "07:00", "07:15", "Afname Dag", "", "kWh", "Geen verbruik"), nil)
		require.Equal(t, []string{
			record(2, "2024-10-27T01:45:00+02:00", `900,"low":0.111`),
			record(3, "2024-10-27T02:00:00+02:00", `900,"low":0.123,"feedin_low":0.000`),
			record(5, "2024-10-27T02:45:00+02:00", `900,"low":0.200`),
			record(6, "2024-10-27T02:00:00+01:00", `900,"low":0.321,"feedin_low":1.500`)}, got)
		require.Equal(t, []string{"1 value of an interval is estimated according to the file; interval records do not keep that"}, notes)
		got, _ = read(t, "fluvius", "Europe/Brussels", fluviusHead+
			"31-03-2024;00:00:00;01-04-2024;00:00:00;541448820000000017;;;Afname Dag;4,5;kWh;;\n"+
			"31-03-2024;01:45:00;31-03-2024;03:00:00;541448820000000017;;;Afname Nacht;0,5;kWh;;\n", nil)
		require.Equal(t, []string{record(2, "2024-03-31T00:00:00+01:00", `86400,"normal":4.500`),
			record(3, "2024-03-31T01:45:00+01:00", `900,"low":0.500`)}, got)
		got, _ = read(t, "fluvius", "Europe/Brussels", fluviusHead+fluviusLine("01-01-2024", "05:00", "06:00", "Afname", "0,5", "m³", ""),
			map[string]string{"541448820000000017": gas})
		require.Equal(t, []string{`2 {"ean_code":"` + gas + `","start":"2024-01-01T05:00:00+01:00","seconds":3600,"consumption":0.500}`}, got)
	})
	for line, want := range map[string]string{
		fluviusLine("01-01-2024", "05:00", "05:15", "Totaal", "1", "kWh",
			""): `line 2: unknown_value: the register "Totaal" is none of Afname Dag, Afname Nacht, Injectie Dag, Injectie Nacht, Afname and Injectie`,
		fluviusLine("01-01-2024", "05:00", "05:15", "Afname Dag", "1.5", "kWh",
			""): `line 2: not_a_number: "1.5" is not an amount with a decimal comma`,
		fluviusLine("01-01-2024", "05:00", "05:15", "Afname Dag", "1,5", "kVArh",
			""): `line 2: unknown_unit: the unit "kVArh" is neither kWh nor m³`,
		fluviusLine("2024-01-01", "05:00", "05:15", "Afname Dag", "1,5", "kWh",
			""): `line 2: not_a_time: a time is written as DD-MM-YYYY and HH:mm:ss`,
		fluviusLine("31-03-2024", "02:15", "02:30", "Afname Dag", "1,5", "kWh",
			""): `line 2: not_a_time: 31-03-2024 02:15 does not exist, or comes more often than the clock shows it`,
		"01-01-2024;05:00:00\n": `line 2: field_count: the line has fewer fields than the first line`,
	} {
		got, _ := read(t, "fluvius", "Europe/Brussels", fluviusHead+line, nil)
		require.Equal(t, []string{want}, got)
	}
	got, _ := read(t, "fluvius", "Europe/Brussels", "a;b\n1;2\n", nil)
	require.Contains(t, got[0], "stopped: not a file of Fluvius")
}

func TestSolarEdge(t *testing.T) {
	set := map[string]string{"project": project}
	file := func(unit, of, values string) string {
		return `{"energy":{"timeUnit":"` + unit + `","unit":"` + of + `","measuredBy":"INVERTER","values":[` + values + `]}}`
	}
	hour := func(start, kwh string) string {
		return `{"project_code":"` + project + `","start":"` + start + `","kwh":` + kwh + `}`
	}
	t.Run("11-import-solaredge", func(t *testing.T) {
		got, _ := read(t, "solaredge", "Europe/Amsterdam", file("HOUR", "Wh",
			`{"date":"2024-06-01 05:00:00 CEST+0200","value":null},{"date":"2024-06-01 06:00:00 CEST+0200","value":30.0},{"date":"2024-06-01 07:00:00","value":175.5}`), set)
		require.Equal(t, []string{"2 " + hour("2024-06-01T06:00:00+02:00", "0.030"), "3 " + hour("2024-06-01T07:00:00+02:00", "0.175")}, got)
		got, notes := read(t, "solaredge", "Europe/Amsterdam", file("QUARTER_OF_AN_HOUR", "kWh", `{"date":"2024-06-01 06:00:00","value":1},{"date":"2024-06-01 06:15:00","value":2},
			{"date":"2024-06-01 06:30:00","value":3},{"date":"2024-06-01 06:45:00","value":4},{"date":"2024-06-01 07:00:00","value":5}`), set)
		require.Equal(t, []string{"1 " + hour("2024-06-01T06:00:00+02:00", "10.000")}, got)
		require.Equal(t, []string{"1 quarter of an hour or hour is left out as incomplete"}, notes)
		got, _ = read(t, "solaredge", "Europe/Amsterdam",
			"Time,System Production (Wh)\n01/06/2024 06:00,100\n01/06/2024 06:15,100\n01/06/2024 06:30,100\n01/06/2024 06:45,100\n", set)
		require.Equal(t, []string{"2 " + hour("2024-06-01T06:00:00+02:00", "0.400")}, got)
		got, _ = read(t, "solaredge", "Europe/Amsterdam", file("HOUR", "Wh",
			`{"date":"2024-10-27 02:00:00","value":1000},{"date":"2024-10-27 02:00:00","value":2000}`), set)
		require.Equal(t, []string{"1 " + hour("2024-10-27T02:00:00+02:00", "1.000"), "2 " + hour("2024-10-27T02:00:00+01:00", "2.000")}, got)
	})
	for text, want := range map[string]string{
		file("DAY", "Wh", ""):                                           "stopped: the energy of a DAY cannot be divided over hours: export QUARTER_OF_AN_HOUR or HOUR",
		file("HOUR", "W", ""):                                           `stopped: the unit "W" is none of Wh, kWh and MWh`,
		file("HOUR", "Wh", `{"date":"x","value":1}`):                    `line 1: not_a_time: "x" is not a time`,
		file("HOUR", "Wh", `{"date":1,"value":1}`):                      `line 1: unknown_value: date is not a string`,
		file("HOUR", "Wh", `{"date":"2024-06-01 05:00:00","value":-1}`): `line 1: not_a_number: "-1" is not an amount`,
		`{"energy":{"timeUnit":"HOUR","values":[{"date":`:               "stopped: the JSON is broken after value 0: unexpected EOF",
		"":                 "stopped: " + "not a file of SolarEdge",
		`{"a":1}`:          "stopped: not a file of SolarEdge",
		"Time,Power (W)\n": "stopped: not a file of SolarEdge",
	} {
		got, _ := read(t, "solaredge", "Europe/Amsterdam", text, set)
		require.Contains(t, strings.Join(got, "\n"), want, text)
	}
	_, err := Open("solaredge", strings.NewReader(""), time.UTC, nil)
	require.EqualError(t, err, "it needs --set project=…, the code of the project")
	_, err = Open("sunny", strings.NewReader(""), time.UTC, nil)
	require.EqualError(t, err, `there is no format "sunny"; there are: dsmr, fluvius, green-button, nem12, solaredge`)
}

// Three months of a real installation that reported nothing in December: every hour with a value is imported, and no other hour.
func TestRealSolarEdge(t *testing.T) {
	for name, hours := range map[string]int{"2024_06": 564, "2024_07": 566, "2024_12": 0} {
		b, err := os.ReadFile(filepath.Join("../../../../../shared/data/solar", "solaredge-"+name+".json"))
		if err != nil {
			t.Skip("the shared data is not on this machine")
		}
		var file struct {
			Energy struct {
				Values []struct {
					Value *float64
				}
			}
		}
		require.NoError(t, json.Unmarshal(b, &file))
		want := 0.0
		for _, v := range file.Energy.Values {
			if v.Value != nil {
				want += *v.Value
			}
		}
		got, notes := read(t, "solaredge", "Europe/Amsterdam", string(b), map[string]string{"project": project})
		require.Len(t, got, hours, name)
		require.Empty(t, notes)
		sum := 0.0
		for _, line := range got {
			var r struct{ KWh float64 }
			_, data, _ := strings.Cut(line, " ")
			require.NoError(t, json.Unmarshal([]byte(data), &r), line)
			sum += r.KWh
		}
		require.InDelta(t, want/1000, sum, 0.001)
	}
}
