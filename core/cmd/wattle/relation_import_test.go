package main_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/imports"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/account"
)

// BenchmarkImportRelations is about rows/s: at least 10,000 on SQLite, each with a company and two addresses.
func BenchmarkImportRelations(b *testing.B) {
	s := apptest.Start(b, apptest.Options{Modules: []module.Module{account.Module}})
	file := relations(b, 20_000)
	target, order, err := s.Importer("alpha")
	require.NoError(b, err)
	rows := 0
	for b.Loop() {
		report, err := imports.Run(b.Context(), imports.Options{Label: "alpha", Kind: "relation", Order: order, Files: []string{file}}, target)
		require.NoError(b, err)
		require.Zero(b, report.Refused)
		rows += report.Rows
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}

// relations writes a file of n relation records.
func relations(t testing.TB, n int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "relation.ndjson")
	f, err := os.Create(name)
	require.NoError(t, err)
	w := bufio.NewWriter(f)
	for i := range n {
		_, err = fmt.Fprintf(w, oneLine(record)+"\n", fmt.Sprintf("%08d", i))
		require.NoError(t, err)
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
	return name
}

func oneLine(s string) string {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if r != '\n' && r != '\t' {
			out = append(out, r)
		}
	}
	return string(out)
}

// Of one debtor number there is one relation, whatever number of times and in whatever batch it is imported; the last record holds.
func TestImportRelations(t *testing.T) {
	apptest.Each(t, apptest.Options{Modules: []module.Module{account.Module}}, func(t *testing.T, s *apptest.Server) {
		target, _, err := s.Importer("alpha")
		require.NoError(t, err)
		row := func(line int, data string) module.Row { return module.Row{Line: line, Data: []byte(data)} }
		refused, err := target(t.Context(), "relation", []module.Row{
			row(1, `{"debtor_number":"7","last_name":"Eerst","email":"een@voorbeeld.example"}`),
			row(2, `{"debtor_number":"7","last_name":"Daarna","addresses":[{"addressType":"SHIPPING","houseNumber":12}]}`),
			row(3, `{"debtor_number":"8","addresses":[{"address_type":"POSTAL"}]}`),
			row(4, `{"debtor_number":"9","relation_since":"2026-02-30"}`),
			row(5, `{"debtor_number":"10","company":{"name":"Molen B.V.","timeOfUse":"T_0_12"}}`),
			row(6, `{"last_name":"Zonder"}`),
			row(7, `[1]`),
		})
		require.NoError(t, err)
		require.Equal(t, []module.Refusal{
			{Line: 3, Field: "addresses.0.address_type", Code: "invalid"}, {Line: 4, Code: "malformed"},
			{Line: 5, Field: "company.timeOfUse", Code: "invalid"}, {Line: 6, Field: "debtor_number", Code: "required"}, {Line: 7, Code: "invalid"}}, refused)
		c := (&customers{Server: s, t: t}).account("7", "klant.7")
		got := c.get(t, "/relations")
		require.Equal(t, "Daarna", got["last_name"])
		require.Equal(t, "", got["email"], "a record is the whole of a relation")
		require.Len(t, got["addresses"], 1)

		_, err = target(t.Context(), "relation", []module.Row{row(1, `{"debtor_number":"7","last_name":"Later"}`)})
		require.NoError(t, err)
		got = c.get(t, "/relations")
		require.Equal(t, "Later", got["last_name"])
		require.Empty(t, got["addresses"])
	})
}
