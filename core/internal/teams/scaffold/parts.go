package scaffold

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/internal/modules/asyncapi"
	"github.com/wattle-portal/wattle/core/module"
)

// Parts are what a new module can have in addition to a page with a form, its operations and its table.
var Parts = []string{"import", "mail", "staff", "job", "change", "event", "setting", "tile"}

// ErrPart is returned for a part that does not exist.
var ErrPart = errors.New("scaffold: the parts are " + strings.Join(Parts, ", ") + ", or all")

// has reports whether the module has one of the parts of a region: "mail", or "event,job".
func (m Module) has(region string) bool {
	return slices.ContainsFunc(strings.Split(region, ","), func(p string) bool { return slices.Contains(m.With, p) })
}

// marker matches a line of the template that begins or ends the region of a part: "// {mail}", "// {/mail}". The whole file is the region
// if nothing is outside of it.
var marker = regexp.MustCompile(`^\s*(?://|--|#|\{/\*|<!--) \{(/?)([a-z]+(?:,[a-z]+)*)\}(?: \*/\}| -->)?\n?$`)

var blankLines = regexp.MustCompile(`\n{3,}`)

// choose returns a file of the template without the regions of parts that the module does not have, and without their markers.
func (m Module) choose(text string) (string, error) {
	var out strings.Builder
	var open []string
	for line := range strings.Lines(text) {
		found := marker.FindStringSubmatch(line)
		switch {
		case found == nil:
			if !slices.ContainsFunc(open, func(region string) bool { return !m.has(region) }) {
				out.WriteString(line)
			}
		case found[1] == "":
			open = append(open, found[2])
		case len(open) == 0 || open[len(open)-1] != found[2]:
			return "", fmt.Errorf("a region ends that did not begin: %s", found[2])
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return "", fmt.Errorf("a region does not end: %s", open[0])
	}
	chosen := strings.TrimSpace(blankLines.ReplaceAllString(out.String(), "\n\n"))
	if chosen != "" {
		chosen += "\n"
	}
	return chosen, nil
}

// ofMail are the files of part mail that cannot contain markers.
var ofMail = []string{"modules/" + template + "/messages/nl.json", "modules/" + template + "/messages/en.json",
	"modules/" + template + "/testdata/mails.json"}

// reduce removes from the chosen files what only other parts need: imports, texts, and the descriptions of operations.
func (m Module) reduce(out map[string]string) error {
	var code, screens strings.Builder // of the Go half, and of the React half
	for name, text := range out {
		if text == "" || !m.has("mail") && slices.Contains(ofMail, name) {
			delete(out, name)
			continue
		}
		var err error
		switch path.Ext(name) {
		case ".go":
			out[name], err = usedGoImports(text)
		case ".ts", ".tsx":
			out[name] = usedImports(text)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		switch {
		case strings.HasPrefix(name, "modules/") && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			code.WriteString(out[name])
		case strings.HasPrefix(path.Ext(name), ".ts") && !strings.Contains(name, ".test.") && !strings.Contains(name, ".gen."):
			screens.WriteString(out[name])
		}
	}
	for _, locale := range []string{"nl", "en"} {
		name := "remotes/" + template + "/src/messages/" + locale + ".json"
		texts, err := usedTexts(out[name], screens.String())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		out[name] = texts
	}
	const document, types = "schemas/openapi/" + template + ".json", "remotes/" + template + "/src/api.gen.ts"
	text, removed, err := usedOperations(out[document], code.String())
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	out[document] = text
	out[types] = without(out[types], removed)
	events, err := m.events()
	out["schemas/asyncapi/"+template+".json"] = string(events)
	return err
}

var versionPart = regexp.MustCompile(`^v\d+$`)

// usedGoImports returns a Go file without the imports that it does not use. The name of a package is the last part of its path.
func usedGoImports(text string) (string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	lines := strings.SplitAfter(text, "\n")
	for _, i := range file.Imports {
		imported := strings.Trim(i.Path.Value, `"`)
		name := path.Base(imported)
		if versionPart.MatchString(name) {
			name = path.Base(path.Dir(imported))
		}
		if !used[name] {
			lines[set.Position(i.Pos()).Line-1] = ""
		}
	}
	text = strings.Join(lines, "")
	text = strings.ReplaceAll(blankLines.ReplaceAllString(text, "\n\n"), "import (\n\n", "import (\n")
	if head, rest, isList := strings.Cut(text, "\n)\n"); isList {
		text = strings.Replace(strings.TrimRight(head, "\n")+"\n)\n"+rest, "import (\n)\n\n", "", 1)
	}
	formatted, err := format.Source([]byte(text))
	return string(formatted), err
}

var (
	namedImport   = regexp.MustCompile(`(?m)^import (type )?\{([^}]*)\} from ('[^']+');\n`)
	defaultImport = regexp.MustCompile(`(?m)^import (\w+) from '[^']+';\n`)
)

// maxScriptLine is the maximum length of a line of TypeScript, as in biome.json.
const maxScriptLine = 130

// usedImports returns a TypeScript file without the names that it imports and does not use.
func usedImports(text string) string {
	rest := defaultImport.ReplaceAllString(namedImport.ReplaceAllString(text, ""), "")
	isUsed := func(name string) bool { return regexp.MustCompile(`\b` + name + `\b`).MatchString(rest) }
	text = namedImport.ReplaceAllStringFunc(text, func(statement string) string {
		found := namedImport.FindStringSubmatch(statement)
		var used []string
		for _, name := range strings.Split(found[2], ",") {
			if name = strings.TrimSpace(name); name != "" && isUsed(strings.TrimPrefix(name, "type ")) {
				used = append(used, name)
			}
		}
		if len(used) == 0 {
			return ""
		}
		kind := found[1]
		if kind == "" && !slices.ContainsFunc(used, func(name string) bool { return !strings.HasPrefix(name, "type ") }) {
			kind = "type "
			for i := range used {
				used[i] = strings.TrimPrefix(used[i], "type ")
			}
		}
		line := "import " + kind + "{ " + strings.Join(used, ", ") + " } from " + found[3] + ";"
		if len(line) > maxScriptLine {
			line = "import " + kind + "{\n  " + strings.Join(used, ",\n  ") + ",\n} from " + found[3] + ";"
		}
		return line + "\n"
	})
	return defaultImport.ReplaceAllStringFunc(text, func(statement string) string {
		if isUsed(defaultImport.FindStringSubmatch(statement)[1]) {
			return statement
		}
		return ""
	})
}

var textLine = regexp.MustCompile(`^  ("[^"]+"): .*?,?\n?$`)

// usedTexts returns a file of messages without those whose id is not in the code.
func usedTexts(messages, code string) (string, error) {
	var used []string
	for line := range strings.Lines(messages) {
		id := textLine.FindStringSubmatch(line)
		if id == nil {
			continue
		}
		if name := strings.Trim(id[1], `"`); strings.Contains(code, "'"+name+"'") || strings.Contains(code, id[1]) {
			used = append(used, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), ","))
		}
	}
	out := "{\n" + strings.Join(used, ",\n") + "\n}\n"
	if !json.Valid([]byte(out)) {
		return "", errors.New("it does not have one text on each line")
	}
	return out, nil
}

