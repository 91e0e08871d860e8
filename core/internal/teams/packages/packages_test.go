package packages_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"

	"github.com/wattle-portal/wattle/core/internal/teams/packages"
)

// memory is a file of a Go module that a test creates.
type memory struct {
	name string
	fs   fs.FS
}

func (m memory) Path() string                 { return m.name }
func (m memory) Lstat() (fs.FileInfo, error)  { return fs.Stat(m.fs, m.name) }
func (m memory) Open() (io.ReadCloser, error) { return m.fs.Open(m.name) }

// zipped returns a Go module in the form in which module proxies serve it.
func zipped(t *testing.T, path, version string, source map[string]string) string {
	t.Helper()
	in := fstest.MapFS{}
	var files []modzip.File
	for name, text := range source {
		in[name] = &fstest.MapFile{Data: []byte(text)}
		files = append(files, memory{name, in})
	}
	var out bytes.Buffer
	require.NoError(t, modzip.Create(&out, module.Version{Path: path, Version: version}, files))
	return out.String()
}

// made returns a folder with packages that contain only their version and import one package of each library in version v1.0.0.
func made(t *testing.T, version string, libraries ...string) string {
	t.Helper()
	mod, value := "module "+packages.Module+"\n\ngo 1.26.0\n", "package value\n\n"
	for _, path := range libraries {
		mod += "\nrequire " + path + " v1.0.0\n"
		value += "import _ \"" + path + "\"\n"
	}
	value += "const Version = \"" + version + "\"\n"
	files := map[string]string{
		packages.Proxied("v"+version, "zip"): zipped(t, packages.Module, "v"+version,
			map[string]string{"go.mod": mod, "core/value/value.go": value}),
		packages.Proxied("v"+version, "mod"):  mod,
		packages.Proxied("v"+version, "info"): `{"Version":"v` + version + `"}`,
	}
	for _, name := range packages.Names {
		files["npm/"+packages.Tarball(name, version)] = name
	}
	dir, about := t.TempDir(), packages.About{Go: "v" + version, NPM: version, Files: map[string]string{}}
	for name, text := range files {
		put(t, filepath.Join(dir, name), text)
		about.Files[name] = fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
	}
	raw, err := json.Marshal(about)
	require.NoError(t, err)
	put(t, filepath.Join(dir, "packages.json"), string(raw))
	return dir
}

func put(t *testing.T, file, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

func read(t *testing.T, elem ...string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(elem...))
	require.NoError(t, err)
	return string(raw)
}

func open(t *testing.T, dir string) packages.Set {
	t.Helper()
	s, err := packages.Open(dir)
	require.NoError(t, err)
	return s
}

// repository returns a repository that requires a version, and makes go run without a network and with an empty module cache.
func repository(t *testing.T, version string, s packages.Set) packages.Repository {
	t.Helper()
	for name, value := range map[string]string{"GOMODCACHE": t.TempDir(), "GOFLAGS": "-modcacherw", "GOPROXY": "off",
		"GOSUMDB": "sum.golang.org", "GOWORK": "off"} {
		t.Setenv(name, value)
	}
	dir := t.TempDir()
	sums, err := s.Sums()
	require.NoError(t, err)
	put(t, filepath.Join(dir, "go.mod"), "module example.org/outages\n\ngo 1.26.0\n\nrequire "+packages.Module+" v"+version+"\n")
	put(t, filepath.Join(dir, "go.sum"), sums)
	put(t, filepath.Join(dir, "main.go"), "package main\n\nimport \""+packages.Module+
		"/core/value\"\n\nfunc main() { print(value.Version) }\n")
	put(t, filepath.Join(dir, "package.json"), `{"name": "outages"}`)
	put(t, filepath.Join(dir, "remotes/outages/package.json"), strings.ReplaceAll(`{"dependencies": {
  "@wattle/sdk": "file:../../.wattle/npm/wattle-sdk-VERSION.tgz",
  "@wattle/ui": "file:../../.wattle/npm/wattle-ui-VERSION.tgz"
}}`, "VERSION", version))
	r, err := packages.Find(filepath.Join(dir, "remotes", "outages"))
	require.NoError(t, err)
	return r
}

