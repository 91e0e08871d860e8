package mapping

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func amsterdam(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Amsterdam")
	require.NoError(t, err)
	return zone
}

// read returns the JSON that a field makes from a string, or the reason why it is refused.
func read(t *testing.T, f Field, text string) string {
	t.Helper()
	f.Column = "Kolom"
	m := Mapping{Kind: "x", Records: []Record{{Fields: map[string]Field{"f": f}}}}
	lines, err := m.For([]string{"Kolom"}, nil, amsterdam(t))
	require.NoError(t, err)
	got := lines.Of([]string{text})
	require.Len(t, got, 1)
	if len(got[0].Refused) > 0 {
		r := got[0].Refused[0]
		require.Equal(t, "f", r.Field)
		require.Equal(t, "Kolom", r.Column)
		return r.Code + ": " + r.Hint
	}
	require.True(t, json.Valid(got[0].Data), string(got[0].Data))
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(string(got[0].Data), "{"), `"f":`), "}")
}

func TestValues(t *testing.T) {
	point, comma := Field{Number: "."}, Field{Number: ","}
	scaled := func(by string) Field { return Field{Number: ".", Scale: json.Number(by)} }
	day, clock := Field{Date: "DD-MM-YYYY"}, Field{Time: "DD-MM-YYYY HH:mm"}
	for _, c := range []struct {
		field      Field
		text, want string
	}{
		{Field{}, " as \"it\" is ", `"as \"it\" is"`},
		{Field{}, "naïef", `"naïef"`},
		{Field{}, "  ", ``},
		{point, "0.196", "0.196"},
		{point, "0", "0"},
		{point, "-0", "0"},
		{point, "-0.50", "-0.50"},
		{point, "007", "7"},
		{point, ".5", "0.5"},
		{point, "", ""},
		{point, "0,196", `not_a_number: "0,196" is not a number with a decimal point`},
		{comma, "0,196", "0.196"},
		{comma, "12", "12"},
		{point, "1e3", `not_a_number: "1e3" is not a number with a decimal point`},
		{point, "5.", `not_a_number: "5." is not a number with a decimal point`},
		{point, "-", `not_a_number: "-" is not a number with a decimal point`},
		{comma, "12.50", `not_a_number: "12.50" is not a number with a decimal comma`},
		{point, "1.2.3", `not_a_number: "1.2.3" is not a number with a decimal point`},
		{point, "--1", `not_a_number: "--1" is not a number with a decimal point`},
		{point, "NaN", `not_a_number: "NaN" is not a number with a decimal point`},
		{point, "٣", `not_a_number: "٣" is not a number with a decimal point`},
		{point, strings.Repeat("9", 31), `not_a_number: "` + strings.Repeat("9", 31) + `" is not a number with a decimal point`},
		{scaled("1000"), "0.196", "196"},
		{scaled("1000"), "2", "2000"},
		{scaled("1000"), "0", "0"},
		{scaled("10"), "0.05", "0.5"},
		{scaled("0.001"), "196", "0.196"},
		{scaled("0.001"), "5", "0.005"},
		{scaled("0.01"), "-12.5", "-0.125"},
		{scaled("0.001"), "12345", "12.345"},
		{scaled("1000000"), "1.5", "1500000"},
		{day, "02-08-2023", `"2023-08-02"`},
		{day, "29-02-2024", `"2024-02-29"`},
		{day, "29-02-2023", `not_a_date: "29-02-2023" is not a day written as DD-MM-YYYY`},
		{day, "2023-08-02", `not_a_date: "2023-08-02" is not a day written as DD-MM-YYYY`},
		{day, "2-8-2023", `not_a_date: "2-8-2023" is not a day written as DD-MM-YYYY`},
		{Field{Date: "D-M-YYYY"}, "2-8-2023", `"2023-08-02"`},
		{Field{Date: "YYYYMMDD"}, "20230802", `"2023-08-02"`},
		{Field{Date: "D.M.YYYY"}, "12.10.2023", `"2023-10-12"`},
		{clock, "01-07-2024 00:15", `"2024-07-01T00:15:00+02:00"`},
		{clock, "01-01-2024 23:00", `"2024-01-01T23:00:00+01:00"`},
		{clock, "31-03-2024 02:30", `not_a_time: "31-03-2024 02:30" is skipped when the clock goes forward`},
		{clock, "31-03-2024 03:00", `"2024-03-31T03:00:00+02:00"`},
		{clock, "27-10-2024 01:59", `"2024-10-27T01:59:00+02:00"`},
		{clock, "27-10-2024 02:00", `ambiguous_time: "27-10-2024 02:00" comes twice when the clock goes back: a time with its offset is needed`},
		{clock, "27-10-2024 02:59", `ambiguous_time: "27-10-2024 02:59" comes twice when the clock goes back: a time with its offset is needed`},
		{clock, "27-10-2024 03:00", `"2024-10-27T03:00:00+01:00"`},
		{clock, "27-10-2024 24:00", `not_a_time: "27-10-2024 24:00" is not a time written as DD-MM-YYYY HH:mm`},
		{Field{Time: "YYYY-MM-DD HH:mm:ssZ"}, "2024-10-27 02:30:00+01:00", `"2024-10-27T02:30:00+01:00"`},
		{Field{Time: "YYYY-MM-DD HH:mm:ss"}, "2024-10-27 04:30:00.25",
			`not_a_time: "2024-10-27 04:30:00.25" is not a time written as YYYY-MM-DD HH:mm:ss`},
		{Field{Time: "YYYY-MM-DDTH:mm"}, "2024-10-27T4:30", `"2024-10-27T04:30:00+01:00"`},
	} {
		require.Equal(t, c.want, read(t, c.field, c.text), "%+v %s", c.field, c.text)
	}
}

