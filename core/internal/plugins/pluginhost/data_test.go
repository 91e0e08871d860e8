package pluginhost_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/storage/store"
)

// The data of a plugin is deleted when its process has ended, and that of no other plugin.
func TestRemoveData(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: waits for the end of a process")
	}
	t.Run("10-plugin-remove-data", func(t *testing.T) {
		data := t.TempDir()
		put := func(names ...string) {
			for _, name := range names {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(data, name)), 0o700))
				require.NoError(t, os.WriteFile(filepath.Join(data, name), nil, 0o600))
			}
		}
		put("plugins/other/wattle.db", "plugin-logs/other.log", "plugin-logs/acme.log", "plugin-logs/acme.log.1", "installed/acme/1a/acme")
		s, err := store.Open(t.Context(), store.Config{Dir: filepath.Join(data, "plugins/acme"), Unsafe: true})
		require.NoError(t, err)
		_, err = s.DB().ExecContext(t.Context(), "CREATE TABLE acme_notes (id TEXT)")
		require.NoError(t, err)
		inUse, err := store.InUse(t.Context(), filepath.Join(data, "plugins/acme"))
		require.NoError(t, err)
		require.True(t, inUse)

		ended := make(chan time.Time, 1)
		time.AfterFunc(3*time.Second, func() { ended <- time.Now(); _ = s.Close() }) // of the process
		found, err := pluginhost.RemoveData(t.Context(), data, "", "acme")
		require.NoError(t, err)
		require.True(t, found)
		require.True(t, time.Now().After(<-ended))
		for _, gone := range []string{"plugins/acme", "plugin-logs/acme.log", "plugin-logs/acme.log.1", "installed/acme"} {
			require.NoFileExists(t, filepath.Join(data, gone))
			require.NoDirExists(t, filepath.Join(data, gone))
		}
		require.FileExists(t, filepath.Join(data, "plugins/other/wattle.db"))
		require.FileExists(t, filepath.Join(data, "plugin-logs/other.log"))
		found, err = pluginhost.RemoveData(t.Context(), data, "", "acme")
		require.NoError(t, err)
		require.False(t, found, "there is nothing any more")
		_, err = pluginhost.RemoveData(t.Context(), data, "", "../acme")
		require.ErrorContains(t, err, "is not a plugin key")
	})
}
