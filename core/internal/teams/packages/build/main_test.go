package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/teams/packages"
)

func checkout(t *testing.T) *build {
	t.Helper()
	root, err := filepath.Abs("../../../../..")
	require.NoError(t, err)
	b, err := open(root)
	if err != nil {
		t.Skip("no git checkout")
	}
	return b
}

func TestGoModule(t *testing.T) {
	t.Run("10-packages-reproducible", func(t *testing.T) {
		first, second := map[string][]byte{}, map[string][]byte{}
		b := checkout(t)
		require.NoError(t, b.goModule(first))
		later := checkout(t)
		require.NoError(t, later.goModule(second))
		require.NoError(t, b.archives(first))
		require.NoError(t, later.archives(second))
		require.Equal(t, b.about, later.about)
		require.Len(t, first, 6)
		for name, content := range first {
			assert.True(t, string(content) == string(second[name]), name)
		}
		assert.Regexp(t, `^v\d+\.\d+\.\d+(-dev\.h[0-9a-f]{12})?$`, b.about.Go)

		z, err := zip.NewReader(bytes.NewReader(first[packages.Clients]), int64(len(first[packages.Clients])))
		require.NoError(t, err)
		for _, name := range []string{"go.mod", "go.sum", "clients.go", "client.tmpl", "cmd/main.go"} { // 10-modules-client
			_, err := z.Open(name)
			require.NoError(t, err)
		}
		z, err = zip.NewReader(bytes.NewReader(first[packages.Template]), int64(len(first[packages.Template])))
		require.NoError(t, err)
		// 10-module-new-outside
		for _, name := range []string{".ci/run", "Makefile", "modules/mykey/module.go", "labels/demo/demo/people.json"} {
			_, err := z.Open(name)
			require.NoError(t, err)
		}
		t.Run("10-module-go-mod", func(t *testing.T) {
			if testing.Short() {
				t.Skip("make test-all: lists all packages and their tests")
			}
			program, err := b.ofProgram()
			require.NoError(t, err)
			assert.Contains(t, program, "github.com/spf13/cobra")
			for _, used := range []string{"github.com/uptrace/bun", "github.com/stretchr/testify", "golang.org/x/tools", packages.Module} {
				assert.NotContains(t, program, used)
			}
		})
		for name, content := range first {
			b.about.Files[name] = sum(content)
		}
		raw, err := b.provenance()
		require.NoError(t, err)
		var statement struct {
			Subject []struct {
				Name   string
				Digest map[string]string
			}
			Predicate struct {
				BuildDefinition struct {
					ResolvedDependencies []struct{ Digest map[string]string }
				}
			}
		}
		require.NoError(t, json.Unmarshal(raw, &statement))
		require.Len(t, statement.Subject, len(first))
		for _, s := range statement.Subject {
			assert.Equal(t, sum(first[s.Name]), s.Digest["sha256"], s.Name)
		}
		commit, err := b.git("rev-parse", "HEAD")
		require.NoError(t, err)
		require.Regexp(t, `^[0-9a-f]{40}\s$`, commit)
		assert.Equal(t, strings.TrimSpace(commit), statement.Predicate.BuildDefinition.ResolvedDependencies[0].Digest["gitCommit"])
	})
}

// Folders with their own go.mod are excluded from the Go module of a tag, too.
func TestGoFiles(t *testing.T) {
	b := checkout(t)
	files := b.goFiles()
	for _, name := range []string{"go.mod", "LICENSE", "core/module/module.go", "core/portaltest/portal.go",
		"core/internal/http/assets/dist/.keep"} {
		assert.Contains(t, files, name)
	}
	for _, folder := range []string{"docs/screens/", "docs/examples/outages/", "core/cmd/wattle/testdata/stored/", "tools/clients/", "bin/",
		"node_modules/"} {
		assert.False(t, slices.ContainsFunc(files, func(name string) bool { return strings.HasPrefix(name, folder) }), folder)
	}
	_, err := open(t.TempDir())
	require.ErrorIs(t, err, errNoGit)
	made := map[string][]byte{}
	require.NoError(t, b.goModule(made))
	assert.Less(t, len(made[packages.Proxied(b.about.Go, "zip")]), 8<<20, "the program has it")
}

func TestVersion(t *testing.T) {
	t.Run("11-release-version,10-packages-reproducible", func(t *testing.T) {
		root := t.TempDir()
		git := func(args ...string) {
			cmd := exec.Command("git", append([]string{"-c", "user.name=Anna", "-c", "user.email=anna@example.org"}, args...)...)
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
		}
		require.NoError(t, os.WriteFile(filepath.Join(root, "package.json"), []byte(`{"version":"1.2.3"}`), 0o600))
		git("init", "--quiet")
		git("add", ".")
		git("commit", "--quiet", "--message", "First")
		version := func() string {
			b, err := open(root)
			require.NoError(t, err)
			return b.about.Go
		}
		first := version()
		require.Regexp(t, `^v1\.2\.3-dev\.h[0-9a-f]{12}$`, first)
		require.Equal(t, first, version(), "the same sources")
		require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.org/x\n"), 0o600))
		git("add", ".")
		git("commit", "--quiet", "--message", "Second")
		require.NotEqual(t, first, version(), "other sources")
		git("tag", "deployed")
		git("tag", "v1.2.4")
		_, err := open(root)
		require.EqualError(t, err, "packages: this commit has the tag v1.2.4, and package.json the version 1.2.3: set the version before the tag")
		git("tag", "v1.2.3")
		require.Equal(t, "v1.2.3", version())
		require.NoError(t, os.WriteFile(filepath.Join(root, "package.json"), []byte(`{"version": "1.2.3"}`), 0o600))
		require.Regexp(t, `^v1\.2\.3-dev\.h[0-9a-f]{12}$`, version(), "a checkout with changes")
	})
}