// dsmr is a shortened mapping of a label.
const dsmr = `{"kind": "interval", "order": "oldest_first", "records": [
	{"fields": {"ean_code": {"set": "electricity"}, "start": {"column": "Hour"}, "low": {"column": "E1", "number": "."}, "seconds": {"value": 3600}}},
	{"when": "Gas", "fields": {"ean_code": {"set": "gas"}, "start": {"column": "Hour"}, "consumption": {"column": "Gas", "number": "."}}},
	{"when": {"column": "State", "is": ["A", "B"]}, "fields": {"meter.state": {"column": "State"}, "meter.at": {"column": "Hour"}}}]}`

func parse(t testing.TB, text string) *Mapping {
	t.Helper()
	m := new(Mapping)
	require.NoError(t, json.Unmarshal([]byte(text), m))
	return m
}

func show(results []Result) (out []string) {
	for _, r := range results {
		line := fmt.Sprintf("%d %s", r.Record, r.Data)
		for _, x := range r.Refused {
			line += " " + x.Error()
		}
		out = append(out, line)
	}
	return out
}

func TestRecordsOfALine(t *testing.T) {
	m := parse(t, dsmr)
	require.Empty(t, m.Check())
	require.Equal(t, []string{"electricity", "gas"}, m.Settings())
	columns := []string{"Hour", "E1", "Gas", "State", "", ""} // unused columns may have any name
	lines, err := m.For(columns, map[string]string{"electricity": "871", "gas": "872"}, time.UTC)
	require.NoError(t, err)
	require.Equal(t, []string{
		`0 {"ean_code":"871","low":0.196,"seconds":3600,"start":"2024-01-01T00:00:00+01:00"}`,
		`1 {"consumption":0.032,"ean_code":"872","start":"2024-01-01T00:00:00+01:00"}`,
		`2 {"meter":{"at":"2024-01-01T00:00:00+01:00","state":"B"}}`,
	}, show(lines.Of([]string{"2024-01-01T00:00:00+01:00", "0.196", "0.032", "B", "", ""})))
	require.Equal(t, []string{`0 {"ean_code":"871","seconds":3600,"start":"h"}`}, show(lines.Of([]string{"h", "", " ", "C", "", ""})),
		"an empty column is not a zero")
	require.Equal(t, []string{`0 {"ean_code":"871","low":"x","seconds":3600,"start":"h"} column "E1": "x" is not a number with a decimal point`,
		`1 {"consumption":"1,5","ean_code":"872","start":"h"} column "Gas": "1,5" is not a number with a decimal point`},
		show(lines.Of([]string{"h", "x", "1,5", "", "", ""})))
	require.Equal(t, "E1", lines.Column(0, "low"))
	require.Equal(t, "Hour", lines.Column(2, "meter.at"))
	require.Empty(t, lines.Column(0, "ean_code"))
	require.Empty(t, lines.Column(0, "normal"))

	lines, err = m.For(columns, map[string]string{"electricity": "871", "gas": ""}, time.UTC)
	require.NoError(t, err)
	require.Equal(t, []string{`0 {"ean_code":"871","low":1,"seconds":3600,"start":"h"}`}, show(lines.Of([]string{"h", "1", "2", "", "", ""})),
		"a house without gas")
}

