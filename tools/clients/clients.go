// Package clients generates the clients with which modules call siblings: modules/<key>/<key>api for every module, and core/coreapi, from
// the OpenAPI documents in schemas/openapi. Types come from oapi-codegen; each call is one line that calls core/call.
// It is a separate Go module, so that the portal does not depend on the generator.
package clients

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
)

//go:embed client.tmpl
var clientTemplate string

//go:embed imports.tmpl
var importsTemplate string

// core is the key of core's own operations. The browser calls most of those; modules also call labelInfo.
const (
	core = "core"
	info = "labelInfo"
)

// none replaces a template whose output is not needed. (An empty template would not replace it; a single line would be taken for a path.)
const none = "{{``}}\n"

// types are the Go types for strings and numbers in a document. A number without a format is an amount of euros or of energy, which must
// not be a float: json.Number keeps the exact text.
var types = codegen.TypeMapping{
	Number: codegen.FormatMapping{Default: codegen.SimpleTypeSpec{Type: "json.Number"}},
	String: codegen.FormatMapping{Default: codegen.SimpleTypeSpec{Type: "string"}, Formats: map[string]codegen.SimpleTypeSpec{
		"date": {Type: "value.Day"}, "email": {Type: "string"}, "uuid": {Type: "string"}, "duration": {Type: "string"}}},
}

func init() {
	codegen.TemplateFunctions["address"] = address
	codegen.TemplateFunctions["answer"] = answer
	codegen.TemplateFunctions["arguments"] = arguments
	codegen.TemplateFunctions["body"] = body
	codegen.TemplateFunctions["module"] = func(name string) string { return strings.TrimSuffix(name, "api") }
}

// Files returns the generated files, keyed by their path from the root of the repository.
func Files(root string) (map[string]string, error) {
	documents, err := filepath.Glob(filepath.Join(root, "schemas/openapi/*.json"))
	if err != nil || len(documents) == 0 {
		return nil, fmt.Errorf("no documents: %w", cmp.Or(err, os.ErrNotExist))
	}
	out := map[string]string{}
	for _, document := range documents {
		key := strings.TrimSuffix(filepath.Base(document), ".json")
		file := "modules/" + key + "/" + key + "api/client.gen.go"
		if key == core {
			file = "core/coreapi/client.gen.go"
		}
		text, err := read(key, document, filepath.Join(root, filepath.Dir(file)))
		if err != nil {
			return nil, err
		}
		if text != "" {
			out[file] = text
		}
	}
	return out, nil
}

// File returns the client of a module in a separate repository, given its document and the folder of its package <key>api, which contains
// its events. The result is empty when other modules may call no operation.
func File(key, document, folder string) (string, error) {
	text, err := read(key, document, folder)
	return strings.Replace(text, `"make generate"`, `"wattle modules schema"`, 1), err
}

