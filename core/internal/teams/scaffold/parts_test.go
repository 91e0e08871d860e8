package scaffold_test

import (
	"encoding/json"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/people/identity"
	"github.com/wattle-portal/wattle/core/internal/teams/scaffold"
)

// combinations returns every combination of parts; with -short no part, each part alone and all.
func combinations() (all [][]string) {
	if testing.Short() {
		return slices.Concat([][]string{nil, scaffold.Parts}, slices.Collect(slices.Chunk(scaffold.Parts, 1)))
	}
	for bits := range 1 << len(scaffold.Parts) {
		with := []string{}
		for i, part := range scaffold.Parts {
			if bits&(1<<i) != 0 {
				with = append(with, part)
			}
		}
		all = append(all, with)
	}
	return all
}

// filesOf returns the files of a new module, in memory.
func filesOf(t *testing.T, with []string) map[string]string {
	t.Helper()
	all, err := scaffold.Files(scaffold.Module{Key: "lamps", With: with}, os.DirFS(filepath.Join(root, scaffold.Template)))
	require.NoError(t, err, with)
	return all
}

// A part is in a module that has it, and nowhere in one that has it not.
func TestParts(t *testing.T) {
	of := map[string][][2]string{ // file and text
		"import":  {{"modules/lamps/import.go", "Import(ctx"}, {"modules/lamps/import_test.go", ""}, {"modules/lamps/module.go", "Imports:"}},
		"mail":    {{"modules/lamps/mail.go", ""}, {"modules/lamps/messages/nl.json", ""}, {"modules/lamps/testdata/mails.json", `"subject"`}},
		"staff":   {{"modules/lamps/http_staff.go", ""}, {"modules/lamps/http.go", "module.APIKey"}, {"remotes/lamps/src/staff-page.tsx", ""}},
		"job":     {{"modules/lamps/events.go", ") Handle("}, {"modules/lamps/module.go", "Schedule:"}},
		"change":  {{"modules/lamps/http_removal.go", "tx.File("}, {"remotes/lamps/src/removal.tsx", ""}, {"modules/lamps/module.go", "Changes:"}},
		"event":   {{"modules/lamps/lampsapi/events.go", "lamps.note_added"}, {"modules/lamps/http.go", "module.Publish("}},
		"setting": {{"modules/lamps/label.cue", "max_notes"}, {"modules/lamps/module.go", "module.BrowserSettings"}},
		"tile":    {{"remotes/lamps/src/tile.tsx", ""}, {"remotes/lamps/src/remote.ts", "dashboard:"}},
	}
	t.Run("10-module-new-parts,10-module-new-tree,10-module-new-outside", func(t *testing.T) {
		require.ElementsMatch(t, scaffold.Parts, slices.Collect(maps.Keys(of)))
		for _, with := range combinations() {
			all := filesOf(t, with)
			for part, places := range of {
				for _, at := range places {
					text, exists := all[at[0]]
					require.Equal(t, slices.Contains(with, part), exists && strings.Contains(text, at[1]), "%v: %s in %s", with, at[1], at[0])
				}
			}
			require.Contains(t, all["remotes/lamps/src/page.tsx"], "<Form", "always")
			for _, no := range []string{"Commands:", "Demo:", "lamps_note.ndjson"} { // a plugin has none
				for name, text := range all {
					require.NotContains(t, name+text, no, name)
				}
			}
		}
		parsed, err := scaffold.ParseParts([]string{"all"})
		require.NoError(t, err)
		require.Equal(t, scaffold.Parts, parsed)
		_, err = scaffold.ParseParts([]string{"all", "mails"})
		require.ErrorIs(t, err, scaffold.ErrPart)
	})
}

var (
	markers = regexp.MustCompile(`\{/?(` + strings.Join(scaffold.Parts, "|") + `)[,}]`)
	// ofEvents matches what lampsapi says about events: types, descriptions and fields.
	ofEvents = regexp.MustCompile("(?:[(, ]|doc:)\"([^\"/]+)\"")
	textID   = regexp.MustCompile(`(?:\bid: '|\bid=")(lamps\.[a-z_.]+)['"]`)
)

