package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The Go half of a module of this repository is compiled, analyzed and tested in a repository of another team. `make outside` does the
// same for both halves.
func TestOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: compiles a module in another Go module")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, copyModule(root, dir))
	// A workspace shares the build cache with the tests of this repository; `make outside` uses the go.mod of docs/modules.md.
	require.NoError(t, write(filepath.Join(dir, "go.mod"), []byte("module "+otherModule+"\n\ngo 1.26.0\n")))
	require.NoError(t, write(filepath.Join(dir, "go.work"), []byte("go 1.26.0\n\nuse (\n\t.\n\t"+strconv.Quote(root)+"\n)\n")))
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOPROXY=off", "GOWORK="+filepath.Join(dir, "go.work"))
		text, err := cmd.CombinedOutput()
		require.NoError(t, err, string(text))
		return string(text)
	}
	t.Run("9-module-outside", func(t *testing.T) {
		packages := run("list", "./...")
		for _, want := range []string{"", "/plugin", "/productionapi"} {
			assert.Contains(t, strings.Fields(packages), otherModule+"/modules/"+key+want)
		}
		run("vet", "./...")
		assert.Contains(t, run("test", "-vet=off", "-v", "-run", "^TestProduction$/^sqlite$", "./modules/production"),
			"--- PASS: TestProduction/sqlite")
	})
}
