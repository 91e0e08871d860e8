package pluginfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginfile"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

func TestRemove(t *testing.T) {
	t.Run("10-plugin-remove", func(t *testing.T) {
		plugins := filepath.Join(t.TempDir(), "plugins")
		install := func(version string, put func(file, dir string) (pluginhost.Spec, error)) {
			t.Helper()
			file := filepath.Join(t.TempDir(), "acme.wattle")
			require.NoError(t, os.WriteFile(file, packed(t, folder(t, version)), 0o600))
			_, err := put(file, plugins)
			require.NoError(t, err)
		}
		install("1.0.0", pluginfile.Install)
		install("1.1.0", pluginfile.Install) // 1.0.0 is kept
		install("1.2.0", pluginfile.InstallAlongside)
		require.NoError(t, os.Mkdir(filepath.Join(plugins, "acmes"), 0o700))
		require.NoError(t, pluginhost.Disable(plugins, "acme"))

		versions, err := pluginfile.Remove(plugins, "acme")
		require.NoError(t, err)
		require.Equal(t, []string{"1.2.0", "1.1.0"}, versions)
		require.Empty(t, pluginhost.Disabled(plugins))
		kept, err := pluginfile.Previous(plugins, "acme")
		require.NoError(t, err)
		require.Empty(t, kept)
		found, err := filepath.Glob(filepath.Join(plugins, "[^.]*"))
		require.NoError(t, err)
		require.Equal(t, []string{filepath.Join(plugins, "acmes")}, found, "another plugin")
		hidden, err := filepath.Glob(filepath.Join(plugins, ".remove*"))
		require.NoError(t, err)
		require.Empty(t, hidden)

		_, err = pluginfile.Remove(plugins, "acme")
		require.ErrorIs(t, err, pluginfile.ErrNotInstalled)
		_, err = pluginfile.Remove(plugins, "../acme")
		require.ErrorContains(t, err, "is not a plugin key")
	})
}
