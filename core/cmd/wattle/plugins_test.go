package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/modules/contract"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginfile"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/plugintest"
)

func TestPluginsCommands(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	t.Run("10-plugin-list,10-grant-list,10-grant-asked", func(t *testing.T) {
		faults := plugintest.Faults(t, dir)
		plugintest.Write(t, dir, plugintest.Plugin{Key: "asker", Uses: []string{"acme", "ebb"}, Spec: func(s map[string]any) {
			s["permissions"] = map[string]any{"modules": []string{"acme", "ebb"}, "core": []string{"accounts", "files"},
				"hosts": []string{"a.example.nl", "b.example.nl"}}
		}})
		require.NoError(t, os.WriteFile(filepath.Join(dir, "grants.json"), []byte(`{"tide": {"hosts": ["api.example.nl"]},
			"asker": {"modules": ["ebb"], "core": ["files", "limits"], "hosts": ["a.example.nl", "c.example.nl"]}}`), 0o600))
		t.Chdir(t.TempDir())
		table := must(t, "plugins", "list", "--plugins", dir)
		var found []pluginhost.Status
		require.NoError(t, json.Unmarshal([]byte(must(t, "plugins", "list", "--plugins", dir, "--json")), &found))
		of := map[string]pluginhost.Status{}
		for _, s := range found {
			of[s.Folder] = s
		}
		require.Equal(t, []int{len(faults) + 2, len(faults) + 2}, []int{len(found), len(of)})
		require.Equal(t, pluginhost.Status{Folder: "tide", Key: "tide", Version: "1.0.0", Contract: 1, State: "ok", Serving: "1.0.0",
			Granted: pluginhost.Permissions{Core: []string{"*"}, Hosts: []string{"api.example.nl"}}}, of["tide"])
		for _, f := range faults {
			require.Equal(t, "refused", of[f.Name].State, f.Name)
			require.Contains(t, of[f.Name].Detail, f.Sentence)
			require.Regexp(t, `(?m)^`+regexp.QuoteMeta(f.Name)+` .*refused +`+regexp.QuoteMeta(f.Sentence), table, "the same in the table")
		}
		require.Equal(t, pluginhost.Status{Folder: "asker", Key: "asker", Version: "1.0.0", Contract: 1, State: "ok", Serving: "1.0.0",
			Requested: pluginhost.Permissions{Modules: []string{"acme", "ebb"}, Core: []string{"accounts", "files"},
				Hosts: []string{"a.example.nl", "b.example.nl"}},
			Granted: pluginhost.Permissions{Modules: []string{"ebb"}, Core: []string{"files"}, Hosts: []string{"a.example.nl"}}}, of["asker"],
			"of what it asks for, what is granted; of what is granted, what it asks for")
		require.NoDirExists(t, "data", "the data of the plugins are temporary")
		require.Regexp(t, `(?m)^asker +modules: acme, ebb +ebb\nasker +core: accounts, files +files\nasker +hosts: a\.example\.nl, b\.example\.nl +a\.example\.nl$`, table)
		require.Regexp(t, `(?m)^tide +1\.0\.0 +1 +ok +-$`, table)
		require.Regexp(t, `(?m)^tide +hosts: it does not say +api\.example\.nl$`, table)
		require.Regexp(t, `(?m)^field .*refused +Its plugin\.json is not valid: unknown field "colour"\.$`, table)
		require.Equal(t, "[]\n", must(t, "plugins", "list", "--json"))
	})
	t.Run("10-plugin-folder", func(t *testing.T) {
		plugintest.Write(t, dir, plugintest.Plugin{Key: "sealed", Version: "1.2.3", Route: "/sealed", Uses: []string{"acme"}})
		folder := filepath.Join(dir, "sealed")
		file := filepath.Join(folder, "plugin.json")
		require.NoError(t, os.Remove(file))
		require.Equal(t, "sealed 1.2.3: plugin.json has 4 files\n",
			must(t, "plugins", "seal", folder, "--binary", "sealed-1.2.3", "--remote", "remote-1.2.3"))
		sum := func(name string) string {
			content, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
			require.NoError(t, err)
			return fmt.Sprintf("%x", sha256.Sum256(content))
		}
		binary, err := os.Stat(filepath.Join(folder, "sealed-1.2.3"))
		require.NoError(t, err)
		want := map[string]any{"key": "sealed", "version": "1.2.3", "contract": float64(contract.Current),
			"binary": "sealed-1.2.3", "remote": "remote-1.2.3", "size": float64(binary.Size()), "sha256": sum("sealed-1.2.3"),
			"permissions": map[string]any{"modules": []any{"acme"}}, "files": map[string]any{
				"remote-1.2.3/remote.json":   sum("remote-1.2.3/remote.json"),
				"remote-1.2.3/messages.json": sum("remote-1.2.3/messages.json"),
				"remote-1.2.3/b123/entry.js": sum("remote-1.2.3/b123/entry.js")}}
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		var got map[string]any
		require.NoError(t, json.Unmarshal(raw, &got))
		require.Equal(t, want, got)
	})
}

