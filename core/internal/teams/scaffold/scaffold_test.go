package scaffold_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/teams/scaffold"
)

const root = "../../../.."

// tree returns a folder with those files of a checkout that a new module changes or reads.
func tree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "package.json", "package-lock.json", "shell/sdk/package.json", "modules/modules.go"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	require.NoError(t, os.CopyFS(filepath.Join(dir, scaffold.Example), os.DirFS(filepath.Join(root, scaffold.Example))))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "labels/red"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "labels/red/label.cue"), []byte("label_key: \"red\"\n"), 0o644))
	return dir
}

func packagesOf(dir string) scaffold.Packages {
	return scaffold.Packages{Go: "v0.3.0", NPM: "0.3.1", Sums: scaffold.Wattle + " v0.3.0 h1:AAAA=\n", Source: os.DirFS(dir),
		Example: os.DirFS(filepath.Join(dir, scaffold.Example))}
}

// content returns the content of all files below a folder.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		out[strings.TrimPrefix(filepath.ToSlash(file), filepath.ToSlash(dir)+"/")] = string(text)
		return err
	}))
	return out
}

func TestInTree(t *testing.T) {
	for _, key := range []string{"outages", "x9", "zebra", "street_lights_of_the_municipal"} {
		dir := tree(t)
		written, err := scaffold.InTree(dir, scaffold.Module{Key: key}, "red")
		require.NoError(t, err, key)
		all := content(t, dir)
		for _, name := range written {
			assert.Contains(t, all, name)
			if !strings.HasPrefix(name, "package-lock") {
				assert.True(t, key == "outages" || !strings.Contains(name+all[name], "outages"), name)
			}
		}
		types := all["remotes/"+key+"/src/api.gen.ts"]
		for _, generated := range []string{types, all["modules/"+key+"/"+key+"api/client.gen.go"]} {
			assert.Regexp(t, `^// (Code g|G)enerated by "make generate" from `, generated)
		}
		assert.Equal(t, "/staff/"+key < "/"+key, strings.Index(types, `"/staff/`+key+`"`) < strings.Index(types, `"/`+key+`"`),
			"paths are in order")
		assert.Contains(t, all["labels/red/label.cue"], "label_key: \"red\"\n\nmodules: "+key+": {}\n")
		assert.Contains(t, all["modules/modules.go"], "\t\"github.com/wattle-portal/wattle/modules/"+key+"\"\n")
		assert.Equal(t, 1, strings.Count(all["modules/modules.go"], "\n\t"+key+".Module,\n"))
		assert.Contains(t, all["package-lock.json"], "    \"node_modules/@wattle/remote-"+key+"\": {\n      \"resolved\": \"remotes/"+key+
			"\",\n      \"link\": true\n    },\n")
		assert.Contains(t, all["package-lock.json"], "    \"remotes/"+key+"\": {\n      \"name\": \"@wattle/remote-"+key+"\",")
	}
}

// A new module has the parts that the row lists; tools/outside tests that they work.
func TestPartsOfANewModule(t *testing.T) {
	dir := tree(t)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "labels/blue"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "labels/blue/label.cue"), []byte("label_key: \"blue\"\n"), 0o644))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "labels/grey"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "labels/grey/label.cue"), []byte("label_key: \"grey\"\n"), 0o644))
	_, err := scaffold.InTree(dir, scaffold.Module{Key: "lamps"}, "red", "blue")
	require.NoError(t, err)
	all := content(t, dir)
	t.Run("10-module-new-tree,10-module-new-outside", func(t *testing.T) {
		for what, in := range map[string][2]string{
			"operation": {"modules/lamps/module.go", `module.Route(s.API, route("listNear", http.MethodGet, "/lamps"`},
			"page":      {"remotes/lamps/src/remote.ts", `{ path: '/lamps', title: t.title, page: () => import(`},
			"tile":      {"remotes/lamps/src/remote.ts", `dashboard: [{ id: 'near',`},
			"setting":   {"modules/lamps/label.cue", "#Settings: {\n\t// "},
			"event":     {"modules/lamps/module.go", "Publishes:   lampsapi.Events,"},
			"mail":      {"modules/lamps/testdata/mails.json", `"subject"`},
			"job":       {"modules/lamps/module.go", `Schedule:    map[string]string{lampsapi.EventNight: "30 3 * * *"},`},
			"import":    {"modules/lamps/module.go", `Imports:     []string{"lamps_report"},`},
		} {
			require.Contains(t, all[in[0]], in[1], what)
		}
		for label, on := range map[string]bool{"red": true, "blue": true, "grey": false} {
			require.Equal(t, on, strings.Contains(all["labels/"+label+"/label.cue"], "modules: lamps: {}\n"), label)
		}
	})
}

