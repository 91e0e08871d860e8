package reference

//go:generate go test . -run TestPagesOfReference|TestPageOfASVS -update

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/module"
)

const root, folder = "../../../..", "docs/reference"

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

// TestPagesOfReference compares the pages with the current sources, and checks that they contain everything required.
func TestPagesOfReference(t *testing.T) {
	pages, err := Pages(root)
	require.NoError(t, err)
	for name, text := range pages {
		if *update {
			require.NoError(t, os.MkdirAll(filepath.Join(root, folder, filepath.Dir(name)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(root, folder, name), []byte(text), 0o644))
			continue
		}
		assert.Equal(t, committed(t, name), text, "%s is stale: run make generate", name)
	}

	t.Run("10-reference-services", func(t *testing.T) {
		page := committed(t, "services.md")
		var doc document
		require.NoError(t, read(filepath.Join(root, "schemas/openapi/core.json"), &doc))
		count := 0
		for path, methods := range doc.Paths {
			for method, op := range methods {
				if op.Access != module.Sibling {
					assert.NotContains(t, page, "### "+op.ID+"\n", "it is not for modules")
					continue
				}
				count++
				permission := strings.Split(path, "/")[1]
				own := section(section(page, "## "+permission), "### "+op.ID)
				assert.Contains(t, own, "`"+strings.ToUpper(method)+" http://core"+path+"`", "below its permission")
				assert.Contains(t, own, op.Summary)
				bodies := []map[string]media{op.Body.Content}
				for _, response := range op.Responses {
					bodies = append(bodies, response.Content)
				}
				for _, body := range bodies {
					for _, name := range topFields(body["application/json"].Schema, doc.Components.Schemas) {
						assert.Contains(t, own, "| `"+name, op.ID)
					}
				}
			}
		}
		require.Greater(t, count, 10)
		require.Contains(t, section(section(page, "## limits"), "### takeLimit"), "| `key` | string |")
	})

	t.Run("11-reference-api", func(t *testing.T) {
		files, err := filepath.Glob(filepath.Join(root, "schemas/openapi/*.json"))
		require.NoError(t, err)
		count := 0
		for _, file := range files {
			key := strings.TrimSuffix(filepath.Base(file), ".json")
			page := committed(t, "api/"+key+".md")
			require.Contains(t, committed(t, "api/README.md"), "| ["+key+"]("+key+".md) |")
			var doc document
			require.NoError(t, read(file, &doc))
			for path, methods := range doc.Paths {
				for method, op := range methods {
					own := section(page, "## "+op.ID)
					if key == "core" && op.Access == module.Sibling {
						assert.Empty(t, own, "it is in services.md")
						continue
					}
					count++
					assert.Contains(t, own, "`"+strings.ToUpper(method)+" ", op.ID)
					assert.Contains(t, own, path+"`: "+cell(strings.TrimSuffix(op.Summary, "."))+".", op.ID)
					text, says, _ := strings.Cut(strings.Replace(op.Description, "Problems: ", "Problem: ", 1), "Problem: ")
					assert.Contains(t, own, cell(strings.TrimSpace(text)), op.ID)
					assert.Equal(t, says != "", strings.Contains(own, "\n- problems: "+cell(says)+"\n"), op.ID)
					bodies := map[string]map[string]media{"Request": op.Body.Content}
					for status, response := range op.Responses {
						if status != "default" {
							bodies["Response "+status] = response.Content
						}
					}
					for what, contents := range bodies {
						for kind, one := range contents {
							if kind == "application/problem+json" {
								continue
							}
							_, table, found := strings.Cut(own, "\n"+what)
							assert.True(t, found, "%s of %s", what, op.ID)
							table, _, _ = strings.Cut(table, "\nResponse ")
							in, _ := one.Schema.inner(doc.Components.Schemas)
							for name := range in.Properties {
								shown := strings.Contains(table, name) || strings.Contains(table, ": the fields of ")
								assert.True(t, shown || name == "$schema", "%s of %s: %s", what, op.ID, name)
							}
						}
						if len(contents) == 0 && what != "Request" {
							assert.Contains(t, own, "\n"+what+": nothing.\n", op.ID)
						}
					}
					for _, p := range op.Parameters {
						assert.Contains(t, own, "- `"+p.Name+"` in the "+p.In, op.ID)
						assert.NotContains(t, own, ". \n", op.ID)
					}
				}
			}
		}
		require.Greater(t, count, 150)
		for _, said := range []string{"`X-PORTAL-BRANDING`", "Authorization: Bearer $token", "no operation needs a CSRF token", "`wk_…`"} {
			require.Contains(t, committed(t, "api/README.md"), said, "the address of a label, and how a caller authenticates")
		}
		require.Contains(t, section(committed(t, "api/marketplace.md"), "## useSandbox"),
			"| `do` | string, optional | pay, cancel, fail or expire", "the fields of a form")
		require.Contains(t, committed(t, "api/usage.md"), "number or null |")
		change := section(committed(t, "api/billing.md"), "## changeAgreementPeriodical")
		require.Contains(t, change, "| `request_periodical_payment_amount` | number | Requested term amount in euros per month")
		agreements := section(committed(t, "api/billing.md"), "## listAgreements")
		require.Contains(t, agreements, "| `[].addresses[].connections[].ean_code` | string | EAN code of the connection, 18 digits |")
		require.Contains(t, change, "- problems: 400 with codes billing.amount_* or billing.agreement_required;")
		require.Contains(t, change, "`PUT /api/v0/agreements/periodical`: Request a change of a term amount.\n\nFor customers, not during impersonation.")
	})

	t.Run("10-reference-events", func(t *testing.T) {
		page := committed(t, "events.md")
		files, err := filepath.Glob(filepath.Join(root, "schemas/asyncapi/*.json"))
		require.NoError(t, err)
		count, docs, handlers := 0, map[string]asyncDocument{}, map[string][]string{}
		for _, file := range files {
			var doc asyncDocument
			require.NoError(t, read(file, &doc))
			docs[file] = doc
			for name := range doc.Operations {
				if event, is := strings.CutPrefix(name, "handle."); is {
					handlers[event] = append(handlers[event], strings.TrimSuffix(filepath.Base(file), ".json"))
				}
			}
		}
		for _, file := range files {
			doc := docs[file]
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
				handled := "no module of this repository"
				if by := handlers[event]; len(by) > 0 {
					slices.Sort(by)
					handled = strings.Join(by, ", ")
				}
				assert.Contains(t, own, "- handled by: "+handled+"\n", event)
				for _, part := range doc.Components.Messages[event].Payload.AllOf {
					if key := part.Properties["key"].Description; key != "" {
						assert.Contains(t, own, "- key: "+key, event)
					}
					if data, is := part.Properties["data"]; is {
						all := topFields(data, doc.Components.Schemas)
						assert.Equal(t, len(all) == 0, strings.Contains(own, "- data: none\n"), event)
						for _, field := range all {
							assert.Contains(t, own, "| `"+field, event)
						}
					}
				}
				assert.Equal(t, len(doc.Components.Messages[event].Tags) == 0, strings.Contains(own, "- webhook: yes\n"),
					"%s: an internal event is not meant for webhooks", event)
			}
		}
		require.Greater(t, count, 30)
		effective := section(section(page, "## billing"), "### billing.iban_effective")
		require.Contains(t, effective, "| `bank_account_number` | string | IBAN |")
		require.Contains(t, effective, "- handled by: account\n")
		require.Regexp(t, `(?s)\*\*Delivery to modules\.\*\*[^\n]*at least once and in any order.*\*\*Delivery to back offices\.\*\*[^\n]*at least once and in any order`,
			page)
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
			for line := range strings.Lines(fields) { // the fields at the top level of the schema
				if found := atTop.FindStringSubmatch(line); found != nil {
					assert.Regexp(t, "\\| `"+found[1]+"[`.]", own, key)
				}
			}
		}
		require.Contains(t, section(page, "## usage"),
			"| `history_months` | a whole number, at least 1 and at most 24 | `24` | Number of months of historical meter data; consent covers at most 24. |")
		require.Contains(t, section(page, "## core"), "| `impersonation.allow` |")
	})
}

