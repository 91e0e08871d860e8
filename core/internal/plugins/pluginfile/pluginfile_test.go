package pluginfile_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginfile"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

// folder returns the sealed folder of a plugin, as wattle modules pack creates it. Its binary is never run here.
func folder(t testing.TB, version string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "acme")
	for name, text := range map[string]string{"acme": "binary " + version, "remote/remote.json": "{}", "remote/1a/entry.js": "export {}"} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	_, err := pluginhost.Seal(dir, pluginhost.Spec{Key: "acme", Version: version, Binary: "acme", Remote: "remote"})
	require.NoError(t, err)
	return dir
}

func packed(t testing.TB, dir string) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, pluginfile.Write(&b, dir))
	return b.Bytes()
}

func install(t testing.TB, content []byte, dir string) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.wattle")
	require.NoError(t, os.WriteFile(file, content, 0o600))
	_, err := pluginfile.Install(file, dir)
	return err
}

// tree returns the contents of the files in and below a folder.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		out[name] = string(text)
		return err
	}))
	return out
}

func TestPackAndInstall(t *testing.T) {
	t.Run("10-plugin-file", func(t *testing.T) {
		plugins := filepath.Join(t.TempDir(), "plugins")
		one, two := folder(t, "1.0.0"), folder(t, "1.1.0")
		assert.Equal(t, packed(t, one), packed(t, one), "the same content gives the same file")
		for _, from := range []string{one, two, two} {
			require.NoError(t, install(t, packed(t, from), plugins))
			assert.Equal(t, tree(t, from), tree(t, filepath.Join(plugins, "acme")))
			entries, err := os.ReadDir(plugins)
			require.NoError(t, err)
			entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".previous" })
			assert.Len(t, entries, 1, "nothing is left over")
			info, err := os.Stat(filepath.Join(plugins, "acme/acme"))
			require.NoError(t, err)
			assert.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
			found, err := pluginhost.Scan(plugins)
			require.NoError(t, err)
			assert.Equal(t, "acme", found[0].Key)
		}
	})
}

// archive returns a ZIP file with the files of a plugin. change can add or replace files.
func archive(t testing.TB, change func(map[string]string), modes map[string]fs.FileMode) []byte {
	t.Helper()
	all := tree(t, folder(t, "1.0.0"))
	change(all)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range all {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(0o600)
		if mode, set := modes[name]; set {
			h.SetMode(mode)
		}
		w, err := z.CreateHeader(h)
		require.NoError(t, err)
		_, err = w.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

func TestRefusedFiles(t *testing.T) {
	t.Run("10-plugin-file-refused", func(t *testing.T) {
		set := func(name, text string) func(map[string]string) {
			return func(all map[string]string) { all[name] = text }
		}
		spec := func(edit func(map[string]any)) func(map[string]string) {
			return func(all map[string]string) {
				var about map[string]any
				require.NoError(t, json.Unmarshal([]byte(all["plugin.json"]), &about))
				edit(about)
				text, err := json.Marshal(about)
				require.NoError(t, err)
				all["plugin.json"] = string(text)
			}
		}
		for name, content := range map[string][]byte{
			"no archive":             []byte("PK but no archive"),
			"half of an archive":     packed(t, folder(t, "1.0.0"))[:400],
			"above the folder":       archive(t, set("../evil", "x"), nil),
			"far above":              archive(t, set("remote/../../../evil", "x"), nil),
			"absolute":               archive(t, set("/tmp/wattle-evil", "x"), nil),
			"backslashes":            archive(t, set(`..\evil`, "x"), nil),
			"a drive":                archive(t, set("C:evil", "x"), nil),
			"another name":           archive(t, set("remote//x", "x"), nil),
			"a link":                 archive(t, set("remote/link", "/etc/passwd"), map[string]fs.FileMode{"remote/link": fs.ModeSymlink | 0o777}),
			"a device":               archive(t, set("remote/pipe", ""), map[string]fs.FileMode{"remote/pipe": fs.ModeNamedPipe | 0o600}),
			"a file too many":        archive(t, set("remote/extra.js", "x"), nil),
			"a file next to it":      archive(t, set("start.sh", "x"), nil),
			"another binary":         archive(t, set("acme", "another"), nil),
			"another script":         archive(t, set("remote/1a/entry.js", "another"), nil),
			"a missing script":       archive(t, func(all map[string]string) { delete(all, "remote/1a/entry.js") }, nil),
			"a missing binary":       archive(t, func(all map[string]string) { delete(all, "acme") }, nil),
			"no plugin.json":         archive(t, func(all map[string]string) { delete(all, "plugin.json") }, nil),
			"a key with a path":      archive(t, spec(func(s map[string]any) { s["key"] = "../evil" }), nil),
			"a hidden key":           archive(t, spec(func(s map[string]any) { s["key"] = ".evil" }), nil),
			"core":                   archive(t, spec(func(s map[string]any) { s["key"] = "core" }), nil),
			"an unknown field":       archive(t, spec(func(s map[string]any) { s["more"] = 1 }), nil),
			"no contract":            archive(t, spec(func(s map[string]any) { delete(s, "contract") }), nil),
			"a contract of tomorrow": archive(t, spec(func(s map[string]any) { s["contract"] = 99 }), nil),
		} {
			home := t.TempDir()
			plugins := filepath.Join(home, "plugins")
			require.NoError(t, install(t, packed(t, folder(t, "0.9.0")), plugins))
			before := tree(t, home)
			require.ErrorIs(t, install(t, content, plugins), pluginfile.ErrFile, name)
			require.Equal(t, before, tree(t, home), name)
		}
	})
}

// Whatever a file contains, it is installed completely or not at all, and nothing is written outside the plugins folder.
func FuzzInstall(f *testing.F) {
	f.Add(packed(f, folder(f, "1.0.0")))
	f.Add(archive(f, func(all map[string]string) { all["../evil"] = "x" }, nil))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(installsAllOrNothing)
}

// Damaged files, without the instrumentation of a fuzzer and the same in every run.
func TestDamagedFiles(t *testing.T) {
	whole := packed(t, folder(t, "1.0.0"))
	t.Run("10-plugin-file-refused", func(t *testing.T) {
		for seed := range uint64(400) {
			r := rand.New(rand.NewPCG(seed, 0))
			content := bytes.Clone(whole)
			for range 1 + r.IntN(8) {
				content[r.IntN(len(content))] = byte(r.Uint32())
			}
			installsAllOrNothing(t, content)
		}
	})
}

func installsAllOrNothing(t *testing.T, content []byte) {
	home := t.TempDir()
	plugins := filepath.Join(home, "plugins")
	require.NoError(t, os.Mkdir(plugins, 0o700))
	err := install(t, content, plugins)
	all := tree(t, home)
	if err != nil {
		require.Empty(t, all)
		return
	}
	found, err := pluginhost.Scan(plugins)
	require.NoError(t, err)
	require.Len(t, found, 1)
	for name := range all {
		require.True(t, strings.HasPrefix(name, "plugins/"+found[0].Key+"/"), name)
	}
}