func TestWhatDoesNotFitAFile(t *testing.T) {
	m := parse(t, dsmr)
	both := map[string]string{"electricity": "871", "gas": "872"}
	for _, c := range []struct {
		columns  []string
		settings map[string]string
		want     string
	}{
		{[]string{"Hour", "E2", "Gas", "State"}, both, `records.0: fields.low: the file has no column "E1"; there are: Hour, E2, Gas, State`},
		{[]string{"Hour", "E1", "State"}, both, `records.1: fields.consumption: the file has no column "Gas"; there are: Hour, E1, State`},
		{[]string{"Hour", "E1", "Gas", "E1"}, both, `records.0: fields.low: the file has two columns "E1"`},
		{[]string{"Hour", "E1", "Gas", "State"}, map[string]string{"electricity": "871"},
			"it needs --set gas=…, or --set gas= to leave out the records that have it"},
		{[]string{"Hour", "E1", "Gas", "State"}, map[string]string{"electricity": "871", "gas": "1", "water": "2"},
			`it has no setting "water"; there are: electricity, gas`},
	} {
		_, err := m.For(c.columns, c.settings, time.UTC)
		require.EqualError(t, err, c.want)
	}
	_, err := parse(t, `{"records": [{"fields": {"a": {"column": "A"}}}]}`).For([]string{"A"}, map[string]string{"b": "c"}, time.UTC)
	require.EqualError(t, err, `it has no setting "b"; there are none`)
	_, err = parse(t, `{"records": [{"when": "B", "fields": {"a": {"column": "A"}}}]}`).For([]string{"A"}, nil, time.UTC)
	require.EqualError(t, err, `records.0: when: the file has no column "B"; there are: A`)
	_, err = parse(t, `{"records": [{"fields": {"a": {"column": "A", "scale": 10}}}]}`).For([]string{"A"}, nil, time.UTC)
	require.EqualError(t, err, "records.0.fields.a: scale needs number: the decimal mark of the file")
}