// topFields returns the field names of a schema, or of the items of a list.
func topFields(s schema, all map[string]schema) []string {
	if s.Ref != "" {
		s = all[strings.TrimPrefix(s.Ref, refPrefix)]
	}
	if s.Items != nil {
		return nil // list items have the prefix []
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.Properties)), func(name string) bool { return name == "$schema" })
}

var atTop = regexp.MustCompile(`^\t([a-z][a-z0-9_]*)[?!]?: `)

func TestFields(t *testing.T) {
	t.Run("10-reference-services,10-reference-events", func(t *testing.T) {
		all := map[string]schema{}
		require.NoError(t, json.Unmarshal([]byte(`{
			"Boxes": {"type": "array", "items": {"$ref": "#/components/schemas/Box"}},
			"Box": {"properties": {"data": {"description": "Anything"}, "until": {"type": ["string", "null"], "format": "date"}}, "required": ["data"]},
			"Names": {"type": ["array", "null"], "items": {"type": "string"}}
		}`), &all))
		const head = "| field | type | what it is |\n|---|---|---|\n"
		for range 2 { // the second time returns the same, because a schema is described wherever it is used
			assert.Equal(t, head+"| `data` | any JSON | Anything |\n| `until` | string, date or null, optional |  |\n", fields(all["Box"], all))
			assert.Equal(t, head+"| `[].data` | any JSON | Anything |\n| `[].until` | string, date or null, optional |  |\n",
				fields(all["Boxes"], all))
			assert.Equal(t, head+"| `[]` | string |  |\n", fields(all["Names"], all))
		}
	})
	t.Run("11-reference-api", func(t *testing.T) {
		all := map[string]schema{}
		require.NoError(t, json.Unmarshal([]byte(`{
			"Page": {"properties": {"lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}, "description": "Its lines"}}, "required": ["lines"]},
			"Line": {"description": "A line", "properties": {"amount": {"type": "number", "description": "In euros"}, "state": {"enum": ["OPEN", "PAID"], "description": "Paid or not"}}, "required": ["amount", "state"]},
			"Answer": {"properties": {
				"by": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Line"}, "description": "Lines by name"},
				"counts": {"type": "object", "additionalProperties": {"type": "integer"}, "description": "How many"},
				"last": {"$ref": "#/components/schemas/Line"},
				"token": {"oneOf": [{"$ref": "#/components/schemas/Line"}, {"type": "string"}], "description": "Either"},
				"any": {"type": "object", "additionalProperties": true, "description": "Anything"}
			}, "required": ["by", "counts", "last", "token", "any"]}
		}`), &all))
		const head, amount, state = "| field | type | what it is |\n|---|---|---|\n", "amount` | number | In euros |\n",
			"state` | \"OPEN\" or \"PAID\" | Paid or not |\n"
		assert.Equal(t, head+"| `lines[]` | list of object | Its lines |\n| `lines[]."+amount+"| `lines[]."+state, fields(all["Page"], all))
		assert.Equal(t, head+"| `any` | object | Anything |\n| `by` | object by name | Lines by name |\n| `by.<name>."+amount+"| `by.<name>."+
			state+
			"| `counts` | integer by name | How many |\n| `last` | object | A line |\n| `last."+amount+"| `last."+state+
			"| `token` | object or string | Either |\n| `token."+amount+"| `token."+state, fields(all["Answer"], all))
		named := schema{ByName: byName{&schema{Ref: refPrefix + "Line"}}}
		assert.Equal(t, head+"| `<name>."+amount+"| `<name>."+state, fields(named, all))

		shown, page := tables{}, schema{Ref: refPrefix + "Page"}
		assert.Contains(t, shown.body("Response 200", "getPage", "application/json", page, all), "\nResponse 200:\n\n"+head)
		assert.Equal(t, "\nRequest: the fields of response 200 of [getPage](#getpage).\n",
			shown.body("Request", "putPage", "application/json", page, all))
		assert.Equal(t, "\nResponse 200: a file.\n", shown.body("Response 200", "getLogo", "application/json",
			schema{Type: "string", Encoding: "base64"}, all))
		assert.Equal(t, "\nResponse 200: `text/csv`.\n", shown.body("Response 200", "getFile", "text/csv", schema{Type: "string"}, all))
		assert.Equal(t, "- `q` in the query, string, optional: What to look for\n",
			parameter{Name: "q", In: "query", Description: "What to look for", Schema: schema{Type: "string"}}.line())
		assert.Equal(t, "- `id` in the path, string\n", parameter{Name: "id", In: "path", Required: true, Schema: schema{Type: "string"}}.line())
	})
	t.Run("10-reference-settings", func(t *testing.T) {
		assert.Equal(t, "an `<a>` with \\|, not &lt;b>", cell("an `<a>` with |, not <b>"), "code is shown as it is written")
		assert.Equal(t, "a text, of the form `^[^\\s]+$`", inWords(`a text, of the form "^[^\\s]+$"`))
		assert.Equal(t, "a text, of the form `^\\d$`", inWords(`a text, of the form #"^\d$"#`))
	})
}

