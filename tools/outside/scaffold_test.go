package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// workshop runs commands as a module developer does.
type workshop struct {
	root, wattle string // checkout, and the program built from it
	env          []string
}

// newWorkshop builds the program. Node and the npm tools are those of the checkout.
func newWorkshop(t *testing.T) workshop {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	require.DirExists(t, filepath.Join(root, "node_modules"), "run npm ci")
	w := workshop{root: root, wattle: filepath.Join(t.TempDir(), "wattle")}
	w.env = append(os.Environ(), "GOPROXY=off", "PATH="+filepath.Join(root, "node_modules/.bin")+string(os.PathListSeparator)+
		os.Getenv("PATH"))
	w.run(t, root, "go", "build", "-o", w.wattle, "./core/cmd/wattle")
	return w
}

func (w workshop) run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, w.env
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%v\n%s", args, text)
	return string(text)
}

// newParts are the parts of a new module, which the tests write alone, together and not at all.
var newParts = []string{"import", "mail", "staff", "job", "change", "event", "setting", "tile"}

// A new module passes all checks without changes, in this repository and in a separate one. `make outside` runs the browser test too.
func TestNewModules(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds two modules and their remotes")
	}
	w := newWorkshop(t)
	t.Run("in this repository", func(t *testing.T) {
		t.Parallel()
		dir := w.copyOf(t)
		labels, err := os.ReadDir(filepath.Join(dir, "labels"))
		require.NoError(t, err)
		label := labels[0].Name()
		t.Run("10-module-new-tree", func(t *testing.T) {
			out := w.run(t, dir, w.wattle, "modules", "new", "outages", "--in-tree", "--label", label, "--with", "all")
			assert.Contains(t, out, "modules/outages/module.go\n")
			tested := w.run(t, dir, w.wattle, "modules", "test", "outages")
			for _, step := range []string{"go vet", "the analyzer", "go test", "the remote", "types", "format", "vitest"} {
				assert.Contains(t, tested, step)
			}
			assert.Contains(t, w.run(t, dir, "go", "run", "./core/cmd/wattle", "modules", "list"), "outages")
			w.run(t, dir, "go", "run", "./core/cmd/wattle", "labels", "vet", label)
			w.run(t, dir, "npm", "--silent", "ls", "--package-lock-only", "--workspaces", "--depth=0") // fails when the lock file does not match
		})
		t.Run("10-module-new-parts-pass", func(t *testing.T) {
			modules, remotes := []string{"./modules/bare/..."}, []string{"remotes/bare"}
			w.run(t, dir, w.wattle, "modules", "new", "bare", "--in-tree")
			for _, part := range newParts {
				w.run(t, dir, w.wattle, "modules", "new", "with_"+part, "--in-tree", "--with", part)
				modules, remotes = append(modules, "./modules/with_"+part+"/..."), append(remotes, "remotes/with_"+part)
			}
			w.run(t, dir, append([]string{"go", "vet"}, modules...)...)
			w.run(t, dir, append([]string{"go", "run", "./core/moduletest/check", "-labels", "labels"}, modules...)...)
			w.run(t, dir, append([]string{"go", "test", "-vet=off", "-short"}, modules...)...)
			w.run(t, dir, "npm", "--silent", "run", "messages")
			w.run(t, dir, "npm", "--silent", "run", "typecheck")
			w.run(t, dir, append([]string{"npm", "--silent", "exec", "--", "biome", "ci", "--colors=off"}, remotes...)...)
			w.run(t, dir, append([]string{"npm", "--silent", "exec", "--", "vitest", "run"}, remotes...)...)
		})
		t.Run("10-modules-dev-tree", func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), w.wattle, "modules", "dev", "outages")
			cmd.Dir, cmd.Env = dir, w.env
			text, err := cmd.CombinedOutput()
			require.Error(t, err)
			assert.Contains(t, string(text), "`make dev`")
		})
	})
	t.Run("in a repository of its own", func(t *testing.T) {
		t.Parallel()
		home, whole := t.TempDir(), t
		dir, from := filepath.Join(home, "outages"), filepath.Join(home, "packages")
		t.Run("10-packages-carried", func(t *testing.T) {
			w.run(t, w.root, "go", "run", "./core/internal/teams/packages/build", "-out", from)
			w.forget(whole, from)
			w.run(t, w.root, w.carrying(t, from), "modules", "new", "outages", "--dir", dir, "--with", "all") // without --packages
			mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			require.NoError(t, err)
			assert.NotContains(t, string(mod), "replace")
			for _, name := range []string{"sdk", "ui", "charts"} {
				tarballs, err := filepath.Glob(filepath.Join(dir, ".wattle/npm/wattle-"+name+"-*.tgz"))
				require.NoError(t, err)
				assert.Len(t, tarballs, 1, name)
			}
			found := w.run(t, dir, "go", "list", "-m", "-f", "{{.Dir}}", wattle) // GOPROXY=off: it must be in the module cache
			assert.Contains(t, found, filepath.FromSlash(wattle)+"@v")
			assert.NotContains(t, found, w.root)
		})
		t.Run("10-module-new-outside", func(t *testing.T) {
			w.install(t, dir)
			tested := w.run(t, dir, w.wattle, "modules", "test")
			for _, step := range []string{"go vet", "the analyzer", "go test", "the remote", "types", "vitest"} {
				assert.Contains(t, tested, step)
			}
			assert.FileExists(t, filepath.Join(dir, "remotes/outages/dist/remote.json"))
		})
		t.Run("10-module-schema", func(t *testing.T) {
			documents := func() (all []string) {
				for _, name := range []string{"schemas/openapi/outages.json", "schemas/asyncapi/outages.json", "remotes/outages/src/api.gen.ts"} {
					all = append(all, read(t, dir, name))
				}
				return all
			}
			before := documents()
			for _, name := range []string{"schemas", "remotes/outages/src/api.gen.ts"} {
				require.NoError(t, os.RemoveAll(filepath.Join(dir, name)))
			}
			w.run(t, dir, w.wattle, "modules", "schema")
			assert.Equal(t, before, documents())
		})
		t.Run("10-vet-repository,10-demo-accounts-repository", func(t *testing.T) {
			accounts := w.run(t, dir, w.wattle, "demo", "accounts")
			for _, name := range []string{"demo.klant", "demo.staf", "impersonator_demo"} {
				assert.Contains(t, accounts, name)
			}
			w.run(t, dir, w.wattle, "labels", "vet") // without --plugins
			edit(t, dir, "labels/demo/label.cue", "modules: outages: {}", "modules: outages: max_notes: 1000")
			cmd := exec.CommandContext(t.Context(), w.wattle, "labels", "vet")
			cmd.Dir, cmd.Env = dir, w.env
			text, err := cmd.CombinedOutput()
			require.Error(t, err)
			assert.Contains(t, string(text), "label.cue:")
			assert.Contains(t, string(text), "max_notes")
			edit(t, dir, "labels/demo/label.cue", "modules: outages: max_notes: 1000", "modules: outages: {}")
		})
		t.Run("10-module-field", func(t *testing.T) {
			// what docs/modules.md says about a new field
			edit(t, dir, "modules/outages/note.go", "type Note struct {\n", "type Note struct {\n\tPlace string `json:\"place\" required:\"false\" maxLength:\"80\" "+
				"doc:\"What the note is about\"`\n")
			edit(t, dir, "remotes/outages/src/page.tsx", "{ text: '' };", "{ text: '', place: '' };")
			edit(t, dir, "remotes/outages/src/page.tsx", "        <TextArea\n", "        <TextArea\n          {...fields.field('place')}\n          optional\n"+
				"          label={<FormattedMessage id=\"outages.place\" defaultMessage=\"Place\" />}\n        />\n        <TextArea\n")
			edit(t, dir, "remotes/outages/src/messages/nl.json", "{\n", "{\n  \"outages.place\": \"Plaats\",\n")
			w.run(t, dir, w.wattle, "modules", "schema")
			assert.Contains(t, read(t, dir, "schemas/openapi/outages.json"), `"place"`)
			assert.Contains(t, read(t, dir, "remotes/outages/src/api.gen.ts"), "place?: string;")
			w.run(t, dir, "gofmt", "-w", "modules")
			w.run(t, dir, w.wattle, "modules", "test")
			assert.Contains(t, read(t, dir, "remotes/outages/src/messages/en.json"), `"outages.place": "Place"`)
		})
		t.Run("10-plugin-file,10-module-schema", func(t *testing.T) {
			plugins := filepath.Join(home, "plugins")
			assert.Contains(t, w.run(t, dir, w.wattle, "modules", "pack"), "outages-1.0.0.wattle")
			for range 2 { // the second replaces the first
				w.run(t, dir, w.wattle, "plugins", "install", "--plugins", plugins, "outages-1.0.0.wattle")
				assert.Regexp(t, `outages +1\.0\.0 +\d+ +ok`, w.run(t, dir, w.wattle, "plugins", "list", "--plugins", plugins))
			}
			entries, err := os.ReadDir(plugins)
			require.NoError(t, err)
			assert.Len(t, entries, 1)
		})
		w.dev(t, dir)
	})
}