// Every combination of parts is complete: formatted code, and texts of all ids in both languages.
func TestEveryCombination(t *testing.T) {
	t.Run("10-module-new-parts", func(t *testing.T) {
		for _, with := range combinations() {
			all := filesOf(t, with)
			ids := map[string]bool{}
			for name, text := range all {
				require.False(t, markers.MatchString(text), "%v: %s has a marker of a part", with, name)
				require.NotContains(t, text, "mykey", name)
				require.NotContains(t, text, "\n\n\n", name)
				switch path.Ext(name) {
				case ".go":
					formatted, err := format.Source([]byte(text))
					require.NoError(t, err, "%v: %s", with, name)
					require.Equal(t, string(formatted), text, "%v: %s", with, name)
				case ".json":
					require.True(t, json.Valid([]byte(text)), "%v: %s", with, name)
				case ".ts", ".tsx":
					for _, found := range textID.FindAllStringSubmatch(text, -1) {
						ids[found[1]] = true
					}
				}
			}
			for _, said := range ofEvents.FindAllStringSubmatch(all["modules/lamps/lampsapi/events.go"], -1) {
				require.Contains(t, all["schemas/asyncapi/lamps.json"], said[1], "%v: the document of events", with)
			}
			for _, locale := range []string{"nl", "en"} {
				var texts map[string]string
				require.NoError(t, json.Unmarshal([]byte(all["remotes/lamps/src/messages/"+locale+".json"]), &texts))
				require.Equal(t, slices.Sorted(maps.Keys(ids)), slices.Sorted(maps.Keys(texts)), "%v: %s", with, locale)
			}
		}
	})
}

// linesOf counts the lines of code that a developer of the module reads: not the tests, and nothing that is generated.
func linesOf(all map[string]string) (lines int) {
	for name, text := range all {
		if (strings.HasPrefix(name, "modules/") || strings.HasPrefix(name, "remotes/")) &&
			slices.Contains([]string{".go", ".sql", ".cue", ".ts", ".tsx"}, path.Ext(name)) &&
			!strings.Contains(name, "test.") && !strings.Contains(name, ".gen.") {
			lines += strings.Count(text, "\n")
		}
	}
	return lines
}

func TestNewModuleIsSmall(t *testing.T) {
	t.Run("10-module-new-small", func(t *testing.T) {
		least, most := repository(t, scaffold.Module{Key: "lamps"}), repository(t, scaffold.Module{Key: "lamps", With: scaffold.Parts})
		t.Logf("without parts %d files and %d lines, with all %d files and %d lines", len(least), linesOf(least), len(most), linesOf(most))
		require.LessOrEqual(t, linesOf(least), 300)
		require.LessOrEqual(t, len(least), 40)
	})
}

// The version of a module is in one file; its documents repeat it.
func TestOneVersion(t *testing.T) {
	t.Run("10-module-one-version", func(t *testing.T) {
		var places []string
		for name, text := range filesOf(t, scaffold.Parts) {
			if strings.Contains(text, `"1.0.0"`) && !strings.HasPrefix(name, "schemas/") {
				places = append(places, name)
			}
		}
		require.Equal(t, []string{"modules/lamps/module.go"}, places)
	})
}

// checker checks the types of new modules, with the export data of the packages that they import.
type checker struct {
	set      *token.FileSet
	packages types.Importer
	own      map[string]*types.Package // of the module
}

