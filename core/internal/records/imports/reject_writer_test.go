package imports

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/labels/mapping"
	"github.com/wattle-portal/wattle/core/record"
)

// person is a record kind of these tests.
var person = record.Kind{Name: "person", Fields: struct {
	Number     string `json:"number"`
	Salutation string `json:"salutation" enum:"MR,MRS"`
	Since      string `json:"since"`
}{}, Required: []string{"number"}}

// persons is a target that refuses records without a number or with an unknown salutation.
func persons() *keep {
	return &keep{refuse: func(r record.Row) (string, string) {
		switch {
		case !bytes.Contains(r.Data, []byte(`"number"`)):
			return "number", "required"
		case bytes.Contains(r.Data, []byte("Dhr")):
			return "salutation", "invalid"
		}
		return "", ""
	}}
}

func personOptions(path string) Options {
	return Options{Label: "alpha", Order: []string{"person"}, Kind: "person", Kinds: map[string]record.Kind{"person": person},
		Files: []string{path}, Zone: time.UTC}
}

// corrected imports a file with --rejects, corrects the refused rows, and imports those.
func corrected(t *testing.T, name, text string, m *mapping.Mapping, replace ...string) (rejects string, rows []string, second Report) {
	t.Helper()
	path := temporary(t, name, text)
	o := personOptions(path)
	if o.Mapping = m; m != nil {
		o.Kind = ""
	}
	o.Rejects = filepath.Join(t.TempDir(), "refused"+filepath.Ext(name))
	k := persons()
	_, err := Run(t.Context(), o, k.take)
	require.NoError(t, err)
	b, err := os.ReadFile(o.Rejects)
	require.NoError(t, err)
	info, err := os.Stat(o.Rejects)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	o.Files, o.Rejects = []string{temporary(t, name, strings.NewReplacer(replace...).Replace(string(b)))}, ""
	second, err = Run(t.Context(), o, k.take)
	require.NoError(t, err)
	return string(b), k.rows, second
}