func read(key, document, folder string) (string, error) {
	spec, err := openapi3.NewLoader().LoadFromFile(document)
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	events, err := os.ReadFile(filepath.Join(folder, "events.go"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	addTags(spec, string(events))
	text, err := client(key, spec)
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	return text, nil
}

// addTags adds the descriptions of fields as tags to types that events use, because the event documents read the tags.
func addTags(spec *openapi3.T, events string) {
	for name, s := range spec.Components.Schemas {
		if !regexp.MustCompile(`[ *\]]` + regexp.QuoteMeta(name) + ` .*json:"`).MatchString(events) {
			continue
		}
		for _, p := range s.Value.Properties {
			if p.Value.Description == "" {
				continue
			}
			if p.Value.Extensions == nil {
				p.Value.Extensions = map[string]any{}
			}
			p.Value.Extensions["x-oapi-codegen-extra-tags"] = map[string]any{"doc": p.Value.Description}
		}
	}
}

// client returns the Go source of the operations in a document that siblings may call; empty when there are none.
func client(key string, spec *openapi3.T) (string, error) {
	var ids []string
	for _, path := range spec.Paths.Map() {
		for _, op := range path.Operations() {
			if isOffered(key, op) {
				ids = append(ids, op.OperationID)
			}
		}
	}
	if len(ids) == 0 {
		return "", nil
	}
	slices.Sort(ids)
	plain(spec)
	return codegen.Generate(spec, codegen.Configuration{
		PackageName: key + "api",
		Generate:    codegen.GenerateOptions{Models: true, Client: true},
		OutputOptions: codegen.OutputOptions{
			IncludeOperationIDs: ids, NameNormalizer: "ToCamelCaseWithInitialisms", AdditionalInitialisms: []string{"EAN", "IBAN", "CSV"},
			PreferSkipOptionalPointer: true, PreferSkipOptionalPointerWithOmitzero: true, TypeMapping: &types,
			UserTemplates: map[string]string{"client.tmpl": clientTemplate, "client-with-responses.tmpl": none, "imports.tmpl": importsTemplate,
				"request-bodies.tmpl": none, "constants.tmpl": none},
		},
	})
}

// isOffered reports whether siblings may call an operation with a generated client: operations for siblings, and reads by customers and the
// public. Excluded are deciding changes, which only core does, and streamed files (core/files).
func isOffered(key string, op *openapi3.Operation) bool {
	answer := op.Responses.Value("200")
	if answer == nil && op.Responses.Value("204") == nil {
		return false
	}
	if answer != nil {
		content := answer.Value.Content["application/json"]
		if content == nil || content.Schema.Value.Type.Is("string") { // a page or a file
			return false
		}
	}
	switch op.Extensions["x-access"] {
	case "sibling":
		return op.OperationID != "decideChange"
	case "customer", "public":
		return op.Extensions["x-effect"] == "read" && (key != core || op.OperationID == info)
	}
	return false
}

// plain removes parts that a caller does not need: enumerations, which become strings, and descriptions of error responses, which
// core/call reads. An optional field is omitted when it is zero, except an empty list, which has a meaning. A nullable field is a pointer.
func plain(spec *openapi3.T) {
	for _, s := range spec.Components.Schemas {
		plainSchema(s)
	}
	for _, path := range spec.Paths.Map() {
		for _, op := range path.Operations() {
			for _, p := range op.Parameters {
				plainSchema(p.Value.Schema)
			}
			for status := range op.Responses.Map() {
				if status != "200" && status != "204" {
					op.Responses.Delete(status)
				}
			}
		}
	}
}

func plainSchema(s *openapi3.SchemaRef) {
	if s == nil || s.Value == nil || s.Ref != "" {
		return
	}
	s.Value.Enum = nil
	plainSchema(s.Value.Items)
	plainSchema(s.Value.AdditionalProperties.Schema)
	for _, p := range s.Value.Properties {
		if p.Value.Extensions == nil {
			p.Value.Extensions = map[string]any{}
		}
		p.Value.Extensions["x-omitempty"] = false
		if p.Value.Type.Includes("null") && !p.Value.Type.Includes("array") {
			p.Value.Extensions["x-go-type-skip-optional-pointer"] = false
		}
		plainSchema(p)
	}
}

// address returns the Go expression of an operation's URL.
func address(key string, o codegen.OperationDefinition) string {
	var parts []string
	rest := "http://" + key + o.Path
	for _, p := range o.PathParams {
		before, after, _ := strings.Cut(rest, "{"+p.ParamName+"}")
		value := p.GoVariableName()
		if p.TypeDef() != "string" {
			value = "fmt.Sprint(" + value + ")"
		}
		parts = append(parts, strconv.Quote(before), "url.PathEscape("+value+")")
		rest = after
	}
	if rest != "" {
		parts = append(parts, strconv.Quote(rest))
	}
	if len(o.QueryParams) > 0 {
		parts = append(parts, "call.Query(params)")
	}
	return strings.Join(parts, "+")
}

// arguments returns the parameters of a call, without its context.
func arguments(o codegen.OperationDefinition) string {
	out := ""
	for _, p := range o.PathParams {
		out += ", " + p.GoVariableName() + " " + p.TypeDef()
	}
	if len(o.QueryParams) > 0 {
		out += ", params " + o.OperationId + "Params"
	}
	if b := body(o); b != "" {
		out += ", in " + b
	}
	return out
}

// body returns the type of the JSON request body of an operation; empty: none.
func body(o codegen.OperationDefinition) string {
	for _, b := range o.Bodies {
		if b.IsJSON() {
			return b.Schema.TypeDecl()
		}
	}
	return ""
}

// answer returns the type of the JSON response of an operation; empty: none.
func answer(o codegen.OperationDefinition) (string, error) {
	all, err := o.GetResponseTypeDefinitions()
	for _, r := range all {
		if r.ResponseName == strconv.Itoa(http.StatusOK) && r.ContentTypeName == "application/json" {
			return r.Schema.TypeDecl(), err
		}
	}
	return "", err
}