// The commands only change files, and a running portal applies the changes (package app).
func TestPluginsInstalledAndTakenOut(t *testing.T) {
	t.Parallel()
	dir, data := filepath.Join(t.TempDir(), "plugins"), t.TempDir()
	at := func(args ...string) []string { return append(append([]string{"plugins"}, args...), "--plugins", dir) }
	refused := func(sentence string, args ...string) {
		t.Helper()
		_, err := run(t, args...)
		require.ErrorContains(t, err, sentence)
	}
	file := func(version string) string {
		from, file := t.TempDir(), filepath.Join(t.TempDir(), "tide.wattle")
		plugintest.Write(t, from, plugintest.Plugin{Version: version, NoBinary: true})
		var b bytes.Buffer
		require.NoError(t, errors.Join(pluginfile.Write(&b, filepath.Join(from, "tide")), os.WriteFile(file, b.Bytes(), 0o600)))
		return file
	}
	t.Run("10-plugin-rollback", func(t *testing.T) {
		must(t, at("install", file("1.0.0"))...)
		refused("no other version of the plugin is kept; install one", at("rollback", "tide")...)
		must(t, at("install", file("1.1.0"))...)
		require.Equal(t, "plugin tide is rolled back from 1.1.0 to 1.0.0\n", must(t, at("rollback", "tide")...))
		refused("version 1.2.0 of plugin tide is not kept; these are: 1.1.0", at("rollback", "tide", "--to", "1.2.0")...)
		require.Equal(t, "plugin tide is rolled back from 1.0.0 to 1.1.0\n", must(t, at("rollback", "tide", "--to", "1.1.0")...))
		must(t, at("install", "--beside", file("1.0.0"))...)
		require.Equal(t, "plugin tide is rolled back from 1.1.0 to 1.0.0\n", must(t, at("rollback", "tide")...))
	})
	t.Run("10-plugin-disable", func(t *testing.T) {
		require.Equal(t, "plugin tide is disabled\n", must(t, at("disable", "tide")...))
		require.Regexp(t, `(?m)^tide\S* +1\.0\.0 +1 +disabled +It is disabled; wattle plugins enable tide brings it back\.$`,
			must(t, at("list")...))
		require.Contains(t, must(t, at("install", file("1.1.0"))...), "It is disabled; wattle plugins enable tide brings it back.\n")
		require.Equal(t, "plugin tide is enabled\n", must(t, at("enable", "tide")...))
	})
	t.Run("10-plugin-logs", func(t *testing.T) {
		line := func(ago time.Duration, message string) string {
			return fmt.Sprintf(`{"time":%q,"level":"INFO","msg":%q,"n":"1"}`+"\n", time.Now().Add(-ago).Format(time.RFC3339Nano), message)
		}
		require.NoError(t, errors.Join(os.Mkdir(filepath.Join(data, "plugin-logs"), 0o700),
			os.WriteFile(filepath.Join(data, "plugin-logs/tide.log"), []byte(line(61*time.Minute, "long ago")+line(55*time.Minute, "lately")+
				line(0, "rung by a customer")), 0o600)))
		logs := func(args ...string) string {
			return must(t, append([]string{"plugins", "logs", "tide", "--data", data}, args...)...)
		}
		require.Regexp(t, `(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d INFO  rung by a customer n="1"$`, logs())
		require.Regexp(t, `(?s)lately.*rung by a customer`, logs())
		require.NotContains(t, logs(), "long ago", "of the last hour")
		require.Contains(t, logs("--since", "2h"), "long ago")
		require.Contains(t, logs("--json"), `"message":"rung by a customer"`)
		require.Empty(t, logs("--since", "0s"))
		refused("there is no log of plugin ebb in ", "plugins", "logs", "ebb", "--data", data)
	})
	database := filepath.Join(data, "plugins/tide/notes")
	t.Run("10-plugin-remove", func(t *testing.T) {
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(database), 0o700), os.WriteFile(database, []byte("stored"), 0o600)))
		refused("--database-file: open /nowhere", at("remove", "tide", "--delete-data", "--data", data, "--database-file", "/nowhere")...)
		require.Regexp(t, `^plugin tide 1\.\d\.0(, 1\.\d\.0)* is removed\n$`, must(t, at("remove", "tide")...), "it is still there")
		require.FileExists(t, database, "its data stays")
		require.FileExists(t, filepath.Join(data, "plugin-logs/tide.log"))
		refused("there is no such plugin", at("remove", "tide")...)
	})
	t.Run("10-plugin-remove-data", func(t *testing.T) {
		if testing.Short() {
			t.Skip("make test-all: waits for the end of a process")
		}
		require.Equal(t, "the data of plugin tide is deleted\n", must(t, at("remove", "tide", "--delete-data", "--data", data)...), "it was removed before")
		require.NoDirExists(t, filepath.Dir(database))
		require.NoFileExists(t, filepath.Join(data, "plugin-logs/tide.log"))
		refused("there is no such plugin", at("remove", "tide", "--delete-data", "--data", data)...)
	})
}