func newChecker(t *testing.T) *checker {
	t.Helper()
	imported := map[string]bool{}
	for name, text := range filesOf(t, scaffold.Parts) {
		if path.Ext(name) != ".go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range file.Imports {
			if p := strings.Trim(i.Path.Value, `"`); !strings.HasPrefix(p, "example.org/") {
				imported[p] = true
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"},
		slices.Sorted(maps.Keys(imported))...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	listed, err := cmd.Output()
	require.NoError(t, err)
	exports := map[string]string{}
	for line := range strings.Lines(string(listed)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[name] = file
	}
	c := &checker{set: token.NewFileSet()}
	c.packages = importer.ForCompiler(c.set, "gc", func(name string) (io.ReadCloser, error) { return os.Open(exports[name]) })
	return c
}

// Import implements types.Importer.
func (c *checker) Import(name string) (*types.Package, error) {
	if p := c.own[name]; p != nil {
		return p, nil
	}
	return c.packages.Import(name)
}

// check checks a package of a module: its files in a folder, with or without those of an external test.
func (c *checker) check(t *testing.T, all map[string]string, folder string, test bool) {
	t.Helper()
	var parsed []*ast.File
	for name, text := range all {
		if path.Dir(name) != folder || path.Ext(name) != ".go" {
			continue
		}
		file, err := parser.ParseFile(c.set, name, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		if strings.HasSuffix(file.Name.Name, "_test") == test {
			parsed = append(parsed, file)
		}
	}
	if len(parsed) == 0 {
		return
	}
	name := "example.org/lamps/" + folder
	p, err := (&types.Config{Importer: c}).Check(name, c.set, parsed, nil)
	require.NoError(t, err, folder)
	if !test {
		c.own[name] = p
	}
}

// The Go half of a new module compiles with every combination of parts, and so do its tests.
func TestEveryCombinationCompiles(t *testing.T) {
	t.Run("10-module-new-parts", func(t *testing.T) {
		c := newChecker(t)
		for _, with := range combinations() {
			all := filesOf(t, with)
			c.own = map[string]*types.Package{}
			for _, folder := range []string{"lampsapi", ".", "plugin"} {
				c.check(t, all, path.Join("modules/lamps", folder), false)
			}
			c.check(t, all, "modules/lamps", true)
			require.False(t, t.Failed(), with)
		}
	})
}

// A demo of a new repository, and of the example, has an account of each role.
func TestDemoAccounts(t *testing.T) {
	t.Run("10-modules-dev-accounts", func(t *testing.T) {
		example, err := os.ReadFile(filepath.Join(root, "docs/examples/outages/labels/demo/demo/account.ndjson"))
		require.NoError(t, err)
		for _, accounts := range []string{filesOf(t, nil)["labels/demo/demo/account.ndjson"], string(example)} {
			var roles []string
			for d := json.NewDecoder(strings.NewReader(accounts)); d.More(); {
				var a struct{ Role string }
				require.NoError(t, d.Decode(&a))
				roles = append(roles, a.Role)
			}
			require.ElementsMatch(t, []string{identity.Customer, identity.Staff, identity.ImpersonatorRole}, roles)
		}
	})
}

// A new repository requires the Node that the packages of Wattle require, and the docs name no other.
func TestOneNode(t *testing.T) {
	t.Run("10-modules-one-node", func(t *testing.T) {
		for _, name := range []string{"package.json", "shell/sdk/package.json", scaffold.Template + "/package.json", "docs/examples/outages/package.json"} {
			raw, err := os.ReadFile(filepath.Join(root, name))
			require.NoError(t, err)
			var p struct{ Engines struct{ Node string } }
			require.NoError(t, json.Unmarshal(raw, &p))
			assert.Equal(t, ">=22", p.Engines.Node, name)
		}
		named := regexp.MustCompile(`\bNode(?:\.js)? (\d+)`)
		names := 0
		for _, pattern := range []string{"*.md", "Makefile", "docs/*.md", "docs/*/*.md", "docs/examples/*/*.md", "docs/examples/*/Makefile"} {
			files, err := filepath.Glob(filepath.Join(root, pattern))
			require.NoError(t, err)
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				for _, found := range named.FindAllStringSubmatch(string(text), -1) {
					assert.Equal(t, "22", found[1], file)
					names++
				}
			}
		}
		require.Greater(t, names, 5)
		require.ErrorContains(t, scaffold.ErrNode, "Node 22")
	})
}

// The files that docs/modules.md names for a new field of the form are in a new module; the tests of the repository change them.
func TestFieldOfTheForm(t *testing.T) {
	t.Run("10-module-field", func(t *testing.T) {
		text, err := os.ReadFile(filepath.Join(root, "docs/modules.md"))
		require.NoError(t, err)
		_, steps, _ := strings.Cut(string(text), "change three files by hand:")
		steps, _, found := strings.Cut(steps, "`wattle modules schema`")
		require.True(t, found)
		var names []string
		for _, step := range regexp.MustCompile("(?m)^\\d\\. `([^`]+)`").FindAllStringSubmatch(steps, -1) {
			names = append(names, strings.ReplaceAll(step[1], "<key>", "lamps"))
		}
		require.Equal(t, []string{"modules/lamps/note.go", "remotes/lamps/src/page.tsx", "remotes/lamps/src/messages/nl.json"}, names)
		all := filesOf(t, nil)
		for _, name := range names {
			require.Contains(t, all, name)
		}
	})
}
