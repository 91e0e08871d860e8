package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/pluginhost/plugintest"
)

func TestPluginsCommands(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	t.Run("10-plugin-list,10-grant-list", func(t *testing.T) {
		faults := plugintest.Faults(t, dir)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "grants.json"), []byte(`{"tide": {"hosts": ["api.example.nl"]}}`), 0o600))
		var found []pluginhost.Status
		require.NoError(t, json.Unmarshal([]byte(must(t, "plugins", "list", "--plugins", dir, "--json")), &found))
		of := map[string]pluginhost.Status{}
		for _, s := range found {
			of[s.Folder] = s
		}
		require.Equal(t, []int{len(faults) + 1, len(faults) + 1}, []int{len(found), len(of)})
		require.Equal(t, pluginhost.Status{Folder: "tide", Key: "tide", Version: "1.0.0", Contract: 1, State: "ok", Serving: "1.0.0", Granted: pluginhost.Asks{Core: []string{"*"}, Hosts: []string{"api.example.nl"}}}, of["tide"])
		for _, f := range faults {
			require.Equal(t, "refused", of[f.Name].State, f.Name)
			require.Contains(t, of[f.Name].Detail, f.Sentence)
		}
		table := must(t, "plugins", "list", "--plugins", dir)
		require.Regexp(t, `(?m)^tide +1\.0\.0 +1 +ok +-$`, table)
		require.Regexp(t, `(?m)^tide +hosts: it does not say +api\.example\.nl$`, table)
		require.Regexp(t, `(?m)^field .*refused +Its plugin\.json is not valid: unknown field "colour"\.$`, table)
		require.Equal(t, "[]\n", must(t, "plugins", "list", "--json"))
	})
	t.Run("10-plugin-folder", func(t *testing.T) {
		plugintest.Write(t, dir, plugintest.Plugin{Key: "sealed", Version: "1.2.3", Route: "/sealed"})
		file := filepath.Join(dir, "sealed", "plugin.json")
		want, err := os.ReadFile(file)
		require.NoError(t, errors.Join(err, os.Remove(file)))
		require.Equal(t, "sealed 1.2.3: plugin.json has 4 files\n",
			must(t, "plugins", "seal", filepath.Join(dir, "sealed"), "--binary", "sealed-1.2.3", "--remote", "remote-1.2.3"))
		got, _ := os.ReadFile(file) // an error shows in the comparison
		require.JSONEq(t, string(want), string(got))
	})
}
