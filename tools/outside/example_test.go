package main

import (
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

var update = flag.Bool("update", false, "write the documents of docs/examples")

// contract lists the Wattle folders that a module of another team may import, and those that only its tests may import.
var contract = []string{"core/module", "core/value", "core/problem", "core/record", "core/files", "core/source", "core/event", "core/call",
	"core/coreapi", "core/command", "core/demodata", "core/plugin", "modules/account/accountapi"}
var contractOfTests = append([]string{"core/moduletest", "core/portaltest", "modules/account"}, contract...)

// docs/examples/outages is a module of another team. `make outside` runs all of its tests, with the packed packages and a browser.
func TestExampleOutages(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	home := filepath.Join(root, example)
	t.Run("10-example-apart", func(t *testing.T) {
		raw, err := os.ReadFile(filepath.Join(home, "go.mod"))
		require.NoError(t, err)
		mod, err := modfile.Parse("go.mod", raw, nil)
		require.NoError(t, err)
		assert.Empty(t, mod.Replace)
		assert.False(t, strings.HasPrefix(mod.Module.Mod.Path, wattle), "a path of its own")
		npm, err := filepath.Glob(filepath.Join(home, "remotes/*/package.json"))
		require.NoError(t, err)
		require.Len(t, npm, 1)
		raw, err = os.ReadFile(npm[0])
		require.NoError(t, err)
		ours := regexp.MustCompile(`"@wattle/(\w+)": "([^"]+)"`).FindAllStringSubmatch(string(raw), -1)
		assert.GreaterOrEqual(t, len(ours), 2, "@wattle/sdk and ui")
		for _, one := range ours {
			assert.Regexp(t, `^file:\.\./\.\./\.wattle/npm/wattle-`+one[1]+`-[^/]+\.tgz$`, one[2])
		}
		imported := 0
		require.NoError(t, filepath.WalkDir(filepath.Join(home, "modules"), func(file string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".go" {
				return err
			}
			allowed := contract
			if strings.HasSuffix(file, "_test.go") {
				allowed = contractOfTests
			}
			text, err := os.ReadFile(file)
			for line := range strings.SplitSeq(string(text), "\n") {
				if _, path, ok := strings.Cut(line, `"`+wattle+"/"); ok {
					imported++
					assert.Contains(t, allowed, strings.TrimSuffix(path, `"`), file)
				}
			}
			return err
		}))
		assert.Greater(t, imported, 10)
	})
	t.Run("10-example-compiles", func(t *testing.T) {
		if testing.Short() {
			t.Skip("make test-all: compiles a module in another Go module")
		}
		inWorkspace(t, root, home, "outages")
	})
	t.Run("10-module-new-parts-pass", func(t *testing.T) {
		if testing.Short() {
			t.Skip("make test-all: compiles a module in another Go module")
		}
		// the template, which has all parts; a new module gets its own document of events
		inWorkspace(t, root, filepath.Join(root, "docs/examples/module"), "mykey", "-skip", "TestAsyncAPI")
	})
}

// written are the files of an example that its tests write with -update.
var written = []string{"schemas/openapi/*.json", "schemas/asyncapi/*.json", "modules/*/testdata/mails.json"}

// inWorkspace tests the Go half of an example against the contract as it is now; -update only writes its documents.
func inWorkspace(t *testing.T, root, home, key string, flags ...string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "modules"), os.DirFS(filepath.Join(home, "modules"))))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "schemas"), os.DirFS(filepath.Join(home, "schemas"))))
	// A workspace shares the build cache with the tests of this repository.
	require.NoError(t, write(filepath.Join(dir, "go.mod"), []byte("module example.org/"+key+"\n\ngo 1.26.0\n")))
	require.NoError(t, write(filepath.Join(dir, "go.work"), []byte("go 1.26.0\n\nuse (\n\t.\n\t"+strconv.Quote(root)+"\n)\n")))
	run := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOPROXY=off", "GOWORK="+filepath.Join(dir, "go.work"))
		text, err := cmd.CombinedOutput()
		require.NoError(t, err, string(text))
	}
	if !*update {
		run("vet", "./...")
		run(append(append([]string{"test", "-vet=off", "-short"}, flags...), "./modules/"+key)...)
		return
	}
	run(append(append([]string{"test", "-vet=off", "-run", "TestOpenAPI|TestAsyncAPI|TestMail$"}, flags...), "./modules/"+key, "-update")...)
	for _, pattern := range written {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			name, err := filepath.Rel(dir, file)
			require.NoError(t, err)
			require.NoError(t, write(filepath.Join(home, name), text))
		}
	}
}
