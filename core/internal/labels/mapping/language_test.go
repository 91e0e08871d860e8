package mapping

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// record1 returns the first record that a mapping makes from a line, or the reason why it is refused.
func record1(t *testing.T, fields string, columns, line []string) string {
	t.Helper()
	m := parse(t, `{"kind": "x", "records": [{"fields": {`+fields+`}}]}`)
	require.Empty(t, m.Check(), fields)
	lines, err := m.For(columns, nil, amsterdam(t))
	require.NoError(t, err)
	got := lines.Of(line)
	require.Len(t, got, 1)
	if len(got[0].Refused) > 0 {
		return got[0].Refused[0].Code + " " + got[0].Refused[0].Error()
	}
	require.True(t, json.Valid(got[0].Data), string(got[0].Data))
	return string(got[0].Data)
}

func TestLists(t *testing.T) {
	columns := []string{"nr", "city", "street", "city2", "a", "b", "c"}
	address := `"nr": {"column": "nr"}, "addresses.0.city": {"column": "city"}, "addresses.0.street": {"column": "street"}, "addresses.0.type": {"value": "SHIPPING"},
		"addresses.1.city": {"column": "city2"}, "addresses.1.type": {"value": "INVOICE"}`
	t.Run("11-import-mapping-lists", func(t *testing.T) {
		for _, c := range []struct {
			fields string
			line   []string
			want   string
		}{
			{address, []string{"1", "Delft", "Markt", "Gouda", "", "", ""},
				`{"addresses":[{"city":"Delft","street":"Markt","type":"SHIPPING"},{"city":"Gouda","type":"INVOICE"}],"nr":"1"}`},
			{address, []string{"1", "Delft", "", "", "", "", ""}, `{"addresses":[{"city":"Delft","type":"SHIPPING"}],"nr":"1"}`},
			{address, []string{"1", "", "", "Gouda", "", "", ""}, `{"addresses":[{"city":"Gouda","type":"INVOICE"}],"nr":"1"}`},
			{address, []string{"1", "", "", "", "", "", ""}, `{"nr":"1"}`},
			{`"v.0": {"column": "a", "number": "."}, "v.1": {"column": "b", "number": "."}, "v.2": {"column": "c", "number": "."}`,
				[]string{"", "", "", "", "1", "", "3"}, `{"v":[1,null,3]}`},
			{`"v.0": {"column": "a"}, "v.1": {"column": "b"}, "v.2": {"column": "c"}`, []string{"", "", "", "", "", "2", ""}, `{"v":[null,"2"]}`},
			{`"p.0.q.0.r": {"column": "a"}, "p.0.q.1.r": {"column": "b"}, "p.1.q.0.r": {"column": "c"}`, []string{"", "", "", "", "1", "2", "3"},
				`{"p":[{"q":[{"r":"1"},{"r":"2"}]},{"q":[{"r":"3"}]}]}`},
			{`"a": {"column": "a"}, "kinds.0": {"value": "GAS"}`, []string{"", "", "", "", "1", "", ""}, `{"a":"1","kinds":["GAS"]}`},
		} {
			require.Equal(t, c.want, record1(t, c.fields, columns, c.line))
		}
		plain, err := Plain([]string{"nr", "addresses.0.city", "addresses.1.city", "v.0", "v.1", "v.2", "v.3", "v.4", "v.5", "v.6", "v.7", "v.8",
			"v.9", "v.10"})
		require.NoError(t, err)
		require.Equal(t, `{"nr":"1","addresses":[{"city":"Delft"}],"v":["0",null,"2",null,null,null,null,null,null,"9","10"]}`,
			string(plain.Of([]string{"1", "Delft", "", "0", "", "2", "", "", "", "", "", "", "9", "10"})[0].Data), "in the order of the list")
	})
	for _, header := range [][]string{{"v.0", "v.2"}, {"v.1"}, {"v.0", "v.a"}, {"v.0", "v"}, {"v.00"}} {
		_, err := Plain(header)
		require.ErrorIs(t, err, ErrHeader, header)
	}
}