func TestTitle(t *testing.T) {
	dir := tree(t)
	_, err := scaffold.InTree(dir, scaffold.Module{Key: "street_lights"})
	require.NoError(t, err)
	assert.Contains(t, content(t, dir)["remotes/street_lights/src/messages/nl.json"], `"street_lights.title": "Street lights"`)
	_, err = scaffold.InTree(dir, scaffold.Module{Key: "lamps", Title: "Lantaarns"})
	require.NoError(t, err)
	assert.Contains(t, content(t, dir)["remotes/lamps/src/messages/nl.json"], `"lamps.title": "Lantaarns"`)
}

func TestRefusals(t *testing.T) {
	t.Run("10-module-new-refuses", func(t *testing.T) {
		dir := tree(t)
		before := content(t, dir)
		for _, key := range []string{"", "Outages", "1up", "a-b", "go", "type", "core", "module", "outage", "account", "../x",
			strings.Repeat("a", 31)} {
			_, err := scaffold.InTree(dir, scaffold.Module{Key: key})
			require.ErrorIs(t, err, scaffold.ErrKey, key)
			empty := t.TempDir()
			_, err = scaffold.Repository(empty, "/opt/wattle", packagesOf(dir), scaffold.Module{Key: key})
			require.ErrorIs(t, err, scaffold.ErrKey, key)
			require.Empty(t, content(t, empty), key)
		}
		_, err := scaffold.InTree(dir, scaffold.Module{Key: "billing"})
		require.ErrorIs(t, err, scaffold.ErrExists, "a registered module")
		_, err = scaffold.InTree(dir, scaffold.Module{Key: "outages"}, "red", "unknown")
		require.ErrorIs(t, err, fs.ErrNotExist, "an unknown label")
		require.Equal(t, before, content(t, dir))

		require.NoError(t, os.MkdirAll(filepath.Join(dir, "remotes/outages"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "remotes/outages/package.json"), []byte("{}"), 0o644))
		before = content(t, dir)
		_, err = scaffold.InTree(dir, scaffold.Module{Key: "outages"}, "red")
		require.ErrorIs(t, err, scaffold.ErrExists)
		require.Equal(t, before, content(t, dir))

		next := tree(t)
		require.NoError(t, os.MkdirAll(filepath.Join(next, "modules/outages"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(next, "modules/outages/notes.txt"), nil, 0o644))
		before = content(t, next)
		_, err = scaffold.InTree(next, scaffold.Module{Key: "outages"}, "red")
		require.ErrorIs(t, err, scaffold.ErrExists, "a folder")
		require.Equal(t, before, content(t, next))

		for name, c := range map[string]struct{ file, before, more string }{ // each without the other two and without a folder
			"module outages":                      {"modules/modules.go", "\tproduction.Module,\n", "\toutages.Module,\n"},
			"node_modules/@wattle/remote-outages": {"package-lock.json", "    \"node_modules/@wattle/remote-production\": {\n", ""},
			"remotes/outages":                     {"package-lock.json", "    \"remotes/production\": {\n", ""},
		} {
			taken := tree(t)
			file := filepath.Join(taken, c.file)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			more := c.more + c.before
			if c.more == "" {
				more = strings.ReplaceAll(c.before, "production", "outages") + "    },\n" + c.before
			}
			require.Equal(t, 1, strings.Count(string(text), c.before), name)
			require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), c.before, more, 1)), 0o644))
			before = content(t, taken)
			_, err = scaffold.InTree(taken, scaffold.Module{Key: "outages"}, "red")
			require.ErrorIs(t, err, scaffold.ErrExists, name)
			require.ErrorContains(t, err, scaffold.ErrExists.Error()+": "+name, "what exists")
			require.Equal(t, before, content(t, taken), name)
		}

		full := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(full, "mine"), nil, 0o644))
		_, err = scaffold.Repository(full, "/opt/wattle", packagesOf(dir), scaffold.Module{Key: "outages"})
		require.ErrorIs(t, err, scaffold.ErrExists)
		require.Len(t, content(t, full), 1)
	})
}

