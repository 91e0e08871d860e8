package program_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost/plugintest"
)

// Commands on the data of core start no plugins, and their output is their result.
func TestQuietCommands(t *testing.T) {
	t.Parallel()
	program := wattle(t, "0.1.0")
	place, _ := newInstallation(t, program)
	cue, err := os.OpenFile(filepath.Join(place[1], "acme", "label.cue"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = cue.WriteString("\nmodules: tide: {height: 3}\n")
	require.NoError(t, errors.Join(err, cue.Close()))
	plugins := t.TempDir()
	started := filepath.Join(t.TempDir(), "started")
	require.NoError(t, os.Chmod(plugins, 0o700))
	plugintest.Write(t, plugins, plugintest.Plugin{NoBinary: true, Change: func(t testing.TB, folder string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "tide-1.0.0"), []byte("#!/bin/sh\ntouch "+started+"\n"), 0o700))
	}})
	at := func(args ...string) []string { return append(append(args, "--plugins", plugins), place...) }
	t.Run("11-command-quiet", func(t *testing.T) {
		for _, c := range []struct {
			args  []string
			lines int
		}{
			{at("staff", "list", "--label", "acme"), 1},
			{at("staff", "add", "--label", "acme", "--username", "anna", "--email", "anna@example.org", "--name", "Anna"), 2},
			{at("staff", "disable", "--label", "acme", "--username", "anna"), 1},
			{at("keys", "add", "--label", "acme", "--name", "erp", "--scopes", "tide:read,webhooks"), 2},
			{at("keys", "list", "--label", "acme"), 2},
			{at("keys", "revoke", "--label", "acme", "--name", "erp"), 1},
			{at("labels", "retire", "acme"), 2},
			{at("labels", "retire", "--undo", "acme"), 1},
			{at("audit", "verify"), 1},
		} {
			out := must(t, program, c.args...)
			assert.Equal(t, c.lines, strings.Count(out, "\n"), "%q: %s", c.args, out)
			assert.NoFileExists(t, started, "%q", c.args)
		}
		_, err := run(t, program, at("keys", "add", "--label", "acme", "--name", "erp", "--scopes", "wave:read")...)
		assert.Error(t, err, "the scope of no module")
		must(t, program, at("migrate")...)
		assert.FileExists(t, started, "a command that needs plugins starts them")
	})
}
