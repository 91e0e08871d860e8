// Package arch tests the rules in CONTRIBUTING.md that the compiler does not check.
package arch

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root, path = "../../../..", "github.com/wattle-portal/wattle/"

// source is a Go file with its imports.
type source struct {
	file, folder string // relative to the root
	imports      []string
	outside      bool // an external test, such as package acme_test
}

func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	require.NoError(t, filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == "node_modules" || strings.HasPrefix(name, ".") && len(name) > 2) {
			return fs.SkipDir
		}
		if filepath.Ext(file) != ".go" {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		s := source{file: filepath.ToSlash(name), folder: filepath.ToSlash(filepath.Dir(name)),
			outside: strings.HasSuffix(parsed.Name.Name, "_test")}
		for _, i := range parsed.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, p)
		}
		out = append(out, s)
		return nil
	}))
	require.Greater(t, len(out), 50, "the sources are where this test thinks")
	return out
}

func moduleOf(folder string) string {
	rest, ok := strings.CutPrefix(folder, "modules/")
	if !ok {
		return ""
	}
	key, _, _ := strings.Cut(rest, "/")
	return key
}

// apiPackage returns the only package of a module that its siblings may import. It contains the types of its operations and events, and a
// client.
func apiPackage(key string) string { return "modules/" + key + "/" + key + "api" }

// contract lists the packages of core that a module may import. They import nothing else of core except lowLevel.
var contract = []string{"core/module", "core/value", "core/problem", "core/record", "core/files", "core/source", "core/event", "core/call",
	"core/coreapi", "core/command", "core/demodata"}

// lowLevel contains the scope of a call, the opaque handle of a database and the format of texts.
var lowLevel = []string{"core/internal/labels/icu", "core/internal/base/scope", "core/internal/storage/handle"}

// inTests lists the packages that tests of a module may import in addition to the contract.
var inTests = []string{"core/moduletest", "core/portaltest"}

// broken returns the imports that a file must not have.
func broken(s source) (out []string) {
	test := strings.HasSuffix(s.file, "_test.go")
	for _, i := range s.imports {
		own, inside := strings.CutPrefix(i, path)
		if !inside {
			if ruleFile(s) && (i == "net/http" || strings.HasPrefix(i, "database/sql") || strings.HasPrefix(i, "github.com/uptrace/bun")) {
				out = append(out, i+" in a file of rules")
			}
			continue
		}
		importer, imported := moduleOf(s.folder), moduleOf(own)
		switch {
		case s.outside && importer != "" && imported != "" && own == "modules/"+imported: // a test with a whole portal may import siblings
		case importer != "" && imported != "" && importer != imported && own != apiPackage(imported):
			out = append(out, own+": of a sibling a module imports its types and client only")
		case importer != "" && s.folder == apiPackage(importer) && imported != "":
			out = append(out, own+": what siblings import stands on its own")
		case importer != "" && strings.HasPrefix(own, "core/") && !slices.Contains(contract, own) && !(test && slices.Contains(inTests, own)) &&
			!(own == "core/plugin" && strings.HasSuffix(s.file, "/plugin/main.go")):
			out = append(out, own+": a module imports nothing of core but the contract")
		case strings.HasPrefix(s.folder, "core/") && !strings.HasPrefix(s.folder, "core/cmd/wattle") && (own == "modules" || imported != ""):
			out = append(out, own+": core imports no module")
		case slices.Contains(contract, s.folder) && strings.HasPrefix(own, "core/") && !slices.Contains(lowLevel, own) &&
			!slices.Contains(contract, own):
			out = append(out, own+": the contract of modules stands on its own")
		}
	}
	return out
}

// plumbing lists the files of a module that contain no rules (docs/modules.md); siblings.go calls siblings. A long file is split by noun:
// http_invoice.go.
var plumbing = []string{"http", "store", "module", "events", "import", "siblings", "command"}

func ruleFile(s source) bool {
	kind, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(s.file), ".go"), "_")
	inside := strings.Count(s.file, "/") == 2 || strings.Contains(s.file, "/internal/") // a module that is split into packages
	return inside && strings.HasPrefix(s.file, "modules/") && !strings.HasSuffix(s.file, "_test.go") && !slices.Contains(plumbing, kind)
}

func TestImports(t *testing.T) {
	t.Run("9-neighbour-imports", func(t *testing.T) {
		for _, s := range sources(t) {
			for _, b := range broken(s) {
				t.Errorf("%s imports %s", s.file, b)
			}
		}
	})
}