func TestRepository(t *testing.T) {
	checkout, dir := tree(t), filepath.Join(t.TempDir(), "outages")
	written, err := scaffold.Repository(dir, "/opt/wattle", packagesOf(checkout),
		scaffold.Module{Key: "outages", Path: "energy.example/outages"})
	require.NoError(t, err)
	all := content(t, dir)
	require.Len(t, all, len(written))
	for _, name := range written {
		assert.Contains(t, all, name)
		assert.NotContains(t, all[name], "example.org/outages", name)
	}
	t.Run("10-module-new-outside", func(t *testing.T) {
		for _, name := range []string{"go.mod", "package.json", "Makefile", ".ci/run", "labels/demo/label.cue", "e2e/outages.spec.ts"} {
			assert.NotEmpty(t, all[name], name)
		}
	})
	assert.True(t, strings.HasPrefix(all["go.mod"], "module energy.example/outages\n"))
	assert.NotContains(t, all["go.mod"], "replace")
	assert.Contains(t, all["go.mod"], "\t"+scaffold.Wattle+" v0.3.0\n")
	assert.Regexp(t, `huma/v2 v\S+\n`, all["go.mod"], "a library that the module imports")
	assert.Regexp(t, `pgx/v5 v\S+ // indirect\n`, all["go.mod"], "a library of Wattle only")
	assert.Contains(t, all["go.sum"], scaffold.Wattle+" v0.3.0 h1:")
	assert.Contains(t, all["remotes/outages/package.json"], `"@wattle/sdk": "file:../../.wattle/npm/wattle-sdk-0.3.1.tgz"`)
	assert.Contains(t, all["modules/outages/plugin/main.go"], `"energy.example/outages/modules/outages"`)
	assert.Regexp(t, `\$\(abspath (\.\./)+opt/wattle\)`, all["Makefile"])
	for _, name := range []string{".ci/run", "vitest.config.ts", "schemas/openapi/outages.json", "schemas/asyncapi/outages.json",
		"remotes/outages/src/api.gen.ts", "modules/outages/store.go"} {
		want, err := os.ReadFile(filepath.Join(root, scaffold.Example, name))
		require.NoError(t, err)
		assert.Equal(t, string(want), all[name], "the example itself")
	}
	assert.NotContains(t, all, "e2e/lifecycle.spec.ts")
	assert.NotContains(t, all, "modules/outages/outagesapi/client.gen.go")
	for _, name := range []string{"people.json", "account.ndjson", "relation.ndjson"} { // files that a demo needs
		assert.NotEmpty(t, all["labels/demo/demo/"+name], name)
	}
	assert.Contains(t, all["labels/demo/label.cue"], "modules: outages: {}\n")
	info, err := os.Stat(filepath.Join(dir, ".ci/run"))
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&0o100, "the CI file can be run")

	found, err := scaffold.Open(filepath.Join(dir, "remotes/outages/src"), "")
	require.NoError(t, err)
	assert.Equal(t, "outages", found.Key)
	_, err = scaffold.Open(dir, "other")
	require.ErrorContains(t, err, "outages")
	_, err = scaffold.Open(t.TempDir(), "")
	require.ErrorIs(t, err, scaffold.ErrRepository)
}

func TestRoot(t *testing.T) {
	at, err := scaffold.Root(".")
	require.NoError(t, err)
	want, err := filepath.Abs(root)
	require.NoError(t, err)
	assert.Equal(t, want, at)
	_, err = scaffold.Root(t.TempDir())
	require.ErrorIs(t, err, scaffold.ErrRoot)
}
