package scaffold_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/scaffold"
)

// The React half of a module needs a Node that has what the SDK imports; an older one fails with a syntax error of Node itself.
func TestNode(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/outages\n", "modules/outages/plugin/main.go": "package main\n", "remotes/outages/package.json": "{}"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	install := func(name, script string) {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	ran := filepath.Join(dir, "ran")
	install("npm", "touch "+ran)
	install("node", "echo v20.20.2")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	r, err := scaffold.Open(dir, "")
	require.NoError(t, err)
	t.Run("10-modules-node", func(t *testing.T) {
		err := r.Run(t.Context(), io.Discard, r.BuildRemote())
		require.ErrorIs(t, err, scaffold.ErrNode)
		require.ErrorContains(t, err, "the React half needs Node 22 or newer, and node in the PATH is v20.20.2")
		require.NoFileExists(t, ran)
		require.ErrorIs(t, (&scaffold.Dev{Repo: r}).Check(t.Context()), scaffold.ErrNode)
		install("node", "echo v22.1.0")
		require.NoError(t, r.Run(t.Context(), io.Discard, r.BuildRemote()))
		require.FileExists(t, ran)
		require.NoError(t, (&scaffold.Dev{Repo: r}).Check(t.Context()))
	})
}
