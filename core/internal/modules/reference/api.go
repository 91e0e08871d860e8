package reference

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/module"
)

// access describes who may call an operation, by x-access.
var access = map[module.Access]string{
	module.Customer: "a customer who signed in", module.Staff: "staff who signed in", module.Public: "anybody",
	module.APIKey: "a back office, with an API key", module.Sibling: "other modules",
}

// problems matches the sentences of a description that name the problems of an operation.
var problems = regexp.MustCompile(`(?s)\s*Problems?: (.*)$`)

type document struct {
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

// apiPages returns a page for each OpenAPI document, by path below docs/reference.
func apiPages(root string) (map[string]string, error) {
	found, err := filepath.Glob(filepath.Join(root, "schemas/openapi/*.json"))
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	index := "# API\n\n" + generated + "The operations of the modules of this program, out of their OpenAPI documents in `schemas/openapi`. A portal serves those of its own modules, without the ones for other modules, at `/api/v0/openapi.json`.\n\n" +
		"A response that is not a success is a problem, `application/problem+json`, with `status`, `code` (also the id of the text that the customer sees), `detail` (an English sentence for developers) and, for fields of the request, `errors`. " +
		"A field of a request is required and a field of a response is present, unless its type says optional. A value may be `null` where its type says so: a list that has no entries, or a value that is not known. `lines[].amount` is the field `amount` of each object in the list `lines`, `<name>` any name.\n\n" +
		"## Address\n\nThe base address of a label is its own host: `https://<host of the label>/api/v0`. Behind an address that no label owns, name the host in the header `X-PORTAL-BRANDING`. " +
		"A host or header of no label is refused with `unknown_label`, a header that contradicts the host with `label_mismatch`. " +
		"In a demo it is `http://<label>.localhost:8080/api/v0`.\n\n" +
		"## Authentication\n\n" +
		"The access of an operation says who may call it. Anybody calls those \"for anybody\" without credentials. All others need the header `Authorization: Bearer …`; without it, or when it has expired, the answer is 401, and 403 when the caller may not.\n\n" +
		"- **Customers and staff** send the `id_token` of [signIn](core.md#signin). It lives for `expires_in` seconds, and ends with its session.\n" +
		"- **The browser** gets a session cookie (`HttpOnly`, `SameSite=Strict`, path `/api/v0/auth`) with it, with which [refresh](core.md#refresh) returns the next `id_token`. Only operations below `/auth` read the cookie. They refuse calls from other origins, by the headers `Sec-Fetch-Site` and `Origin`, so that no operation needs a CSRF token: the others accept no cookie at all.\n" +
		"- **A back office** sends an API key, `wk_…`, that `wattle keys add` printed, with the scope in `x-scope` ([how to](../../operations.md)).\n" +
		"- **Other modules** call `http://<key>/…` with `Host.Client`, without credentials.\n\n" +
		"With curl, in a demo, whose labels and accounts `wattle demo accounts` lists:\n\n```text\n" +
		"api=http://LABEL.localhost:8080/api/v0\n" +
		"token=$(curl -s $api/auth/sign-in -H 'Content-Type: application/json' -d '{\"username\": \"NAME\", \"password\": \"PASSWORD\"}' | sed 's/.*\"id_token\":\"\\([^\"]*\\)\".*/\\1/')\n" +
		"curl $api/relations -H \"Authorization: Bearer $token\"\n```\n\n" +
		"## Modules\n\n" +
		"| module | operations | for |\n|---|---|---|\n"
	for _, file := range found {
		key := strings.TrimSuffix(filepath.Base(file), ".json")
		var doc document
		if err := read(file, &doc); err != nil {
			return nil, err
		}
		page, count, whom := apiPage(key, doc)
		name := key + ".md"
		out["api/"+name] = page
		index += fmt.Sprintf("| [%s](%s) | %d | %s |\n", key, name, count, strings.Join(whom, "; "))
	}
	out["api/README.md"] = index
	return out, nil
}

func apiPage(key string, doc document) (page string, count int, whom []string) {
	var b strings.Builder
	fmt.Fprintf(&b, "# API of %s\n\n%sThe document for tools is `schemas/openapi/%s.json`; [what all operations share](README.md).\n", key,
		generated, key)
	if key == "core" {
		b.WriteString("The operations for other modules are in [services.md](../services.md).\n")
	}
	groups, shown := map[string]bool{}, tables{}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			op := doc.Paths[path][method]
			if key == "core" && op.Access == module.Sibling {
				continue
			}
			count++
			groups[access[op.Access]] = true
			at := "/api/v0" + path
			if op.Access == module.Sibling {
				at = "http://" + key + path
			}
			text, codes := op.Description, ""
			if m := problems.FindStringSubmatch(text); m != nil {
				text, codes = strings.TrimSuffix(text, m[0]), m[1]
			}
			fmt.Fprintf(&b, "\n## %s\n\n`%s %s`: %s.\n", op.ID, strings.ToUpper(method), at, cell(strings.TrimSuffix(op.Summary, ".")))
			if text != "" {
				fmt.Fprintf(&b, "\n%s\n", cell(text))
			}
			if len(op.Parameters) > 0 || codes != "" {
				b.WriteString("\n")
			}
			for _, p := range op.Parameters {
				b.WriteString(p.line())
			}
			if codes != "" {
				fmt.Fprintf(&b, "- problems: %s\n", cell(codes))
			}
			for _, kind := range slices.Sorted(maps.Keys(op.Body.Content)) {
				b.WriteString(shown.body("Request", op.ID, kind, op.Body.Content[kind].Schema, doc.Components.Schemas))
			}
			for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
				if status == "default" {
					continue // a problem, which the index page describes
				}
				for _, kind := range slices.Sorted(maps.Keys(op.Responses[status].Content)) {
					if kind == "application/problem+json" {
						continue // described on the index page too
					}
					b.WriteString(shown.body("Response "+status, op.ID, kind, op.Responses[status].Content[kind].Schema, doc.Components.Schemas))
				}
				if len(op.Responses[status].Content) == 0 {
					fmt.Fprintf(&b, "\nResponse %s: nothing.\n", status)
				}
			}
		}
	}
	return b.String(), count, slices.Sorted(maps.Keys(groups))
}

// tables records which body schemas already have a table on the page: the heading of the operation and the title of the table, by schema.
type tables map[string][2]string

// body returns a table of the fields of a body, or a link to an earlier table of the same schema.
func (t tables) body(what, id, kind string, s schema, all map[string]schema) string {
	in, _ := s.inner(all)
	switch {
	case kind != "application/json" && len(in.Properties) == 0:
		return fmt.Sprintf("\n%s: `%s`.\n", what, kind)
	case len(in.Properties) == 0 && s.Items == nil && s.ByName.schema == nil:
		return fmt.Sprintf("\n%s: %s.\n", what, cell(s.words()))
	}
	if kind != "application/json" {
		what += ", `" + kind + "`"
	}
	key := s.words()
	if at, known := t[key]; known && (s.Ref != "" || s.Items != nil && s.Items.Ref != "") {
		return fmt.Sprintf("\n%s: the fields of %s of [%s](#%s).\n", what, strings.ToLower(at[1]), at[0], strings.ToLower(at[0]))
	}
	t[key] = [2]string{id, what}
	return fmt.Sprintf("\n%s:\n\n%s", what, fields(s, all))
}