func TestLanguage(t *testing.T) {
	columns := []string{"day", "clock", "first", "middle", "last", "title", "amount"}
	line := []string{"01-07-2024", "00:15", "Ada", " ", "King", "Mevr.", "12,50"}
	translated := `"f": {"column": "title", "values": {"Dhr.": "MR", "Mevr.": "MRS", "3": 3, "ja": true}`
	for name, cases := range map[string][][3]string{
		"11-import-mapping-joins": {
			{`"f": {"columns": ["day", "clock"], "time": "DD-MM-YYYY HH:mm"}`, "", `{"f":"2024-07-01T00:15:00+02:00"}`},
			{`"f": {"columns": ["day", "clock"], "separator": "T", "time": "DD-MM-YYYYTHH:mm"}`, "", `{"f":"2024-07-01T00:15:00+02:00"}`},
			{`"f": {"columns": ["first", "middle", "last"]}`, "", `{"f":"Ada King"}`},
			{`"f": {"columns": ["last", "first"], "separator": ", "}`, "", `{"f":"King, Ada"}`},
			{`"f": {"columns": ["last", "first"], "separator": ""}`, "", `{"f":"KingAda"}`},
			{`"f": {"columns": ["day", "middle"], "time": "DD-MM-YYYY HH:mm"}`, "",
				`not_a_time column "day, middle": "01-07-2024" is not a time written as DD-MM-YYYY HH:mm`},
		},
		"11-import-mapping-values": {
			{translated + `}`, "", `{"f":"MRS"}`},
			{translated + `}`, "Dhr.", `{"f":"MR"}`},
			{translated + `}`, "3", `{"f":3}`},
			{translated + `}`, "ja", `{"f":true}`},
			{translated + `}`, "", `{"f":"MRS"}`},
			{translated + `}`, "mevr.", `unknown_value column "title": "mevr." is none of the values of the mapping: "3", "Dhr.", "Mevr.", "ja"`},
			{translated + `, "default": "OTHER"}`, "mevr.", `{"f":"OTHER"}`},
			{translated + `, "default": "OTHER"}`, " ", `{}`},
		},
		"11-import-mapping-sign": {
			{`"f": {"column": "amount", "number": ",", "negate": true}`, "", `{"f":-12.50}`},
			{`"f": {"column": "title", "number": ",", "negate": true}`, "-3", `{"f":3}`},
			{`"f": {"column": "title", "number": ",", "negate": true}`, "0", `{"f":0}`},
			{`"f": {"column": "title", "number": ",", "scale": 0.01, "negate": true}`, "150", `{"f":-1.50}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range cases {
				values := append([]string{}, line...)
				if c[1] != "" {
					values[5] = c[1]
				}
				require.Equal(t, c[2], record1(t, c[0], columns, values), "%s %q", c[0], c[1])
			}
		})
	}
}

func TestConditions(t *testing.T) {
	lines := [][]string{{"1", "E", "ja"}, {"2", "G", ""}, {"3", "E", "nee"}, {"4", "", "ja"}, {"5", "W", "nee"}}
	t.Run("11-import-mapping-when", func(t *testing.T) {
		for when, want := range map[string]string{
			`"soort"`:                               "1235",
			`{"column": "soort", "is": ["E", "W"]}`: "135",
			`{"column": "soort", "not": ["E"]}`:     "245",
			`{"all": [{"column": "soort", "is": ["E"]}, {"column": "actief", "is": ["ja"]}]}`:                                       "1",
			`{"any": [{"column": "soort", "is": ["G"]}, {"column": "actief", "is": ["nee"]}]}`:                                      "235",
			`{"all": ["soort", {"any": [{"column": "soort", "is": ["G"]}, {"column": "actief", "is": ["ja"]}]}]}`:                   "12",
			`{"any": [{"column": "nr", "is": ["2"]}, {"all": ["soort", "actief", {"column": "soort", "not": ["W"]}]}]}`:             "123",
			`{"all": [{"column": "soort", "not": ["E", "G"]}, {"column": "soort", "not": ["W"]}, {"column": "nr", "not": ["99"]}]}`: "4",
		} {
			m := parse(t, `{"kind": "x", "records": [{"when": `+when+`, "fields": {"nr": {"column": "nr"}}}]}`)
			require.Empty(t, m.Check(), when)
			l, err := m.For([]string{"nr", "soort", "actief"}, nil, time.UTC)
			require.NoError(t, err)
			got := ""
			for _, line := range lines {
				if len(l.Of(line)) == 1 {
					got += line[0]
				}
			}
			require.Equal(t, want, got, when)
		}
	})
	m := parse(t, `{"kind": "x", "records": [{"when": {"any": ["weg", "nr"]}, "fields": {"nr": {"column": "nr"}}}]}`)
	_, err := m.For([]string{"nr"}, nil, time.UTC)
	require.ErrorContains(t, err, `records.0: when: the file has no column "weg"`)
}

// Meaningless mappings are detected without a file.
func TestLanguageChecked(t *testing.T) {
	for record, want := range map[string]string{
		`"fields": {"a": {"columns": ["A", "B"], "column": "C"}}`:                                         "fields.a: needs one of column, columns, value and set",
		`"fields": {"a": {"column": "C", "separator": "-"}}`:                                              "fields.a: separator stands between columns",
		`"fields": {"a": {"column": "C", "negate": true}}`:                                                "fields.a: negate needs number",
		`"fields": {"a": {"column": "C", "default": 1}}`:                                                  "fields.a: default is for a value that values lacks",
		`"fields": {"a": {"column": "C", "number": ",", "values": {"x": 1}}}`:                             "fields.a: can be only one of number, date, time and values",
		`"fields": {"a": {"column": "C"}, "b": {"set": "s", "values": {"x": 1}}}`:                         "fields.b: number, thousands, scale, negate, date, time, values and default say",
		`"fields": {"a.0": {"column": "C"}, "a.2": {"column": "D"}}`:                                      "fields.a: is a list that lacks its element 1; the first is 0",
		`"fields": {"a.0.x": {"column": "C"}, "a.b": {"column": "D"}}`:                                    "fields.a: is given twice: as a list and as an object",
		`"when": {"all": ["A"], "column": "B"}, "fields": {"a": {"column": "A"}}`:                         "when: needs one of column, all and any",
		`"when": {"all": ["A"], "is": ["B"]}, "fields": {"a": {"column": "A"}}`:                           "when: is and not are values of a column",
		`"when": {"any": [{"column": "A", "is": ["B"], "not": ["C"]}]}, "fields": {"a": {"column": "A"}}`: "when: can be only one of is and not",
	} {
		faults := parse(t, `{"kind": "x", "records": [{`+record+`}]}`).Check()
		require.Len(t, faults, 1, record)
		require.Contains(t, join(faults[0]), want)
	}
}

func join(f Fault) string {
	out := ""
	for _, p := range f.Path[2:] {
		out += p + "."
	}
	return out[:len(out)-1] + ": " + f.Message
}
