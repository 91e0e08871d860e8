package records_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/records/imports"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
	"github.com/wattle-portal/wattle/core/internal/testing/storetest"
	"github.com/wattle-portal/wattle/modules"
)

// valuesOf returns the values of the example in a schema, at any depth, by the name of their column.
func valuesOf(t *testing.T, schema []byte) map[string]string {
	t.Helper()
	var parsed struct{ Examples []any }
	d := json.NewDecoder(bytes.NewReader(schema))
	d.UseNumber()
	require.NoError(t, d.Decode(&parsed))
	out := map[string]string{}
	var add func(name string, v any)
	add = func(name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, one := range v {
				add(name+"."+key, one)
			}
		case []any:
			for at, one := range v {
				add(fmt.Sprint(name, ".", at), one)
			}
		case nil:
			out[name[1:]] = ""
		default:
			out[name[1:]] = fmt.Sprint(v)
		}
	}
	add("", parsed.Examples[0])
	return out
}

// Each template can be imported as it is, in the order of the kinds, on both databases. Without a value for a required field it is refused.
func TestTemplates(t *testing.T) {
	t.Parallel()
	kinds := app.Kinds(modules.All)
	storetest.EachConfig(t, func(t *testing.T, db store.Config) {
		s := apptest.Start(t, apptest.Options{Modules: modules.All, Store: &db, Labels: []apptest.Label{{Key: "alpha"}}})
		target, order, err := s.Importer("alpha")
		require.NoError(t, err)
		take := func(kind string, text []byte) imports.Report {
			path := file(t, kind+".csv", string(text))
			report, err := imports.Run(t.Context(), imports.Options{Label: "alpha", Order: order, Files: []string{path}, Kinds: kinds,
				Zone: s.Labels.ByKey("alpha").Location}, target)
			require.NoError(t, err)
			return report
		}
		t.Run("11-import-template,11-import-schema", func(t *testing.T) {
			require.Greater(t, len(order), 15)
			require.ElementsMatch(t, order, slices.Collect(maps.Keys(kinds)), "every kind")
			for _, kind := range order {
				k, described := kinds[kind]
				require.True(t, described, "the module of %s describes it in Manifest.Records", kind)
				text, err := k.Template(apptest.Now)
				require.NoError(t, err)
				report := take(kind, text)
				require.Equal(t, 1, report.Rows, kind)
				require.Zero(t, report.Refused, "%s: %v", kind, report.Reasons)
				require.Empty(t, report.Notes, "%s: each column is a field", kind)

				schema, err := k.Schema(apptest.Now)
				require.NoError(t, err)
				var parsed struct {
					Properties map[string]map[string]any
					Required   []string
					Examples   []map[string]any
				}
				require.NoError(t, json.Unmarshal(schema, &parsed))
				require.Len(t, parsed.Examples, 1, kind)
				require.NotEmpty(t, parsed.Examples[0], kind)
				for name := range parsed.Examples[0] {
					require.Contains(t, parsed.Properties, name, kind)
				}
				for _, name := range k.Required {
					if !strings.Contains(name, ".") {
						require.Contains(t, parsed.Required, name, kind)
						require.Contains(t, parsed.Examples[0], name, kind)
					}
				}
				for name, p := range parsed.Properties {
					var allowed []string
					values, _ := p["enum"].([]any)
					for _, v := range values {
						allowed = append(allowed, fmt.Sprint(v))
					}
					require.Equal(t, k.Allowed(name), allowed, "%s %s", kind, name)
				}
				rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
				require.NoError(t, err)
				require.Len(t, rows, 2, kind)
				columns := map[string]string{}
				for at, name := range rows[0] {
					top, _, _ := strings.Cut(name, ".")
					require.Contains(t, parsed.Properties, top, kind)
					columns[name] = rows[1][at]
				}
				require.Len(t, columns, len(rows[0]), kind)
				require.Equal(t, valuesOf(t, schema), columns, "%s: the columns and the row of its example", kind)
				require.ElementsMatch(t, k.Names(), slices.Collect(maps.Keys(parsed.Properties)), "%s: all its fields", kind)
				for _, name := range parsed.Required {
					at := slices.Index(rows[0], name)
					if at < 0 {
						continue // an object or a list
					}
					row := slices.Clone(rows[1])
					row[at] = ""
					var b bytes.Buffer
					require.NoError(t, csv.NewWriter(&b).WriteAll([][]string{rows[0], row}))
					require.Equal(t, 1, take(kind, b.Bytes()).Refused, "%s without %s", kind, name)
				}
			}
		})
		t.Run("11-import-allowed-values", func(t *testing.T) {
			for _, kind := range order {
				k := kinds[kind]
				text, err := k.Template(apptest.Now)
				require.NoError(t, err)
				rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
				require.NoError(t, err)
				for at, name := range rows[0] {
					allowed := k.Allowed(name)
					if allowed == nil {
						continue
					}
					row := slices.Clone(rows[1])
					row[at] = "ANYTHING"
					if name == "seconds" { // a number
						row[at] = "17"
					}
					var b bytes.Buffer
					require.NoError(t, csv.NewWriter(&b).WriteAll([][]string{rows[0], row}))
					report := take(kind, b.Bytes())
					if report.Refused == 0 {
						t.Errorf("%s takes %s ANYTHING", kind, name)
						continue
					}
					require.Contains(t, strings.Join(report.Reasons, "\n"), "one of "+strings.Join(allowed, ", "), "%s %s", kind, name)
				}
			}
		})
	})
}