func TestCorrectedRows(t *testing.T) {
	t.Run("11-import-rejects-file", func(t *testing.T) {
		text, rows, second := corrected(t, "person.csv", "number;salutation;since\n1;MR;\n2;Dhr.;\"2020; or so\"\n;MR;x\n4;MRS\n5;MRS;y\n", nil,
			"2;Dhr.", "2;MR", "\n;MR", "\n3;MR", `"4;MRS";;;unreadable: field_count: the line has more or fewer values than the first line has names`, "4;MRS;;")
		require.Equal(t, "number;salutation;since;wattle_refused\n2;Dhr.;\"2020; or so\";salutation: invalid: one of MR, MRS\n;MR;x;number: required: the field is required (wattle import schema person)\n\"4;MRS\";;;unreadable: field_count: the line has more or fewer values than the first line has names\n", text)
		require.Equal(t, Report{Rows: 3}, second)
		require.ElementsMatch(t, []string{`{"number":"1","salutation":"MR"}`, `{"number":"5","salutation":"MRS","since":"y"}`,
			`{"number":"2","salutation":"MR","since":"2020; or so"}`,
			`{"number":"3","salutation":"MR","since":"x"}`, `{"number":"4","salutation":"MRS"}`}, rows, "the reason is not part of a record")

		text, rows, second = corrected(t, "person.ndjson", `{"number":"1"}`+"\n"+`{"number":"2","salutation":"Dhr."}`+"\n{}\nhello\n", nil, "Dhr.",
			"MR", `"wattle_refused":"number: required: the field is required (wattle import schema person)"}`, `"wattle_refused":"","number":"3"}`)
		require.Equal(t, `{"wattle_refused":"salutation: invalid: one of MR, MRS","number":"2","salutation":"Dhr."}`+"\n"+
			`{"wattle_refused":"number: required: the field is required (wattle import schema person)"}`+"\n"+
			`{"text":"hello","wattle_refused":"unreadable: it is not valid JSON: column 1: a text stands in double quotes"}`+"\n", text)
		require.Equal(t, 1, second.Refused)
		require.Equal(t, []string{"1 × not_corrected, first in line 3: the line could not be read and was not corrected; correct it and remove its reason"}, second.Reasons,
			"a line that was no record is refused until it is corrected")
		require.ElementsMatch(t, []string{`{"number":"1"}`, `{"number":"2","salutation":"MR"}`, `{"number":"3"}`}, rows)

		for _, order := range []string{"oldest_first", "newest_first"} {
			m := mappingOf(t, `{"kind": "person", "order": "`+order+`", "records": [
				{"fields": {"number": {"column": "Nr"}, "since": {"column": "Sinds", "date": "D-M-YYYY"}, "salutation": {"column": "Aanhef", "values": {"Dhr.": "MR"}}}},
				{"when": "Partner", "fields": {"number": {"column": "Partner"}, "since": {"column": "Sinds", "date": "D-M-YYYY"}}}]}`)
			text, rows, second = corrected(t, "export.csv", "Nr,Partner,Sinds,Aanhef,Extra\n1,,1-2-2020,Dhr.,\n2,9,2020-02-01,Mevr.,\"a, b\"\n", m,
				"2020-02-01", "1-2-2020", "Mevr.,", ",")
			require.Equal(t, "Nr,Partner,Sinds,Aanhef,Extra,wattle_refused\n2,9,2020-02-01,Mevr.,\"a, b\",\"Aanhef: \"\"Mevr.\"\" is none of the values of the mapping: \"\"Dhr.\"\"; "+
				"Sinds: \"\"2020-02-01\"\" is not a day written as D-M-YYYY; Sinds: \"\"2020-02-01\"\" is not a day written as D-M-YYYY\"\n", text)
			require.Equal(t, Report{Rows: 2}, second)
			require.Len(t, rows, 3)
		}
	})
	o := personOptions(temporary(t, "person.csv", "number\n1\n"))
	for rejects, want := range map[string]string{"x.ndjson": "give --rejects a name that ends in .csv",
		o.Files[0]: "--rejects is the imported file itself"} {
		o.Rejects = rejects
		_, err := Run(t.Context(), o, persons().take)
		require.ErrorContains(t, err, want)
	}
	o.Rejects, o.Files = "x.csv", []string{o.Files[0], o.Files[0]}
	_, err := Run(t.Context(), o, persons().take)
	require.ErrorContains(t, err, "--rejects is for one file")
}

// For a file in the wrong format, a single sentence is reported and nothing is stored.
func TestWrongKindOfFile(t *testing.T) {
	var zipped, packed bytes.Buffer
	z := zip.NewWriter(&zipped)
	_, err := z.Create("xl/workbook.xml")
	require.NoError(t, err)
	require.NoError(t, z.Close())
	g := gzip.NewWriter(&packed)
	_, _ = g.Write([]byte("number\n1\n"))
	require.NoError(t, g.Close())
	t.Run("11-import-wrong-kind", func(t *testing.T) {
		for i, c := range []struct{ name, text, want string }{
			{"person.csv", zipped.String(), "is a spreadsheet or a zip file: save the sheet as CSV (UTF-8), or unpack the file"},
			{"person.csv", packed.String(), "is compressed (gzip): unpack it first"},
			{"person.csv", "%PDF-1.7\n", "is a PDF: records cannot be read from it"},
			{"person.csv", "\xd0\xcf\x11\xe0\xa1\xb1", "is an old spreadsheet (.xls): save the sheet as CSV (UTF-8)"},
			{"person.csv", "\xff\xfen\x00r\x00", "is UTF-16 text: save it as UTF-8"},
			{"person.csv", "number\n\x00\n", "is not a text file"},
			{"person.csv", "<?xml version=\"1.0\"?><feed xmlns=\"http://naesb.org/espi\">", "is a file that --format green-button reads"},
			{"person.csv", "<html>", "is XML or HTML, not CSV or NDJSON"},
			{"person.ndjson", " <x/>", "is XML or HTML, not CSV or NDJSON"},
			{"person.csv", "100,NEM12,1,2,3\n", "is a file that --format nem12 reads"},
			{"person.txt", "/ISK5\r\n\r\n1-0:1.8.1(1*kWh)\r\n", "is a file that --format dsmr reads"},
			{"person.json", `{"energy":{"timeUnit":"HOUR"}}`, "is a file that --format solaredge reads"},
			{"person.csv", "\uFEFF{\"number\":\"1\"}\n", "contains JSON, not CSV"},
			{"person.ndjson", `[{"number":"1"}]`, "is a JSON list: NDJSON has one object on each line"},
			{"person.ndjson", "{\n \"number\": \"1\"\n}\n", "is one JSON object over several lines"},
			{"person.ndjson", "number;salutation\n1;MR\n",
				"is not NDJSON, because none of its first lines is a JSON object; the name of a CSV file ends in .csv"},
			{"person.csv", "Klantnr;Naam\n1;Jansen\n",
				"has no column of person: its first line names Klantnr, Naam. Columns of person are number, salutation, since (wattle import template person); a file of another system needs --mapping or --format"},
		} {
			k := persons()
			_, err := Run(t.Context(), personOptions(temporary(t, c.name, c.text)), k.take)
			require.ErrorContains(t, err, c.name+" "+c.want, "%d", i)
			require.Empty(t, k.rows)
		}
	})
	report, err := Run(t.Context(), personOptions(temporary(t, "person.csv", "number;Naam\n1;Jansen\n")), persons().take)
	require.NoError(t, err)
	require.Equal(t, Report{Rows: 1, Notes: []string{"person.csv has columns that person does not have, which are not read: Naam"}}, report)
	for _, text := range []string{"", "\n"} {
		_, err := Run(t.Context(), personOptions(temporary(t, "person.ndjson", text)), persons().take)
		require.NoError(t, err)
	}
}