// undescribed returns the fields of a schema below at that have no description. A field that refers to a schema may use the description of
// that schema.
func undescribed(s schema, at string, all map[string]schema) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		if name != "$schema" && p.about(all) == "" {
			out = append(out, at+"."+name)
		}
		out = append(out, undescribed(p, at+"."+name, all)...)
	}
	for _, inner := range append(append(slices.Clone(s.OneOf), s.AllOf...), deref(s.Items)...) {
		out = append(out, undescribed(inner, at, all)...)
	}
	return append(out, undescribedIn(s.ByName.schema, at, all)...)
}

func deref(s *schema) []schema {
	if s == nil {
		return nil
	}
	return []schema{*s}
}

func undescribedIn(s *schema, at string, all map[string]schema) []string {
	if s == nil {
		return nil
	}
	return undescribed(*s, at, all)
}

// TestDescriptions fails if a field, parameter or operation in the reference has no description.
func TestDescriptions(t *testing.T) {
	t.Run("11-reference-described", func(t *testing.T) {
		all := map[string]schema{"Line": {Description: "A line", Properties: map[string]schema{"amount": {}}},
			"Other": {Properties: map[string]schema{"id": {Description: "Id"}}}}
		one := schema{Properties: map[string]schema{
			"lines": {Description: "Lines", Items: &schema{Properties: map[string]schema{"text": {}}}},
			"by":    {Description: "By name", ByName: byName{&schema{Properties: map[string]schema{"count": {}}}}},
			"line":  {Ref: refPrefix + "Line"}, "other": {Ref: refPrefix + "Other"},
		}}
		require.Equal(t, []string{"One.by.count", "One.lines.text", "One.other"}, undescribed(one, "One", all), "what the test below looks for")
	})
	t.Run("11-reference-described", func(t *testing.T) {
		openapi, err := filepath.Glob(filepath.Join(root, "schemas/openapi/*.json"))
		require.NoError(t, err)
		require.Greater(t, len(openapi), 5)
		for _, file := range openapi {
			var doc document
			require.NoError(t, read(file, &doc))
			name := filepath.Base(file)
			for key, one := range doc.Components.Schemas {
				assert.Empty(t, undescribed(one, key, doc.Components.Schemas), "%s: fields without a description: add doc:\"…\" to the Go struct", name)
			}
			for _, methods := range doc.Paths {
				for _, op := range methods {
					bodies := []map[string]media{op.Body.Content}
					for _, response := range op.Responses {
						bodies = append(bodies, response.Content)
					}
					for _, body := range bodies {
						for _, one := range body {
							assert.Empty(t, undescribed(one.Schema, op.ID, doc.Components.Schemas), name)
						}
					}
					for _, p := range op.Parameters {
						assert.NotEmpty(t, p.Description, "%s: parameter %s of %s has no description: add doc:\"…\" to the Go struct", name, p.Name, op.ID)
					}
				}
			}
		}
		asyncapi, err := filepath.Glob(filepath.Join(root, "schemas/asyncapi/*.json"))
		require.NoError(t, err)
		for _, file := range asyncapi {
			var doc asyncDocument
			require.NoError(t, read(file, &doc))
			for key, one := range doc.Components.Schemas {
				assert.Empty(t, undescribed(one, key, doc.Components.Schemas), "%s: fields without a description: add doc:\"…\" to the Go struct",
					filepath.Base(file))
			}
			for key, message := range doc.Components.Messages {
				for _, part := range message.Payload.AllOf {
					if data, ok := part.Properties["data"]; ok {
						assert.Empty(t, undescribed(data, key, doc.Components.Schemas), filepath.Base(file))
					}
				}
			}
		}
	})
	t.Run("11-reference-described", func(t *testing.T) {
		sections, err := readSettings(root)
		require.NoError(t, err)
		require.Greater(t, len(sections), 5)
		for _, section := range sections {
			by := map[string]string{}
			for _, s := range section.all {
				assert.NotEmpty(t, s.Doc, "%s: setting %s has no comment", section.file, s.Path)
				last := s.Path[strings.LastIndex(s.Path, ".")+1:]
				if other, known := by[s.Doc]; known && other != last {
					assert.Fail(t, "two settings share a comment", "%s: %s: %s", section.file, s.Path, s.Doc)
				}
				by[s.Doc] = last
			}
		}
	})
}
