package label

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

const daily = `imports: daily: {
	kind: "note"
	order: "newest_first"
	records: [{
		when: "Stand"
		fields: {
			ean_code: set: "electricity"
			day: {column: "Datum", date: "DD-MM-YYYY"}
			low: {column: "Stand", number: ",", scale: 0.001}
			large: {column: "Groot", number: ",", scale: 1_000_000}
			seconds: value: 900
		}
	}, {
		when: {column: "Soort", is: ["G"]}
		fields: "meter.gas": column: "Stand"
	}]
}
`

func withKinds() []Fragment {
	on, off := account, market
	on.Kinds, off.Kinds = []string{"note"}, []string{"share"}
	return []Fragment{{Module: "core", Kinds: []string{"account"}, Core: true}, on, off}
}

func TestImports(t *testing.T) {
	dir := folder(t, map[string]string{"acme": "modules: account: {}\n" + daily})
	s := open(t, dir)
	l := s.ByKey("acme")
	require.NotNil(t, l, texts(s.Problems()))
	m := l.Imports["daily"]
	require.Equal(t, "note", m.Kind)
	require.Equal(t, "Stand", m.Records[0].When.Column)
	require.Equal(t, []string{"G"}, m.Records[1].When.Is)
	require.JSONEq(t, "900", string(m.Records[0].Fields["seconds"].Value))
	require.Empty(t, m.Check())
	lines, err := m.For([]string{"Datum", "Stand", "Soort", "Groot"}, map[string]string{"electricity": "871"}, l.Location)
	require.NoError(t, err)
	require.Equal(t, `{"day":"2023-08-02","ean_code":"871","large":2000000,"low":0.125,"seconds":900}`,
		string(lines.Of([]string{"02-08-2023", "125", "E", "2"})[0].Data))
	ps, err := Vet(dir, withKinds(), nil)
	require.NoError(t, err)
	require.Empty(t, ps)
	_, fresh, err := List(dir, withKinds())
	require.NoError(t, err)
	require.Empty(t, fresh)
}

// A mapping that the schema refuses leaves the served label unchanged.
func TestImportsRefused(t *testing.T) {
	for mapping, want := range map[string]string{
		`records: [{fields: a: column: "A"}]`:                                        "acme/label.cue:6:10: imports.x.kind: is missing",
		`kind: "note", records: [{fields: a: column: "A", field: 1}]`:                "imports.x.records.0.field: there is no such field; did you mean fields?",
		`kind: "note", records: [{fields: a: {column: "A", decimal: ","}}]`:          "imports.x.records.0.fields.a.decimal: there is no such field; there are: column, columns, date, default, negate, number, scale, separator, set, thousands, time, value, values",
		`kind: "note", records: [{fields: a: {column: "A", date: "02-01-2006"}}]`:    "imports.x.records.0.fields.a.date: must be the order of YYYY, MM and DD, such as DD-MM-YYYY",
		`kind: "note", records: [{fields: a: {column: "A", time: "hh:mm"}}]`:         "imports.x.records.0.fields.a.time: must be the order of",
		`kind: "note", records: [{fields: a: {column: "A", number: ";"}}]`:           "imports.x.records.0.fields.a.number: must be the decimal mark",
		`kind: "note", records: [{fields: a: {column: "A", number: ",", scale: 3}}]`: "imports.x.records.0.fields.a.scale: must be a power of ten",
		`kind: "note", records: [{fields: a: set: "Stroom"}]`:                        "imports.x.records.0.fields.a.set: must be a name of your choice",
		`kind: "note", comma: "::", records: [{fields: a: column: "A"}]`:             "imports.x.comma: must be one of",
		`kind: "note", order: "reverse", records: [{fields: a: column: "A"}]`:        "imports.x.order: must be oldest_first or newest_first",
		`kind: "note", records: [{when: 3, fields: a: column: "A"}]`:                 "imports.x.records.0.when: must be the name of a column, or",
		`kind: "note", records: [{fields: "a b": column: "A"}]`:                      "imports.x.records.0.fields",
		`kind: "note", records: []`:                                                  "imports.x.records",
	} {
		s := open(t, folder(t, map[string]string{"acme": "imports: x: {" + mapping + "}"}))
		require.Nil(t, s.ByKey("acme"), mapping)
		require.Contains(t, texts(s.Problems()), want, mapping)
		require.NotContains(t, texts(s.Problems()), "#M")
	}
}

// Other errors in a mapping are found by vet; the label is served.
func TestVetImports(t *testing.T) {
	for mapping, want := range map[string]string{
		`kind: "share", records: [{fields: a: column: "A"}]`:                                   "acme/label.cue:7:14: imports.x.kind: share is of the module market, which this label does not switch on",
		`kind: "shore", records: [{fields: a: column: "A"}]`:                                   `acme/label.cue:7:14: imports.x.kind: there is no record kind "shore"; there are: account, note`,
		`kind: "note", records: [{fields: a: {column: "A", set: "b"}}]`:                        "acme/label.cue:7:47: imports.x.records.0.fields.a: needs one of column, columns, value and set",
		`kind: "note", records: [{fields: {a: column: "A", "b.c": {column: "A", scale: 10}}}]`: "imports.x.records.0.fields.b.c: scale needs number",
		`kind: "note", records: [{fields: {a: column: "A", "a.c": column: "A"}}]`:              "imports.x.records.0.fields.a: is given twice",
		`kind: "note", records: [{fields: a: column: "A"}, {fields: a: column: "A"}]`:          "acme/label.cue:7:64: imports.x.records.1: gives the same record as records.0",
		`kind: "account", records: [{fields: a: column: "A"}]`:                                 "",
	} {
		dir := folder(t, map[string]string{"acme": "modules: account: {}\nimports: x: {" + mapping + "}"})
		require.NotNil(t, open(t, dir).ByKey("acme"), mapping)
		ps, err := Vet(dir, withKinds(), nil)
		require.NoError(t, err)
		if want == "" {
			require.Empty(t, ps)
		} else {
			require.Contains(t, texts(ps), want, mapping)
			require.Len(t, ps, 1, texts(ps))
		}
	}
}

// The mappings in docs/labels.md are valid.
func TestDocumentedImports(t *testing.T) {
	doc, err := os.ReadFile("../../../../docs/labels.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```cue\n(imports: .*?)```").FindAllStringSubmatch(string(doc), -1)
	require.Len(t, blocks, 3)
	kinds := account
	kinds.Kinds = []string{"interval", "reading", "relation"}
	ps, err := Vet(folder(t, map[string]string{"acme": "modules: account: {}\n" + blocks[0][1] + blocks[1][1] + blocks[2][1]}),
		[]Fragment{kinds}, nil)
	require.NoError(t, err)
	require.Empty(t, ps)
}