func TestRulesReportViolations(t *testing.T) {
	for _, c := range []struct {
		file, imports string
		bad           bool
	}{
		{"modules/a/http.go", path + "modules/b", true},
		{"modules/a/siblings.go", path + "modules/b/bapi", false},
		{"modules/a/siblings.go", path + "modules/b/bapi/inner", true},
		{"modules/a/siblings.go", path + "modules/b/aapi", true},
		{"modules/a/events.go", path + "modules/a/aapi", false},
		{"modules/a/aapi/events.go", path + "modules/a", true},
		{"modules/a/aapi/events.go", path + "modules/b/bapi", true},
		{"modules/a/aapi/events.go", path + "core/value", false},
		{"modules/a/aapi/events.go", path + "core/event", false},
		{"core/event/event.go", path + "core/internal/events/outbox", true},
		{"core/internal/http/web/web.go", path + "modules/a/aapi", true},
		{"modules/a/siblings.go", path + "core/coreapi", false},
		{"modules/a/http.go", path + "core/internal/labels/label", true},
		{"modules/a/http.go", path + "core/module", false},
		{"modules/a/a_test.go", path + "core/moduletest", false},
		{"modules/a/a_test.go", path + "core/portaltest", false},
		{"modules/a/a_test.go", path + "core/internal/operate/app/apptest", true},
		{"modules/a/a_test.go", path + "modules/b", true},
		{"modules/a/outside_test.go", path + "modules/b", false},
		{"modules/a/outside_test.go", path + "modules/b/inner", true},
		{"modules/a/http.go", path + "core/portaltest", true},
		{"modules/a/http.go", path + "core/moduletest", true},
		{"modules/a/http.go", path + "core/plugin", true},
		{"modules/a/plugin/main.go", path + "core/plugin", false},
		{"modules/a/offer.go", "net/http", true},
		{"modules/a/offer.go", "database/sql/driver", true},
		{"modules/a/offer_test.go", "net/http", false},
		{"modules/a/store.go", "database/sql", false},
		{"modules/a/store_offer.go", "database/sql", false},
		{"modules/a/storey.go", "database/sql", true},
		{"modules/a/internal/b/offer.go", "database/sql", true},
		{"modules/a/internal/b/store_offer.go", "database/sql", false},
		{"modules/a/internal/b/offer.go", path + "core/internal/labels/label", true},
		{"modules/a/plugin/main.go", "net/http", false},
		{"core/internal/http/web/web.go", path + "modules/a", true},
		{"core/internal/http/web/web_test.go", path + "modules", true},
		{"core/cmd/wattle/main.go", path + "modules", false},
		{"core/module/module.go", path + "core/internal/storage/store", true},
		{"core/value/day.go", path + "core/internal/labels/label", true},
		{"core/files/file.go", path + "core/module", false},
		{"modules/a/offer.go", path + "core/value", false},
		{"modules/modules.go", path + "modules/a", false},
	} {
		s := source{c.file, filepath.ToSlash(filepath.Dir(c.file)), []string{c.imports}, strings.HasSuffix(c.file, "outside_test.go")}
		t.Run("9-neighbour-imports", func(t *testing.T) { require.Equal(t, c.bad, len(broken(s)) > 0, c.file+" "+c.imports) })
	}
}

// unit returns the part of core to which a folder belongs when import directions are checked. A part includes its subfolders.
func unit(folder string) string {
	parts := strings.Split(folder, "/")
	n := 2
	if len(parts) > 1 && parts[1] == "cmd" {
		n = 3
	}
	if len(parts) > 1 && parts[1] == "internal" {
		n = 4 // core/internal/<wing>/<package>
	}
	return strings.Join(parts[:min(n, len(parts))], "/")
}

// importCycle returns a cycle of units that import each other, directly or indirectly.
func importCycle(graph map[string][]string) []string {
	done := map[string]bool{}
	var path []string
	var visit func(string) []string
	visit = func(u string) []string {
		if at := slices.Index(path, u); at >= 0 {
			return append(slices.Clone(path[at:]), u)
		}
		if done[u] {
			return nil
		}
		path = append(path, u)
		for _, next := range graph[u] {
			if found := visit(next); found != nil {
				return found
			}
		}
		path, done[u] = path[:len(path)-1], true
		return nil
	}
	for _, u := range slices.Sorted(maps.Keys(graph)) {
		if found := visit(u); found != nil {
			return found
		}
	}
	return nil
}

// The compiler only refuses import cycles between packages; with packages in subfolders, two folders could depend on each other.
func TestCoreImportsInOneDirection(t *testing.T) {
	t.Run("9-core-one-direction", func(t *testing.T) {
		graph := map[string][]string{}
		for _, s := range sources(t) {
			// packages for tests may import the packages that they test
			if !strings.HasPrefix(s.folder, "core/") || strings.HasSuffix(s.file, "_test.go") || strings.HasSuffix(s.folder, "test") {
				continue
			}
			from := unit(s.folder)
			for _, i := range s.imports {
				own, inside := strings.CutPrefix(i, path)
				if to := unit(own); inside && strings.HasPrefix(own, "core/") && to != from && !slices.Contains(graph[from], to) {
					graph[from] = append(graph[from], to)
				}
			}
		}
		require.Greater(t, len(graph), 30, "core is where this test thinks")
		require.Empty(t, importCycle(graph), "folders of core import each other")
	})
	require.Equal(t, []string{"b", "c", "d", "b"}, importCycle(map[string][]string{"a": {"b"}, "b": {"e", "c"}, "c": {"d"}, "d": {"e", "b"}}))
	require.Empty(t, importCycle(map[string][]string{"a": {"b", "c"}, "b": {"d"}, "c": {"d"}}))
	for folder, want := range map[string]string{"core/internal/labels/label/archive": "core/internal/labels/label",
		"core/plugin":           "core/plugin",
		"core/moduletest/check": "core/moduletest", "core/cmd/wattle": "core/cmd/wattle"} {
		require.Equal(t, want, unit(folder))
	}
}

