package reference

//go:generate go test . -run TestPagesOfReference -update

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root, folder = "../../..", "docs/reference"

var update = flag.Bool("update", false, "write the pages in docs/reference")

func committed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, folder, name))
	require.NoError(t, err, "run make generate")
	return string(text)
}

// section returns the text below a heading.
func section(page, heading string) string {
	_, rest, _ := strings.Cut(page, "\n"+heading+"\n")
	level, _, _ := strings.Cut(heading, " ")
	own, _, _ := strings.Cut(rest, "\n"+level+" ")
	return own
}

// TestPagesOfReference compares the pages with what the sources say now, and looks for everything that must be on them.
func TestPagesOfReference(t *testing.T) {
	pages, err := Pages(root)
	require.NoError(t, err)
	for name, text := range pages {
		if *update {
			require.NoError(t, os.WriteFile(filepath.Join(root, folder, name), []byte(text), 0o644))
			continue
		}
		assert.Equal(t, committed(t, name), text, "%s is stale: run make generate", name)
	}

	t.Run("10-reference-services", func(t *testing.T) {
		page := committed(t, "services.md")
		var doc struct {
			Paths map[string]map[string]map[string]any `json:"paths"`
		}
		require.NoError(t, read(filepath.Join(root, "schemas/openapi/core.json"), &doc))
		count := 0
		for path, methods := range doc.Paths {
			for method, op := range methods {
				if op["x-access"] != "sibling" {
					assert.NotContains(t, page, "### "+op["operationId"].(string)+"\n", "it is not for modules")
					continue
				}
				count++
				permission := strings.Split(path, "/")[1]
				own := section(section(page, "## "+permission), "### "+op["operationId"].(string))
				assert.Contains(t, own, "`"+strings.ToUpper(method)+" http://core"+path+"`", "below its permission")
				assert.Contains(t, own, op["summary"])
			}
		}
		require.Greater(t, count, 10)
		require.Contains(t, section(section(page, "## limits"), "### takeLimit"), "| `key` | string |")
	})

	t.Run("10-reference-events", func(t *testing.T) {
		page := committed(t, "events.md")
		files, err := filepath.Glob(filepath.Join(root, "schemas/asyncapi/*.json"))
		require.NoError(t, err)
		count := 0
		for _, file := range files {
			var doc struct {
				Operations map[string]struct{ Summary string }
				Components struct {
					Messages map[string]struct{ Payload json.RawMessage }
				}
			}
			require.NoError(t, read(file, &doc))
			for name, op := range doc.Operations {
				event, published := strings.CutPrefix(name, "publish.")
				if !published {
					continue
				}
				count++
				publisher := strings.TrimSuffix(filepath.Base(file), ".json")
				own := section(section(page, "## "+publisher), "### "+event)
				assert.Contains(t, own, op.Summary, event)
				assert.Contains(t, own, "- published by: "+publisher+"\n", event)
			}
		}
		require.Greater(t, count, 30)
		effective := section(section(page, "## billing"), "### billing.iban_effective")
		require.Contains(t, effective, "| `bank_account_number` | string | IBAN |")
		require.Contains(t, effective, "- handled by: account\n")
		require.Contains(t, page, "at least once and in any order")
	})

	t.Run("10-reference-settings", func(t *testing.T) {
		page := committed(t, "settings.md")
		modules, err := filepath.Glob(filepath.Join(root, "modules/*/module.go"))
		require.NoError(t, err)
		require.Greater(t, len(modules), 5)
		for _, file := range modules {
			key := filepath.Base(filepath.Dir(file))
			own := section(page, "## "+key)
			require.NotEmpty(t, own, key)
			schema, err := os.ReadFile(filepath.Join(filepath.Dir(file), "label.cue"))
			require.NoError(t, err)
			_, fields, _ := strings.Cut(string(schema), "#Settings: {\n")
			fields, _, _ = strings.Cut(fields, "\n}")
			for line := range strings.Lines(fields) { // those at the top of the schema
				if found := atTop.FindStringSubmatch(line); found != nil {
					assert.Regexp(t, "\\| `"+found[1]+"[`.]", own, key)
				}
			}
		}
		require.Contains(t, section(page, "## usage"), "| `history_months` | a whole number, at least 1 and at most 24 | `24` | Number of months of historical meter data; consent covers at most 24. |")
		require.Contains(t, section(page, "## core"), "| `impersonation.allow` |")
	})
}

var atTop = regexp.MustCompile(`^\t([a-z][a-z0-9_]*)[?!]?: `)
