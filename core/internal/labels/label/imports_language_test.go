package label

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/record"
)

const customers = `modules: account: {}
imports: x: {kind: "note", records: [{
	when: {all: [{column: "Soort", is: ["K"]}, {any: ["Plaats", {column: "Status", not: ["weg"]}]}]}
	fields: {
		"addresses.0.city": column: "Plaats"
		salutation: {column: "Aanhef", values: {"Dhr.": "MR", "Mevr.": "MRS"}, default: "MR"}
		name: {columns: ["Voornaam", "Achternaam"], separator: ", "}
		amount: {column: "Bedrag", number: ",", negate: true}
	}
}]}
`

// A label can use the whole mapping language; errors in a mapping are reported with their file and line.
func TestLanguageOfMappings(t *testing.T) {
	dir := folder(t, map[string]string{"acme": customers})
	l := open(t, dir).ByKey("acme")
	require.NotNil(t, l)
	lines, err := l.Imports["x"].For([]string{"Plaats", "Soort", "Status", "Aanhef", "Voornaam", "Achternaam", "Bedrag"}, nil, l.Location)
	require.NoError(t, err)
	got := lines.Of([]string{"Delft", "K", "weg", "Mevr.", "Ada", "King", "3,50"})
	require.Equal(t, `{"addresses":[{"city":"Delft"}],"amount":-3.50,"name":"Ada, King","salutation":"MRS"}`, string(got[0].Data))
	require.Empty(t, lines.Of([]string{"", "K", "weg", "", "", "", ""}))
	ps, err := Vet(dir, withKinds(), nil)
	require.NoError(t, err)
	require.Empty(t, ps)

	t.Run("11-import-mapping-vet", func(t *testing.T) {
		for record, want := range map[string]string{
			`fields: {"a.0.x": {column: "A"}, "a.2.x": {column: "B"}}`:          "acme/label.cue:7:39: imports.x.records.0.fields.a: is a list that lacks its element 1; the first is 0",
			`fields: a: {column: "A", negate: true}`:                            "acme/label.cue:7:47: imports.x.records.0.fields.a: negate needs number",
			`fields: a: {column: "A", default: "x"}`:                            "acme/label.cue:7:47: imports.x.records.0.fields.a: default is for a value that values lacks",
			`fields: a: {columns: ["A", "B"], number: ",", values: {"x": "y"}}`: "acme/label.cue:7:47: imports.x.records.0.fields.a: can be only one of number, date, time and values",
			`when: {all: []}, fields: a: column: "A"`:                           "acme/label.cue:7:39: imports.x.records.0.when: all and any need a condition at least",
		} {
			dir := folder(t, map[string]string{"acme": "modules: account: {}\nimports: x: {kind: \"note\", records: [{" + record + "}]}"})
			ps, err := Vet(dir, withKinds(), nil)
			require.NoError(t, err)
			require.Contains(t, texts(ps), want, record)
			require.Len(t, ps, 1, texts(ps))
		}
		for record, want := range map[string]string{
			`fields: a: columns: ["A"]`:                                       "imports.x.records.0.fields.a.columns",
			`fields: a: {column: "A", values: {"x": {}}}`:                     "imports.x.records.0.fields.a.values.x: must be a text, a number, true or false",
			`fields: "a.00": column: "A"`:                                     "imports.x.records.0.fields",
			`when: {column: "A", is: ["x"], not: ["y"]}, fields: a: set: "b"`: "imports.x.records.0.when",
			`when: {some: ["A"]}, fields: a: set: "b"`:                        "imports.x.records.0.when",
		} {
			s := open(t, folder(t, map[string]string{"acme": "imports: x: {kind: \"note\", records: [{" + record + "}]}"}))
			require.Nil(t, s.ByKey("acme"), record)
			require.Contains(t, texts(s.Problems()), want, record)
			require.Contains(t, texts(s.Problems()), "acme/label.cue:6:")
		}
	})
}

// A mapping to a field that the kind does not have would have no effect.
func TestFieldsOfMappings(t *testing.T) {
	described := account
	described.Kinds, described.Records = []string{"note"}, []record.Kind{{Name: "note", Fields: struct {
		Name      string `json:"name"`
		Addresses []struct {
			City string `json:"city"`
		} `json:"addresses"`
	}{}}}
	t.Run("11-import-mapping-fields,11-vet-did-you-mean", func(t *testing.T) {
		misspelled := folder(t, map[string]string{"acme": `modules: account: {}
imports: x: {kind: "nota", records: [{fields: name: column: "A"}]}`})
		ps, err := Vet(misspelled, []Fragment{described}, nil)
		require.NoError(t, err)
		require.Contains(t, texts(ps), `imports.x.kind: there is no record kind "nota"; did you mean note?`)
		for fields, want := range map[string]string{
			`{name: column: "A", "addresses.1.city": column: "B", "addresses.0.city": column: "C"}`: "",
			`{name: column: "A", nmae: column: "B"}`:                                                `acme/label.cue:7:67: imports.x.records.0.fields.nmae: is not a field of note; did you mean name? (wattle import schema note)`,
			`{name: column: "A", "addresses.0.town": column: "B"}`:                                  `imports.x.records.0.fields.addresses.0.town: is not a field of note`,
		} {
			dir := folder(t, map[string]string{"acme": "modules: account: {}\nimports: x: {kind: \"note\", records: [{fields: " + fields + "}]}"})
			ps, err := Vet(dir, []Fragment{described}, nil)
			require.NoError(t, err)
			if want == "" {
				require.Empty(t, ps)
				continue
			}
			require.Contains(t, texts(ps), want, fields)
			require.Len(t, ps, 1, texts(ps))
		}
	})
}