// wings are the package groups: the folders of core/internal. A package imports only its own group and the groups before it;
// docs/architecture.md has the same order.
var wings = []string{"base", "storage", "labels", "events", "people", "modules", "http", "records", "plugins", "testing", "operate",
	"teams"}

// wingOf returns the index in wings of the package group that contains a folder. It returns -1 for a folder of core/internal that is in
// none, and false for other folders.
func wingOf(folder string) (int, bool) {
	rest, inside := strings.CutPrefix(folder, "core/internal/")
	wing, _, _ := strings.Cut(rest, "/")
	return slices.Index(wings, wing), inside
}

// laterWings returns the imports of a file from package groups after its own.
func laterWings(s source) (out []string) {
	mine, inside := wingOf(s.folder)
	for _, i := range s.imports {
		if theirs, known := wingOf(strings.TrimPrefix(i, path)); inside && known && theirs > mine && !strings.HasSuffix(s.file, "_test.go") {
			out = append(out, i)
		}
	}
	return out
}

func TestWingsImportInTheirOrder(t *testing.T) {
	t.Run("9-core-one-direction", func(t *testing.T) {
		described := map[int]bool{}
		for _, s := range sources(t) {
			n, inside := wingOf(s.folder)
			require.False(t, inside && n < 0, "%s is in no wing of core/internal", s.file)
			require.Empty(t, laterWings(s), s.file)
			if inside && s.folder == "core/internal/"+wings[n] {
				require.True(t, strings.HasSuffix(s.file, "/doc.go"), "%s: code is in the packages of a wing", s.file)
				described[n] = true
			}
		}
		require.Len(t, described, len(wings), "each wing has a doc.go")
		page, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
		require.NoError(t, err)
		var headings []string
		for _, h := range regexp.MustCompile("(?m)^#### (.+)$").FindAllStringSubmatch(string(page), -1) {
			headings = append(headings, h[1])
		}
		require.Equal(t, wings, headings, "docs/architecture.md has the wings in their order")
	})
	file := func(name string, imports ...string) source {
		return source{file: name, folder: filepath.ToSlash(filepath.Dir(name)), imports: imports}
	}
	require.Equal(t, []string{path + "core/internal/http/web"},
		laterWings(file("core/internal/people/identity/account.go", "strings", path+"core/module", path+"core/internal/storage/store", path+
			"core/internal/http/web")))
	require.Empty(t, laterWings(file("core/internal/people/identity/account_test.go", path+"core/internal/http/web")))
	require.Empty(t, laterWings(file("core/portaltest/portaltest.go", path+"core/internal/operate/app")))
}

// Every difference between labels is a setting: label keys occur only in labels/, tests and docs.
func TestNoLabelKeyInCode(t *testing.T) {
	t.Run("1-no-key-in-code", func(t *testing.T) {
		folders, err := os.ReadDir(filepath.Join(root, "labels"))
		require.NoError(t, err)
		var keys []string
		for _, f := range folders {
			if f.IsDir() && regexp.MustCompile(`^\d+$`).MatchString(f.Name()) {
				keys = append(keys, f.Name())
			}
		}
		require.NotEmpty(t, keys)
		// a key inside a string, but not in a number such as 1024 * 1024, nor in a limit in a struct tag: maxLength:"1024"
		key := regexp.MustCompile("(?:^|[^:])[\"'`](?:[^\"'`\n]*[^0-9\"'`\n])?(" + strings.Join(keys, "|") + ")(?:[^0-9\"'`\n][^\"'`\n]*)?[\"'`]")
		require.Regexp(t, key, `if label == "`+keys[0]+`" {`)
		for _, dir := range []string{"core", "modules", "schemas", "shell", "remotes", "docs/examples"} {
			require.NoError(t, filepath.WalkDir(filepath.Join(root, dir), func(file string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				name := d.Name()
				if d.IsDir() && (name == "node_modules" || name == "dist" || name == "e2e" || name == "compiled" || name == "testdata" ||
					name == "rules") {
					return fs.SkipDir
				}
				switch ext := filepath.Ext(name); {
				case d.IsDir(), !slices.Contains([]string{".go", ".ts", ".tsx", ".cue", ".sql"}, ext), strings.HasSuffix(name, "_test.go"),
					strings.Contains(name, ".test."), strings.Contains(name, ".gen."):
					return nil
				}
				text, err := os.ReadFile(file)
				if err != nil {
					return err
				}
				for n, line := range strings.Split(string(text), "\n") {
					code, _, _ := strings.Cut(line, "// ")
					if key.MatchString(code) {
						t.Errorf("%s:%d holds a label key: %s", file, n+1, strings.TrimSpace(line))
					}
				}
				return nil
			}))
		}
	})
}
