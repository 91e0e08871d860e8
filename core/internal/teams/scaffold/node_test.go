package scaffold_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/teams/scaffold"
)

// The React part of a module needs a Node version that has everything the SDK imports. An older version fails with one of Node's own syntax
// errors.
func TestNode(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/outages\n", "modules/outages/plugin/main.go": "package main\n",
		"remotes/outages/package.json": "{}"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	install := func(name, script string) {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	ran := filepath.Join(dir, "ran")
	touch, err := exec.LookPath("touch")
	require.NoError(t, err)
	install("npm", touch+" "+ran)
	install("go", touch+" "+ran)
	t.Setenv("PATH", bin) // hides the programs of this machine
	r, err := scaffold.Open(dir, "")
	require.NoError(t, err)
	t.Run("10-modules-node", func(t *testing.T) {
		for node, why := range map[string]string{"": "there is no node in the PATH", "v20.20.2": "node in the PATH is v20.20.2",
			"v21.9.9": "node in the PATH is v21.9.9"} {
			if node != "" {
				install("node", "echo "+node)
			}
			for what, try := range map[string]func() error{
				"test":     func() error { return r.Run(t.Context(), io.Discard, r.Test()) },
				"schema":   func() error { return r.Run(t.Context(), io.Discard, r.Schema("")) },
				"pack":     func() error { return r.Run(t.Context(), io.Discard, r.BuildRemote()) },
				"dev":      func() error { return (&scaffold.Dev{Repo: r}).Check(t.Context()) },
				"packages": func() error { return scaffold.CheckNode(t.Context()) }, // before a repository is written
			} {
				err := try()
				require.ErrorIs(t, err, scaffold.ErrNode, what)
				require.ErrorContains(t, err, "the React half needs Node 22 or newer, and "+why, what)
				require.NotContains(t, err.Error(), "\n", "one sentence")
				require.NoFileExists(t, ran, what)
			}
			require.NoError(t, os.RemoveAll(filepath.Join(bin, "node")))
		}
		install("node", "echo v22.0.0")
		require.NoError(t, r.Run(t.Context(), io.Discard, r.BuildRemote()))
		require.FileExists(t, ran)
		require.NoError(t, (&scaffold.Dev{Repo: r}).Check(t.Context()))
	})
}

func TestSetupChecksNodeFirst(t *testing.T) {
	checkout, dir, bin := tree(t), filepath.Join(t.TempDir(), "outages"), t.TempDir()
	_, err := scaffold.Repository(dir, "/opt/wattle", packagesOf(checkout), scaffold.Module{Key: "outages", Path: "energy.example/outages"})
	require.NoError(t, err)
	ran := filepath.Join(bin, "ran")
	for name, script := range map[string]string{"node": `[ -n "$NONE" ] && exit 127; [ "$1" = --version ] && echo v20.20.2 && exit; exit ${OLD:-1}`, "wattle": "touch " +
		ran + "; exit 3"} {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	target := func(name string) string {
		cmd := exec.CommandContext(t.Context(), "make", "--no-print-directory", "-C", dir, name)
		text, err := cmd.CombinedOutput()
		require.Error(t, err)
		return string(text)
	}
	t.Run("10-modules-node", func(t *testing.T) {
		for _, name := range []string{"setup", "update"} {
			require.Contains(t, target(name), "This needs Node 22 or newer, and node in the PATH is v20.20.2.")
			require.NoFileExists(t, ran, "before the packages")
		}
		t.Setenv("NONE", "1") // as if there were no node
		require.Contains(t, target("setup"), "This needs Node 22 or newer, and node in the PATH is missing.")
		require.NoFileExists(t, ran, "before the packages")
		t.Setenv("NONE", "")
		t.Setenv("OLD", "0")
		require.NotContains(t, target("setup"), "This needs Node")
		require.FileExists(t, ran)
	})
}

func TestSchemaWritesTheClientThatIsThere(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/outages\n", "modules/outages/plugin/main.go": "package main\n"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	r, err := scaffold.Open(dir, "")
	require.NoError(t, err)
	t.Run("10-modules-client", func(t *testing.T) {
		require.False(t, r.HasClient())
		require.Len(t, r.Schema("/generator"), 1, "the documents only")
		api := filepath.Join(dir, "modules/outages/outagesapi")
		require.NoError(t, os.MkdirAll(api, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(api, "client.gen.go"), nil, 0o644))
		require.True(t, r.HasClient())
		require.Len(t, r.Schema(""), 1, "without the generator")
		steps := r.Schema("/generator")
		require.Len(t, steps, 2)
		require.Equal(t, []string{"go", "-C", "/generator", "run", "./cmd", "-key", "outages", "-document",
			filepath.Join(dir, "schemas/openapi/outages.json"), "-folder", api}, steps[1].Args)
	})
}
