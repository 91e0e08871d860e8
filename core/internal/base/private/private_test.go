package private_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/base/private"
)

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Mode().Perm()
}

func TestModes(t *testing.T) {
	t.Run("9-file-modes", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "data")
		require.NoError(t, os.Mkdir(dir, 0o755))
		require.NoError(t, os.Chmod(dir, 0o755))
		// other users could read these files; a database that is private already and an unrelated file keep their modes
		wide := []string{"wattle.db", "wattle.db-wal", "wattle.db-shm", "identity.key", "migrate.lock"}
		for _, name := range append([]string{"today.db", "backup.json"}, wide...) {
			mode := fs.FileMode(0o644)
			if name == "today.db" {
				mode = 0o600
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, mode))
			require.NoError(t, os.Chmod(filepath.Join(dir, name), mode))
		}
		var out bytes.Buffer
		require.NoError(t, private.SecureFolder(dir, slog.New(slog.NewJSONHandler(&out, nil))))
		require.Equal(t, fs.FileMode(0o700), modeOf(t, dir))
		for _, name := range append([]string{"today.db"}, wide...) {
			require.Equal(t, fs.FileMode(0o600), modeOf(t, filepath.Join(dir, name)), name)
		}
		require.Equal(t, fs.FileMode(0o644), modeOf(t, filepath.Join(dir, "backup.json")), "it has no secrets")
		var logged []string
		for line := range strings.Lines(out.String()) {
			var l struct{ Path string }
			require.NoError(t, json.Unmarshal([]byte(line), &l))
			logged = append(logged, filepath.Base(l.Path))
		}
		require.ElementsMatch(t, append([]string{"data"}, wide...), logged, "one line for each that was narrowed")

		out.Reset()
		require.NoError(t, private.SecureFolder(dir, slog.New(slog.NewJSONHandler(&out, nil))))
		require.Empty(t, out.String(), "nothing is left to narrow")
	})
	t.Run("9-file-modes", func(t *testing.T) { // opening a database, even that of a plugin, makes its folder private
		dir := filepath.Join(t.TempDir(), "plugins", "acme")
		file := filepath.Join(dir, "wattle.db")
		for _, existed := range []bool{false, true} {
			if existed {
				require.NoError(t, os.Chmod(dir, 0o777))
				require.NoError(t, os.Chmod(file, 0o666))
			}
			changed, err := private.MakeFolder(dir)
			require.NoError(t, err)
			require.Equal(t, existed, changed)
			changed, err = private.MakeFile(file)
			require.NoError(t, err)
			require.Equal(t, existed, changed)
			require.Equal(t, []fs.FileMode{0o700, 0o600}, []fs.FileMode{modeOf(t, dir), modeOf(t, file)})
		}
	})
}