// If every record of a file is refused for the same reason, the file is not read to its end.
func TestSameRefusal(t *testing.T) {
	t.Run("11-import-same-refusal", func(t *testing.T) {
		var wrong, late strings.Builder
		wrong.WriteString("number,salutation\n")
		late.WriteString("number,salutation\n0,MR\n")
		for n := range 5000 {
			fmt.Fprintf(&wrong, "%d,Dhr.\n", n)
			fmt.Fprintf(&late, "%d,Dhr.\n", n)
		}
		o := personOptions(temporary(t, "person.csv", wrong.String()))
		report, err := Run(t.Context(), o, persons().take)
		require.ErrorIs(t, err, ErrHopeless)
		require.ErrorContains(t, err, "nothing is stored: its first 1000 records were all refused for the same reason (1000 × salutation: invalid, first in line 2: one of MR, MRS); --keep-going reads the others too")
		require.Equal(t, 1000, report.Refused)
		o.KeepGoing = true
		report, err = Run(t.Context(), o, persons().take)
		require.NoError(t, err)
		require.Equal(t, 5000, report.Refused)
		require.Equal(t, []string{"5000 × salutation: invalid, first in line 2: one of MR, MRS"}, report.Reasons)
		report, err = Run(t.Context(), personOptions(temporary(t, "person.csv", late.String())), persons().take)
		require.NoError(t, err, "something of it is right")
		require.Equal(t, 5000, report.Refused)
		for name, text := range map[string]string{
			"the 1,000th is right":      strings.Repeat("9,Dhr.\n", 999) + "9,MR\n" + strings.Repeat("9,Dhr.\n", 1000),
			"the 1,000th lacks another": strings.Repeat("9,Dhr.\n", 999) + ",MR\n" + strings.Repeat("9,Dhr.\n", 1001),
			"999 records":               strings.Repeat("9,Dhr.\n", 999),
		} {
			report, err = Run(t.Context(), personOptions(temporary(t, "person.csv", "number,salutation\n"+text)), persons().take)
			require.NoError(t, err, name)
			require.Equal(t, strings.Count(text, "\n"), report.Rows, "%s: read to its end", name)
		}
		lines := "{\"number\":\"1\"\n"
		_, err = Run(t.Context(), personOptions(temporary(t, "person.ndjson", strings.Repeat(lines, 3000))), persons().take)
		require.ErrorContains(t, err, "1000 × malformed, first in line 1")
	})
}
