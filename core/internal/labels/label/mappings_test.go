package label

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/record"
)

// note is a record kind of these tests.
var note = record.Kind{Name: "note", Fields: struct {
	Name      string `json:"name"`
	Color     string `json:"color" enum:"RED,GREEN"`
	Addresses []struct {
		City string `json:"city"`
	} `json:"addresses"`
}{}}

// A file with mappings is checked like the mappings of a label.
func TestMappingsOfAFile(t *testing.T) {
	kinds := map[string]record.Kind{"note": note}
	read := func(t *testing.T, text string) string {
		t.Helper()
		got, ps, err := Mappings("dir/mappings.cue", []byte(text), kinds)
		require.NoError(t, err)
		require.Equal(t, len(ps) > 0, got == nil)
		return texts(ps)
	}
	got, ps, err := Mappings("m.cue", []byte(`imports: notes: {kind: "note", records: [{fields: name: column: "Naam"}]}`), kinds)
	require.NoError(t, err)
	require.Empty(t, ps)
	require.Equal(t, "Naam", got["notes"].Records[0].Fields["name"].Column)
	require.Equal(t, []string{"Naam"}, got["notes"].Columns())
	t.Run("11-import-plan-corrected", func(t *testing.T) {
		for text, want := range map[string]string{
			"imports: notes: {": "dir/mappings.cue:1:",
			"importz: {}":       "dir/mappings.cue:1:1: importz: there is no such field; did you mean imports?",
			"imports: n: {kind: \"note\",\nrecords: [{fields: name: colum: \"A\"}]}":         "dir/mappings.cue:2:26: imports.n.records.0.fields.name.colum: there is no such field; did you mean column?",
			"imports: n: {kind: \"nota\", records: [{fields: name: column: \"A\"}]}":         `imports.n.kind: there is no record kind "nota"; did you mean note?`,
			"imports: n: {kind: \"note\", records: [{fields: {nme: column: \"A\"}}]}":        "imports.n.records.0.fields.nme: is not a field of note; did you mean name? (wattle import schema note)",
			"imports: n: {kind: \"note\", records: [{fields: name: {column: \"A\", a: 1}}]}": "imports.n.records.0.fields.name.a: there is no such field",
			"imports: n: records: [{fields: name: column: \"A\"}]":                           "imports.n.kind: is missing",
		} {
			require.Contains(t, read(t, text), want, text)
		}
	})
}

func TestValuesOfMappings(t *testing.T) {
	described := account
	described.Kinds, described.Records = []string{"note"}, []record.Kind{note}
	t.Run("11-import-mapping-allowed", func(t *testing.T) {
		for fields, want := range map[string]string{
			`{name: column: "A", color: value: "RED"}`:                                              "",
			`{name: column: "A", color: {column: "B", values: {"r": "RED", "x": ""}}}`:              "",
			`{name: column: "A", color: value: "BLUE"}`:                                             `acme/label.cue:7:74: imports.x.records.0.fields.color.value: "BLUE" is not one of RED, GREEN`,
			`{name: column: "A", color: {column: "B", values: {"g": "GREN"}}}`:                      `imports.x.records.0.fields.color.values.g: "GREN" is not one of RED, GREEN; did you mean GREEN?`,
			`{name: column: "A", color: {column: "B", values: {"g": "GREEN"}, default: "x"}}`:       `imports.x.records.0.fields.color.default: "x" is not one of RED, GREEN`,
			`{name: column: "A", "addresses.1.ciyt": column: "B", "addresses.0.city": column: "C"}`: `imports.x.records.0.fields.addresses.1.ciyt: is not a field of note; did you mean addresses.1.city? (wattle import schema note)`,
		} {
			dir := folder(t, map[string]string{"acme": "modules: account: {}\nimports: x: {kind: \"note\", records: [{fields: " + fields + "}]}"})
			ps, err := Vet(dir, []Fragment{described}, nil)
			require.NoError(t, err)
			if want == "" {
				require.Empty(t, ps, fields)
				continue
			}
			require.Contains(t, texts(ps), want, fields)
			require.Len(t, ps, 1, fields)
		}
	})
}
