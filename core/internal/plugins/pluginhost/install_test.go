package pluginhost_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

// The same binary under a different name, and a copy whose binary was removed, are copied again.
func TestInstallAgain(t *testing.T) {
	t.Parallel()
	t.Run("10-plugin-copied-again", func(t *testing.T) {
		plugins, data, program := t.TempDir(), t.TempDir(), []byte("a program")
		require.NoError(t, os.Chmod(plugins, 0o700))
		dir := filepath.Join(plugins, "tips")
		install := func(name string) (binary string) {
			t.Helper()
			require.NoError(t, os.RemoveAll(dir))
			require.NoError(t, os.Mkdir(dir, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), program, 0o700))
			_, err := pluginhost.Seal(dir, pluginhost.Spec{Key: "tips", Version: "1.0.0", Binary: name})
			require.NoError(t, err)
			binary, err = pluginhost.Install(dir, data)
			require.NoError(t, err, name)
			copied, err := os.ReadFile(binary)
			require.NoError(t, err)
			require.Equal(t, program, copied)
			info, err := os.Stat(binary)
			require.NoError(t, err)
			require.NotZero(t, info.Mode()&0o100, "it can be run")
			return binary
		}
		first := install("tips-1")
		require.Equal(t, first, install("tips-1"), "there is such a copy")
		second := install("tips-2")
		require.FileExists(t, first, "a process may run from it")
		require.Equal(t, first, install("tips-1"), "back to the first name")

		require.NoError(t, os.Remove(second))
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(second), "left"), nil, 0o600))
		require.Equal(t, second, install("tips-2"))
	})
}