func TestCheck(t *testing.T) {
	for fields, want := range map[string]string{
		`"a": {"column": "A"}`: "",
		`"a": {"column": "A"}, "b": {"value": false}, "c": {"set": "c"}`:                                 "",
		`"a": {}, "b": {"column": "B"}`:                                                                  "records.0.fields.a: needs one of column, columns, value and set",
		`"a": {"column": "A", "value": 1}`:                                                               "records.0.fields.a: needs one of column, columns, value and set",
		`"a": {"column": "A", "set": "a"}`:                                                               "records.0.fields.a: needs one of column, columns, value and set",
		`"a": {"value": "A"}`:                                                                            "records.0.fields: has no field that comes from a column",
		`"a": {"set": "a", "number": "."}, "b": {"column": "B"}`:                                         "records.0.fields.a: number, thousands, scale, negate, date, time, values and default say how",
		`"a": {"column": "A", "number": ".", "date": "DD-MM-YYYY"}`:                                      "records.0.fields.a: can be only one of number, date, time and values",
		`"a": {"column": "A", "number": ";"}`:                                                            "records.0.fields.a: number is the decimal mark",
		`"a": {"column": "A", "number": ".", "scale": 7}`:                                                "records.0.fields.a: scale is a power of ten",
		`"a": {"column": "A", "thousands": "."}`:                                                         "records.0.fields.a: thousands needs number",
		`"a": {"column": "A", "number": ",", "thousands": ","}`:                                          "records.0.fields.a: thousands and number are the same mark",
		`"a": {"column": "A", "number": ",", "thousands": "-"}`:                                          "records.0.fields.a: thousands is one of",
		`"a": {"column": "A", "number": ",", "thousands": " "}`:                                          "",
		`"a": {"column": "A", "date": "2006-01-02"}`:                                                     "records.0.fields.a: date needs YYYY, MM and DD once each",
		`"a": {"column": "A", "date": "DD-MM"}`:                                                          "records.0.fields.a: date needs",
		`"a": {"column": "A", "date": "DD-MM-YY"}`:                                                       "records.0.fields.a: date needs",
		`"a": {"column": "A", "date": "DD-DD-MM-YYYY"}`:                                                  "records.0.fields.a: date needs",
		`"a": {"column": "A", "date": "DMYYYY"}`:                                                         "records.0.fields.a: date needs",
		`"a": {"column": "A", "time": "DD-MM-YYYY"}`:                                                     "records.0.fields.a: time needs",
		`"a": {"column": "A", "time": "DD-MM-YYYY HH:mm:ss ss"}`:                                         "records.0.fields.a: time needs",
		`"a": {"column": "A", "time": "YYYY-MM-DDTHH:mm:ssZ"}`:                                           "",
		`"a": {"column": "A"}, "a.b": {"column": "B"}`:                                                   "records.0.fields.a: is given twice",
		`"a": {"column": "A"}}}, {"fields": {"a": {"column": "A"}, "b": {"column": "B"}`:                 "records.1: gives the same record as records.0",
		`"a": {"set": "a"}, "b": {"column": "B"}}}, {"fields": {"a": {"set": "a"}, "c": {"column": "C"}`: "records.1: gives the same record as records.0",
		`"a": {"set": "a"}, "b": {"column": "B"}}}, {"fields": {"a": {"set": "x"}, "b": {"column": "B"}`: "",
		`"a": {"column": "A"}}}, {"when": "B", "fields": {"a": {"column": "A"}, "b": {"column": "B"}`:    "",
		`"a": {"column": "A"}, "k": {"value": 1}}}, {"fields": {"a": {"column": "A"}, "k": {"value": 2}`: "",
	} {
		var got []string
		for _, f := range parse(t, `{"records": [{"fields": {`+fields+`}}]}`).Check() {
			got = append(got, strings.Join(f.Path, ".")+": "+f.Message)
		}
		if want == "" {
			require.Empty(t, got, fields)
		} else {
			require.Contains(t, strings.Join(got, "\n"), want, fields)
		}
	}
	require.Equal(t, []Fault{{[]string{"records"}, "needs one record at least"}}, new(Mapping).Check())
}

// Whatever its content, a line produces JSON objects or refusals.
func FuzzLine(f *testing.F) {
	f.Add("27-10-2024 02:30", "1.234,5", "x", uint8(0))
	f.Add("\xff", "-,", "\"\\\u2028", uint8(3))
	f.Add("31-03-2024 02:30", "00012,00", "", uint8(5))
	scales := []json.Number{"", "0.001", "0.01", "0.1", "10", "1000", "1000000"}
	f.Fuzz(func(t *testing.T, at, number, text string, scale uint8) {
		m := Mapping{Kind: "x", Records: []Record{{Fields: map[string]Field{"at": {Column: "at", Time: "DD-MM-YYYY HH:mm"},
			"day":    {Column: "at", Date: "D-M-YYYY"},
			"number": {Column: "number", Number: ",", Scale: scales[int(scale)%len(scales)]}, "in.text": {Column: "text"}}}}}
		lines, err := m.For([]string{"at", "number", "text"}, nil, amsterdam(t))
		require.NoError(t, err)
		for _, r := range lines.Of([]string{at, number, text}) {
			var got struct {
				At     string
				Number json.Number
			}
			if !json.Valid(r.Data) {
				t.Fatalf("%q", r.Data)
			}
			if len(r.Refused) > 0 {
				continue
			}
			if err := json.Unmarshal(r.Data, &got); err != nil {
				t.Fatal(err)
			}
			if _, err := time.Parse(time.RFC3339, got.At); got.At != "" && err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkLine(b *testing.B) {
	lines, err := parse(b, dsmr).For([]string{"Hour", "E1", "Gas", "State"},
		map[string]string{"electricity": "871687120000000001", "gas": "871687120000000002"}, time.UTC)
	require.NoError(b, err)
	line := []string{"2024-01-01T00:00:00+01:00", "0.196", "0.032", ""}
	b.ReportAllocs()
	for b.Loop() {
		lines.Of(line)
	}
}
