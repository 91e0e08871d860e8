package arch

//go:generate go test . -run TestContractIsRecorded -update

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the files in docs/reference/go")

// TestContractIsRecorded compares the documentation of every package of the contract with its committed file, so that a reviewer sees every
// change to the contract. "make generate" writes the files.
func TestContractIsRecorded(t *testing.T) {
	t.Run("10-reference-go", func(t *testing.T) {
		const folder = "docs/reference/go"
		// the packages in docs/contract.md: for modules, for their tests and for the main function of a plugin
		packages := append(slices.Clone(contract), "core/moduletest", "core/portaltest", "core/plugin")
		var want []string
		for _, name := range packages {
			text := documented(t, "./"+name)
			if name == "core/module" {
				text += "\n\n" + documented(t, "./core/internal/base/scope", "Scope") // module.Scope is this type
			}
			file := filepath.Join(folder, filepath.Base(name)+".txt")
			want = append(want, file)
			if *update {
				require.NoError(t, os.MkdirAll(filepath.Join(root, folder), 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o644))
				continue
			}
			have, err := os.ReadFile(filepath.Join(root, file))
			require.NoError(t, err, "run make generate")
			assert.Equal(t, string(have), text, "%s: the contract has changed; if that is meant, run make generate, and say in docs/contract.md what modules must change", file)
		}
		have, err := filepath.Glob(filepath.Join(root, folder, "*"))
		require.NoError(t, err)
		for i, file := range have {
			have[i], err = filepath.Rel(root, file)
			require.NoError(t, err)
		}
		assert.ElementsMatch(t, want, have)
	})
}

// documented returns the output of go doc for a package or a type.
func documented(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"doc", "-all"}, args...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return strings.TrimSpace(string(out)) + "\n"
}
