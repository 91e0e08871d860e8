package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/packages"
)

func checkout(t *testing.T) *build {
	t.Helper()
	root, err := filepath.Abs("../../../..")
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
		again := checkout(t)
		require.NoError(t, again.goModule(second))
		require.Equal(t, b.about, again.about)
		require.Len(t, first, 4)
		for name, content := range first {
			assert.True(t, string(content) == string(second[name]), name)
		}
		assert.Regexp(t, `^v\d+\.\d+\.\d+(-dev\.h[0-9a-f]{12})?$`, b.about.Go)

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
		}
		require.NoError(t, json.Unmarshal(raw, &statement))
		require.Len(t, statement.Subject, len(first))
		for _, s := range statement.Subject {
			assert.Equal(t, sum(first[s.Name]), s.Digest["sha256"], s.Name)
		}
	})
}

// Folders with a go.mod of their own are not in the Go module of a tag either.
func TestGoFiles(t *testing.T) {
	b := checkout(t)
	files := b.goFiles()
	for _, name := range []string{"go.mod", "LICENSE", "core/module/module.go", "core/portaltest/portal.go", "docs/docs.go", "core/internal/assets/dist/.keep"} {
		assert.Contains(t, files, name)
	}
	for _, folder := range []string{"docs/screens/", "core/cmd/wattle/testdata/former/", "tools/clients/", "bin/", "node_modules/"} {
		assert.False(t, slices.ContainsFunc(files, func(name string) bool { return strings.HasPrefix(name, folder) }), folder)
	}
	_, err := open(t.TempDir())
	require.ErrorIs(t, err, errNoGit)
	made := map[string][]byte{}
	require.NoError(t, b.goModule(made))
	assert.Less(t, len(made[packages.Proxied(b.about.Go, "zip")]), 7<<20, "the program has it")
}
