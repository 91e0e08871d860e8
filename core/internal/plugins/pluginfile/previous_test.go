package pluginfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginfile"
)

func TestRollback(t *testing.T) {
	t.Run("10-plugin-rollback", func(t *testing.T) {
		plugins := filepath.Join(t.TempDir(), "plugins")
		file := func(version string) string {
			file := filepath.Join(t.TempDir(), "acme.wattle")
			require.NoError(t, os.WriteFile(file, packed(t, folder(t, version)), 0o600))
			return file
		}
		installed := func() (out []string) {
			entries, err := os.ReadDir(plugins)
			require.NoError(t, err)
			for _, e := range entries {
				if e.Name()[0] != '.' {
					out = append(out, e.Name())
				}
			}
			return out
		}
		kept := func() []string {
			out, err := pluginfile.Previous(plugins, "acme")
			require.NoError(t, err)
			return out
		}
		_, err := pluginfile.Install(file("1.9.0"), plugins)
		require.NoError(t, err)
		for _, version := range []string{"1.10.0", "1.11.0"} {
			_, err := pluginfile.InstallAlongside(file(version), plugins)
			require.NoError(t, err)
		}
		require.Equal(t, []string{"acme", "acme@1.10.0", "acme@1.11.0"}, installed())
		_, err = pluginfile.InstallAlongside(file("1.9.0"), plugins)
		require.ErrorContains(t, err, "version 1.9.0 of plugin acme is installed already, in the folder acme")
		from, now, err := pluginfile.Rollback(plugins, "acme", "1.9.0")
		require.NoError(t, err)
		require.Equal(t, []string{"1.11.0", "1.9.0"}, []string{from, now})
		require.Equal(t, []string{"acme"}, installed(), "all higher versions are out, so that it serves")
		require.ElementsMatch(t, []string{"1.11.0", "1.10.0"}, kept())

		_, _, err = pluginfile.Rollback(plugins, "acme", "1.9.0")
		require.ErrorContains(t, err, "version 1.9.0 of plugin acme serves")
		_, err = pluginfile.Install(file("1.9.0"), plugins)
		require.NoError(t, err)
		require.NotContains(t, kept(), "1.9.0", "the same version again replaces nothing")
		require.NoError(t, os.Rename(filepath.Join(plugins, "acme"), filepath.Join(plugins, "acme@1.9.0")))
		_, now, err = pluginfile.Rollback(plugins, "acme", "1.10.0")
		require.NoError(t, err)
		require.Equal(t, "1.10.0", now)
		require.Equal(t, []string{"acme"}, installed())
		require.ElementsMatch(t, []string{"1.11.0", "1.9.0"}, kept())
		require.NoError(t, os.WriteFile(filepath.Join(plugins, "acme", "plugin.json"), []byte("{"), 0o600))
		_, now, err = pluginfile.Rollback(plugins, "acme", "1.9.0")
		require.NoError(t, err, "also from a folder that a portal refuses")
		require.Equal(t, "1.9.0", now)
		_, _, err = pluginfile.Rollback(plugins, "../acme", "")
		require.Error(t, err)

		for _, version := range []string{"1.12.0", "1.13.0", "1.14.0", "1.15.0"} {
			_, err := pluginfile.Install(file(version), plugins)
			require.NoError(t, err)
		}
		require.Equal(t, []string{"1.14.0", "1.13.0", "1.12.0"}, kept(), "the three that were replaced last")
		_, _, err = pluginfile.Rollback(plugins, "acme", "1.9.0")
		require.ErrorContains(t, err, "version 1.9.0 of plugin acme is not kept; these are: 1.14.0, 1.13.0, 1.12.0")
	})
}