func TestInstallAndUpdate(t *testing.T) {
	t.Run("10-packages-refresh", func(t *testing.T) {
		first, second := open(t, made(t, "0.1.0")), open(t, made(t, "0.2.0-dev.h0123456789ab"))
		r := repository(t, "0.1.0", first)
		printed := func() string { return run(t, r.Root, "go", "run", ".") }

		about, err := r.Install(t.Context(), first)
		require.NoError(t, err)
		assert.Equal(t, "v0.1.0", about.Go)
		assert.Equal(t, "0.1.0", printed(), "from the module cache, with GOPROXY=off")
		assert.Equal(t, "sdk", read(t, r.Root, ".wattle/npm/wattle-sdk-0.1.0.tgz"))

		about, err = r.Install(t.Context(), second)
		require.NoError(t, err, "a newer program goes on with the packages of before")
		assert.Equal(t, "v0.1.0", about.Go)
		assert.FileExists(t, filepath.Join(r.Root, ".wattle/npm/wattle-sdk-0.1.0.tgz"))

		require.NoError(t, r.Update(t.Context(), second))
		assert.Equal(t, "0.2.0-dev.h0123456789ab", printed())
		assert.Contains(t, read(t, r.Root, "go.mod"), packages.Module+" v0.2.0-dev.h0123456789ab\n")
		assert.Contains(t, read(t, r.Root, "go.sum"), packages.Module+" v0.2.0-dev.h0123456789ab h1:")
		remote := read(t, r.Root, "remotes/outages/package.json")
		assert.Contains(t, remote, `"file:../../.wattle/npm/wattle-sdk-0.2.0-dev.h0123456789ab.tgz"`)
		assert.Contains(t, remote, `"file:../../.wattle/npm/wattle-ui-0.2.0-dev.h0123456789ab.tgz"`)
		assert.NotContains(t, remote, "0.1.0")
		assert.NoFileExists(t, filepath.Join(r.Root, ".wattle/npm/wattle-sdk-0.1.0.tgz"))

		r, err = packages.Find(r.Root)
		require.NoError(t, err)
		require.NoError(t, os.RemoveAll(filepath.Join(r.Root, ".wattle"))) // like a fresh clone
		_, err = r.Install(t.Context(), first)
		require.ErrorIs(t, err, packages.ErrVersion)
		require.ErrorContains(t, err, "requires Wattle v0.2.0-dev.h0123456789ab, and this program has v0.1.0: "+
			"use the program of that version, or move to this one with `wattle modules packages --update`")
		assert.Contains(t, read(t, r.Root, "go.mod"), packages.Module+" v0.2.0-dev.h0123456789ab\n", "nothing is changed")
		_, err = r.Install(t.Context(), second)
		require.NoError(t, err)
		assert.Equal(t, "0.2.0-dev.h0123456789ab", printed())

		for _, name := range []string{"go.mod", "go.sum", "remotes/outages/package.json"} { // a clone whose packages were never on this machine
			put(t, filepath.Join(r.Root, name), strings.ReplaceAll(read(t, r.Root, name), "0123456789ab", "ffffffffffff"))
		}
		r, err = packages.Find(r.Root)
		require.NoError(t, err)
		require.NoError(t, r.Update(t.Context(), second))
		assert.Equal(t, "0.2.0-dev.h0123456789ab", printed())
		assert.NotContains(t, read(t, r.Root, "go.sum"), "ffffffffffff")
	})
}

// A newer Wattle needs one library more than the previous one.
func TestUpdateAddsLibraries(t *testing.T) {
	t.Run("10-packages-refresh", func(t *testing.T) {
		const tide = "example.org/tide"
		first, second := open(t, made(t, "0.1.0")), open(t, made(t, "0.2.0", tide))
		r := repository(t, "0.1.0", first)
		registry := t.TempDir()
		for name, text := range map[string]string{"v1.0.0.info": `{"Version":"v1.0.0"}`, "v1.0.0.mod": "module " + tide + "\n",
			"list":       "v1.0.0\n",
			"v1.0.0.zip": zipped(t, tide, "v1.0.0", map[string]string{"go.mod": "module " + tide + "\n", "tide.go": "package tide\n"})} {
			put(t, filepath.Join(registry, tide, "@v", name), text)
		}
		t.Setenv("GOPROXY", "file://"+filepath.ToSlash(registry))
		t.Setenv("GONOSUMDB", tide)
		require.NoError(t, r.Update(t.Context(), second))
		assert.Equal(t, "0.2.0", run(t, r.Root, "go", "run", "."))
		assert.Contains(t, read(t, r.Root, "go.mod"), tide+" v1.0.0 // indirect\n")
		assert.Contains(t, read(t, r.Root, "go.sum"), tide+" v1.0.0 h1:")
	})
}

func TestOpenRefusals(t *testing.T) {
	_, err := packages.Open(t.TempDir())
	require.ErrorIs(t, err, packages.ErrNone)

	dir := made(t, "0.1.0")
	put(t, filepath.Join(dir, "npm/wattle-ui-0.1.0.tgz"), "changed")
	_, err = packages.Open(dir)
	require.ErrorContains(t, err, "npm/wattle-ui-0.1.0.tgz")

	_, err = packages.Find(t.TempDir())
	require.ErrorIs(t, err, packages.ErrRepository)
	_, err = packages.Find(".") // Wattle itself
	require.ErrorIs(t, err, packages.ErrRepository)
}

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}
