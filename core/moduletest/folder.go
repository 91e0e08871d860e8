package moduletest

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

type built struct {
	once sync.Once
	file string
	sum  string
	out  []byte
	err  error
}

var binaries sync.Map // package -> *built

// Build compiles the main package of a plugin once per test run, and returns the file and its SHA-256.
func Build(t testing.TB, pkg string) (file, sum string) {
	t.Helper()
	v, _ := binaries.LoadOrStore(pkg, &built{})
	b := v.(*built)
	b.once.Do(func() {
		// The file must outlive this test, because only links to it are removed with the test.
		dir := filepath.Join(os.TempDir(), "wattle-moduletest")
		if b.err = os.MkdirAll(dir, 0o700); b.err != nil {
			return
		}
		prune(dir)
		var f *os.File
		if f, b.err = os.CreateTemp(dir, "plugin-*"); b.err != nil {
			return
		}
		if b.err = f.Close(); b.err != nil {
			return
		}
		cmd := exec.Command("go", "build", "-ldflags", "-s -w", "-o", f.Name(), pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if b.out, b.err = cmd.CombinedOutput(); b.err != nil {
			return
		}
		var raw []byte
		if raw, b.err = os.ReadFile(f.Name()); b.err != nil {
			return
		}
		s := sha256.Sum256(raw)
		b.file, b.sum = filepath.Join(dir, hex.EncodeToString(s[:8])), hex.EncodeToString(s[:])
		b.err = os.Rename(f.Name(), b.file) // an identical build has the same name
	})
	require.NoError(t, b.err, string(b.out))
	return b.file, b.sum
}

// PluginsDir creates a plugins folder that contains the plugin, as --plugins requires, with the file permissions that the host requires.
func PluginsDir(t testing.TB, key, pkg string) string {
	t.Helper()
	file, _ := Build(t, pkg)
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	folder := filepath.Join(dir, key)
	require.NoError(t, os.Mkdir(folder, 0o700))
	if os.Link(file, filepath.Join(folder, "module")) != nil { // the folder is on another file system
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, "module"), raw, 0o700))
	}
	require.NoError(t, os.Chmod(filepath.Join(folder, "module"), 0o700))
	_, err := pluginhost.Pack(t.Context(), folder, "module", "", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	return dir
}

// prune deletes builds from earlier days, which are no longer used by any test.
func prune(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // the build reports the error
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
			_ = os.Remove(filepath.Join(dir, e.Name())) // another test process may have removed it
		}
	}
}