// removal names what was removed from a document.
type removal struct{ paths, operations, schemas []string }

// usedOperations returns an OpenAPI document without the operations that the code does not register, and without the schemas that only
// those need.
func usedOperations(document, code string) (string, removal, error) {
	var gone removal
	var d struct {
		Components struct {
			Schemas map[string]any `json:"schemas"`
		} `json:"components"`
		Info    any                                  `json:"info"`
		OpenAPI string                               `json:"openapi"`
		Paths   map[string]map[string]map[string]any `json:"paths"`
	}
	r := json.NewDecoder(strings.NewReader(document))
	r.UseNumber()
	if err := r.Decode(&d); err != nil {
		return "", gone, err
	}
	isRegistered := func(id string) bool {
		return strings.Contains(code, `"`+id+`"`) || id == "decideChange" && strings.Contains(code, "module.Decisions(")
	}
	used := map[string]bool{}
	if strings.Contains(code, "module.ShowSettings[") {
		use("#/components/schemas/BrowserSettings", d.Components.Schemas, used)
	}
	for at, methods := range d.Paths {
		for method, op := range methods {
			id, _ := op["operationId"].(string)
			if isRegistered(id) {
				use(op, d.Components.Schemas, used)
				continue
			}
			delete(methods, method)
			gone.operations = append(gone.operations, id)
		}
		if len(methods) == 0 {
			delete(d.Paths, at)
			gone.paths = append(gone.paths, at)
		}
	}
	for name := range d.Components.Schemas {
		if !used[name] {
			delete(d.Components.Schemas, name)
			gone.schemas = append(gone.schemas, name)
		}
	}
	out, err := json.MarshalIndent(d, "", "  ")
	return string(out) + "\n", gone, err
}

