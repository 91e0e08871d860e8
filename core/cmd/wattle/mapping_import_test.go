package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An operator imports a file from another system through a mapping of the label.
func TestImportThroughAMapping(t *testing.T) {
	t.Parallel()
	labels, data := t.TempDir(), t.TempDir()
	must(t, "labels", "new", "acme", "--name", "Acme Energie", "--labels", labels)
	cue := filepath.Join(labels, "acme", "label.cue")
	written, err := os.ReadFile(cue)
	require.NoError(t, err)
	save := func(more string) { require.NoError(t, os.WriteFile(cue, []byte(string(written)+more), 0o600)) }
	save(`
imports: customers: {
	kind: "relation"
	records: [{
		when: {column: "Soort", is: ["klant"]}
		fields: {
			debtor_number: column: "Klantnr"
			relation_since: {column: "Sinds", date: "D-M-YYYY"}
			last_name: column: "Naam"
			bank_account_name: set: "payer"
		}
	}]
}
`)
	must(t, "labels", "vet", "--labels", labels)
	dir := t.TempDir()
	file := filepath.Join(dir, "export van 2 augustus.csv")
	require.NoError(t, os.WriteFile(file, []byte("Klantnr;Naam;Sinds;Soort\r\n1001;Bakker;1-2-2020;klant\r\n1002;Smid;2020-02-01;klant\r\n1003;Boer;;lead\r\n1004;Visser;3-12-2021;klant"), 0o600))
	place := []string{"--labels", labels, "--data", data, "--label", "acme"}
	out, err := run(t, append([]string{"import", "--mapping", "customers", "--set", "payer=Acme", file}, place...)...)
	require.Equal(t, exitStatus(2), err, out)
	require.Contains(t, out, "3 records, 1 refused")
	rejected, err := os.ReadFile(file + ".rejected.ndjson")
	require.NoError(t, err)
	require.Equal(t, `{"line":3,"field":"relation_since","column":"Sinds","reason":"not_a_date","hint":"\"2020-02-01\" is not a day written as D-M-YYYY",`+
		`"record":{"bank_account_name":"Acme","debtor_number":"1002","last_name":"Smid","relation_since":"2020-02-01"},"text":"1002;Smid;2020-02-01;klant"}`, strings.TrimSpace(string(rejected)))

	for want, args := range map[string][]string{
		`label acme has no mapping "klanten"; there are: customers`: {"--mapping", "klanten", file},
		`it needs --set payer=…`:                                    {"--mapping", "customers", file},
		`it has no setting "payee"`:                                 {"--mapping", "customers", "--set", "payee=x", file},
		`--set needs --mapping`:                                     {"--set", "payer=x", file},
		`--kind and --mapping cannot be used together`:              {"--mapping", "customers", "--kind", "relation", file},
		`the file has no column "Klantnr"; the`: {"--mapping", "customers", "--set", "payer=x",
			save2(t, dir, "Klant;Naam;Sinds;Soort\n")},
	} {
		_, err := run(t, append(append([]string{"import"}, args...), place...)...)
		require.ErrorContains(t, err, want)
	}

	save("\nimports: customers: {kind: \"relations\", records: [{fields: a: column: \"A\"}]}\n")
	out, err = run(t, "labels", "vet", "--labels", labels)
	require.Error(t, err)
	require.Contains(t, out, `imports.customers.kind: there is no record kind "relations"; did you mean relation?`)
}

func save2(t *testing.T, dir, text string) string {
	t.Helper()
	path := filepath.Join(dir, "other.csv")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}