func read(t *testing.T, dir, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, file))
	require.NoError(t, err)
	return string(text)
}

// edit replaces the first occurrence of a text in a file.
func edit(t *testing.T, dir, file, from, to string) {
	t.Helper()
	text := read(t, dir, file)
	require.Contains(t, text, from)
	require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(strings.Replace(text, from, to, 1)), 0o644))
}

// carrying builds the program with a set of packages in it, as `make bin/wattle` does, without writing to the checkout.
func (w workshop) carrying(t *testing.T, packages string) string {
	t.Helper()
	replace, dist := map[string]string{}, filepath.Join(w.root, "core/internal/teams/packages/dist")
	for _, folder := range []string{dist, packages} { // first removes what the checkout may have
		require.NoError(t, filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(folder, file)
			if replace[filepath.Join(dist, name)] = ""; folder == packages {
				replace[filepath.Join(dist, name)] = file
			}
			return err
		}))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file, program := filepath.Join(t.TempDir(), "overlay.json"), filepath.Join(t.TempDir(), "wattle")
	require.NoError(t, os.WriteFile(file, overlay, 0o600))
	w.run(t, w.root, "go", "build", "-overlay", file, "-o", program, "./core/cmd/wattle")
	return program
}

// forget removes the package versions from the module cache at the end of the test, because every change of the sources creates one.
func (w workshop) forget(t *testing.T, from string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(from, "packages.json"))
	require.NoError(t, err)
	var about struct{ Go string }
	require.NoError(t, json.Unmarshal(raw, &about))
	cache := strings.TrimSpace(w.run(t, w.root, "go", "env", "GOMODCACHE"))
	if _, err := os.Stat(filepath.Join(cache, wattle+"@"+about.Go)); err == nil || !strings.Contains(about.Go, "-dev.") {
		return // the cache contained it before
	}
	t.Cleanup(func() {
		unpacked := filepath.Join(cache, filepath.FromSlash(wattle)+"@"+about.Go)
		require.NoError(t, filepath.WalkDir(unpacked, func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				return os.Chmod(file, 0o755) // go makes the files read-only
			}
			return err
		}))
		require.NoError(t, os.RemoveAll(unpacked))
		downloaded, err := filepath.Glob(filepath.Join(cache, "cache/download", filepath.FromSlash(wattle), "@v", about.Go+".*"))
		require.NoError(t, err)
		for _, file := range downloaded {
			require.NoError(t, os.Remove(file))
		}
	})
}

