package app_test

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/operate/app/apptest"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/moduletest"
)

// Only the plugin's folder is needed: its settings are added to the label schema, and its operations and its remote to the portal.
func TestAPluginIsAddedToThePortal(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds a plugin")
	}
	t.Parallel()
	plugins := moduletest.PluginsDir(t, "fixture", "github.com/wattle-portal/wattle/test/plugin/fixture/plugin")
	home := filepath.Join(plugins, "fixture")
	require.NoError(t, os.MkdirAll(filepath.Join(home, "remote", "h1"), 0o700))
	_, sum := moduletest.Build(t, "github.com/wattle-portal/wattle/test/plugin/fixture/plugin")
	for name, text := range map[string]any{
		"remote/remote.json":   map[string]any{"key": "fixture", "contract": 1, "entry": "h1/entry.js"},
		"remote/messages.json": map[string]any{"nl": map[string]string{}, "en": map[string]string{}},
		"remote/h1/entry.js":   "plugin",
	} {
		raw, err := json.Marshal(text)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(home, name), raw, 0o600))
	}
	_, err := pluginhost.Pack(t.Context(), home, "module", "remote", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	s := apptest.Start(t, apptest.Options{Config: config.Config{Plugins: plugins, Digests: []string{sum}},
		Labels: []apptest.Label{{Key: "alpha", CUE: "modules: fixture: {}"}, {Key: "beta"}}})

	var portal struct {
		Remotes    []struct{ Key, Entry string }
		Operations map[string]any
	}
	a := s.Do(apptest.Call{Path: "/portal"})
	require.Equal(t, 200, a.Status, "the label is good with the plugin's settings: %s", s.Labels.Problems())
	a.JSON(t, &portal)
	require.Len(t, portal.Remotes, 1)
	require.Equal(t, 200, s.Do(apptest.Call{Path: "/" + portal.Remotes[0].Entry}).Status)
	found := false
	for _, op := range s.Registry.Snapshot().Operations() {
		if op.Module == "fixture" && op.Access == "customer" {
			found = true
			require.Contains(t, portal.Operations, op.Name())
			call := apptest.Call{Method: op.Method, Path: op.Path}
			require.Equal(t, 401, s.Do(call).Status, op.Name())
			call.Host = "beta.localhost"
			require.Equal(t, "module_not_enabled", s.Do(call).Code(), op.Name())
		}
	}
	require.True(t, found)
	require.Contains(t, string(s.Do(apptest.Call{Path: "//readyz"}).Body), `"down":[]`)

	t.Run("9-plugin-hung", func(t *testing.T) {
		s, p := s.For(t), s.Plugins.Plugins()[0]
		pid := p.PID()
		require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
		ready := func() (int, string) { a := s.Do(apptest.Call{Path: "//readyz"}); return a.Status, string(a.Body) }
		require.Eventually(t, func() bool {
			status, body := ready()
			require.Equal(t, 200, status, "the rest of the portal is served")
			return strings.Contains(body, `{"name":"plugin fixture","state":"hung","detail":"Its process does not answer`)
		}, time.Minute, 20*time.Millisecond)
		a := s.Do(apptest.Call{Path: "/portal"})
		require.Equal(t, 200, a.Status)
		a.JSON(t, &portal)
		require.Len(t, portal.Remotes, 1, "its frames stay")
		require.NoError(t, syscall.Kill(pid, syscall.SIGCONT))
		require.Eventually(t, func() bool {
			_, body := ready()
			return strings.Contains(body, `{"name":"plugin fixture","state":"ok"}`)
		}, time.Minute, 20*time.Millisecond)
		require.Equal(t, []string(nil), s.Labels.ByKey("alpha").Missing)
	})
}
