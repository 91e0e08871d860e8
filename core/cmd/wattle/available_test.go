package main

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/moduletest"
)

// Commands that do not run plugins read the manifests of their binaries.
func TestCommandsIncludePlugins(t *testing.T) {
	t.Run("9-vet-plugins", func(t *testing.T) {
		plugins, labels := moduletest.PluginsDir(t, "fixture", "github.com/wattle-portal/wattle/test/plugin/fixture/plugin"), t.TempDir()
		listed := func(args ...string) (out map[string]bool) {
			t.Helper()
			var list []struct {
				Key     string
				Version string
				Plugin  bool
				Imports []string
			}
			require.NoError(t, json.Unmarshal([]byte(must(t, append([]string{"modules", "list", "--json"}, args...)...)), &list))
			out = map[string]bool{}
			for _, m := range list {
				require.NotEmpty(t, m.Version, m.Key)
				out[m.Key] = m.Plugin
			}
			return out
		}
		require.NotContains(t, listed(), "fixture")
		with := listed("--plugins", plugins)
		require.True(t, with["fixture"])
		require.Contains(t, with, "account")
		require.False(t, with["account"])
		require.Regexp(t, `(?m)^fixture .* plugin$`, must(t, "modules", "list", "--plugins", plugins))

		must(t, "labels", "new", "acme", "--labels", labels)
		file := filepath.Join(labels, "acme", "label.cue")
		good, err := os.ReadFile(file)
		require.NoError(t, err)
		write := func(more string) {
			t.Helper()
			require.NoError(t, os.WriteFile(file, append(append([]byte{}, good...), more...), 0o600))
		}
		write("\nmodules: fixture: greeting: \"Moi\"\n")
		out, err := run(t, "labels", "vet", "--labels", labels)
		require.Equal(t, exitStatus(1), err)
		require.Contains(t, out, "there is no module fixture")
		must(t, "labels", "vet", "--labels", labels, "--plugins", plugins)
		require.Contains(t, must(t, "labels", "list", "--labels", labels, "--plugins", plugins), "fixture")
		must(t, "labels", "new", "other", "--labels", labels)
		require.Contains(t, must(t, "labels", "diff", "acme", "other", "--labels", labels, "--plugins", plugins), "modules.fixture.greeting")
		_, err = run(t, "labels", "diff", "acme", "other", "--labels", labels)
		require.ErrorContains(t, err, "there is no module fixture")
		write("\nmodules: fixture: greting: \"Moi\"\n")
		out, err = run(t, "labels", "vet", "--labels", labels, "--plugins", plugins)
		require.Equal(t, exitStatus(1), err)
		require.Contains(t, out, "modules.fixture.greting: there is no such field")

		// A binary that the operator does not allow is not run, and its labels are checked without it.
		write("\nmodules: fixture: greeting: \"Moi\"\n")
		out, err = run(t, "labels", "vet", "--labels", labels, "--plugins", plugins, "--plugin-digest", "00")
		require.Equal(t, exitStatus(1), err)
		require.Regexp(t, "fixture.*the operator does not allow this binary", out)
		require.Contains(t, out, "modules.fixture: the plugin of this module is not running")
		_, err = run(t, "labels", "vet", "--labels", labels, "--plugins", filepath.Join(plugins, "nowhere"))
		require.Error(t, err)

		// Texts and items come from the folder of the plugin's remote.
		folder := filepath.Join(plugins, "fixture")
		require.NoError(t, os.MkdirAll(filepath.Join(folder, "remote"), 0o700))
		for name, content := range map[string]string{"remote.json": `{"key":"fixture"}`, "messages.json": `{}`} {
			require.NoError(t, os.WriteFile(filepath.Join(folder, "remote", name), []byte(content), 0o600))
		}
		_, err = pluginhost.Pack(t.Context(), folder, "module", "remote", slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		cmd := newRoot()
		cmd.SetContext(t.Context())
		known, err := availableModules(cmd, &config.Config{Plugins: plugins, Labels: labels})
		require.NoError(t, err)
		require.Equal(t, map[string]string{"fixture": filepath.Join(folder, "remote")}, known.remotes)
	})
}