// copyOf returns a copy of the checkout, with its node_modules.
func (w workshop) copyOf(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	built := []string{".git", "bin", "data", ".cache", "test-results", "playwright-report"}
	require.NoError(t, filepath.WalkDir(w.root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(w.root, file)
		if err != nil {
			return err
		}
		for _, b := range built {
			if name == b && d.IsDir() {
				return fs.SkipDir
			}
		}
		if d.Name() == "node_modules" || d.Name() == "compiled" || d.Name() == "dist" && !strings.HasPrefix(filepath.ToSlash(name), "core/") {
			if d.IsDir() {
				return fs.SkipDir
			}
		}
		if !d.Type().IsRegular() {
			return nil
		}
		if strings.HasPrefix(filepath.ToSlash(name), "core/internal/http/assets/dist/") && d.Name() != ".keep" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, text, info.Mode().Perm())
	}))
	for _, modules := range []string{"node_modules", "tools/gen/node_modules"} { // the generators have their own TypeScript
		require.NoError(t, os.Symlink(filepath.Join(w.root, modules), filepath.Join(dir, modules)))
	}
	return dir
}

// install does what npm would: it installs our packed packages, and everything else from the checkout's node_modules.
func (w workshop) install(t *testing.T, dir string) {
	t.Helper()
	to := filepath.Join(dir, "node_modules")
	from := filepath.Join(w.root, "node_modules")
	entries, err := os.ReadDir(from)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(to, 0o755))
	generator := []string{"openapi-typescript", "typescript"}
	for _, name := range generator {
		require.NoError(t, os.Symlink(filepath.Join(w.root, "tools/gen/node_modules", name), filepath.Join(to, name)))
	}
	for _, e := range entries {
		if name := e.Name(); name != "@wattle" && !slices.Contains(generator, name) && !strings.HasPrefix(name, ".") {
			require.NoError(t, os.Symlink(filepath.Join(from, name), filepath.Join(to, name)))
		}
	}
	bins, err := os.ReadDir(filepath.Join(from, ".bin"))
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(to, ".bin"), 0o755))
	for _, b := range bins { // relative links, so that they point to the packages of this folder
		link, err := os.Readlink(filepath.Join(from, ".bin", b.Name()))
		require.NoError(t, err)
		require.NoError(t, os.Symlink(link, filepath.Join(to, ".bin", b.Name())))
	}
	tarballs, err := filepath.Glob(filepath.Join(dir, ".wattle/npm/*.tgz"))
	require.NoError(t, err)
	require.Len(t, tarballs, 3)
	for _, file := range tarballs {
		at := filepath.Join(to, "@wattle", strings.SplitN(filepath.Base(file), "-", 3)[1]) // wattle-sdk-0.1.0.tgz
		require.NoError(t, os.MkdirAll(at, 0o755))
		w.run(t, dir, "tar", "-xzf", file, "--strip-components=1", "-C", at)
	}
}