// use records the schemas to which a value of a document refers, also through other schemas.
func use(value any, schemas map[string]any, used map[string]bool) {
	switch v := value.(type) {
	case string:
		if name, is := strings.CutPrefix(v, "#/components/schemas/"); is && !used[name] {
			used[name] = true
			use(schemas[name], schemas, used)
		}
	case []any:
		for _, x := range v {
			use(x, schemas, used)
		}
	case map[string]any:
		for _, x := range v {
			use(x, schemas, used)
		}
	}
}

// without returns the types for the browser without those of removed operations and schemas.
func without(types string, gone removal) string {
	block := func(indent, name string) {
		types = regexp.MustCompile(`(?ms)^`+indent+regexp.QuoteMeta(name)+`: \{\n.*?^`+indent+`\};\n`).ReplaceAllString(types, "")
	}
	for _, at := range gone.paths {
		block("    ", `"`+at+`"`)
	}
	for _, id := range gone.operations {
		block("    ", id)
	}
	for _, name := range gone.schemas {
		block("        ", name)
	}
	return types
}

// added is the data of the event of the template, <key>api.Added.
type added struct {
	Relation string `json:"relation_id" doc:"Id of the relation that added the note"`
}

// events returns the document of the events of the new module.
func (m Module) events() ([]byte, error) {
	type Added added // the name of its schema
	d := module.Manifest{Key: m.Key, Version: firstVersion}
	if m.has("event") {
		d.Publishes = append(d.Publishes, event.Of[Added](m.Key+".note_added", "Id of the note", "A customer added a note"))
	}
	if m.has("job") {
		d.Publishes = append(d.Publishes, event.Scheduled(m.Key+".night", "A night: old notes are deleted"))
		d.Handles = []string{m.Key + ".night"}
	}
	return asyncapi.Document(d)
}

var (
	tsPath      = regexp.MustCompile(`(?ms)^    "/([^/"\n]+)[^\n]*": \{\n.*?^    \};\n`)
	tsOperation = regexp.MustCompile(`(?ms)^    ([a-zA-Z]+): \{\n.*?^    \};\n`)
	tsUse       = regexp.MustCompile(`operations\["([a-zA-Z]+)"\]`)
)

// sortedTypes returns the browser's types in the order of openapi-typescript: paths below /staff come before or after those below the key,
// and operations are in the order of their paths.
func sortedTypes(types []byte) []byte {
	head, operations, found := bytes.Cut(types, []byte("export interface operations {\n"))
	if !found {
		return types
	}
	paths := tsPath.FindAll(head, -1)
	first := func(block []byte) []byte { return tsPath.FindSubmatch(block)[1] }
	slices.SortStableFunc(paths, func(a, b []byte) int { return bytes.Compare(first(a), first(b)) })
	next := 0
	head = tsPath.ReplaceAllFunc(head, func([]byte) []byte {
		next++
		return paths[next-1]
	})
	var order []string
	for _, use := range tsUse.FindAllSubmatch(head, -1) {
		order = append(order, string(use[1]))
	}
	blocks := tsOperation.FindAll(operations, -1)
	id := func(block []byte) int { return slices.Index(order, string(tsOperation.FindSubmatch(block)[1])) }
	slices.SortStableFunc(blocks, func(a, b []byte) int { return id(a) - id(b) })
	return slices.Concat(head, []byte("export interface operations {\n"), bytes.Join(blocks, nil), []byte("}\n"))
}
