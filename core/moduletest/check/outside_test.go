package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mistakes is a module of another team with one mistake of each kind that newcomers make. Its path does not contain modules/.
const mistakes = `// Package heat is a module of another team.
package heat

import (
	"context"
	"time"

	"github.com/wattle-portal/wattle/core/module"
	_ "github.com/wattle-portal/wattle/modules/usage"
)

type pump struct {
	Label string ` + "`bun:\"label_key,pk\"`" + `
	ID    string ` + "`bun:\"id,pk\"`" + `
}

// Late passes a reason that is not a literal, and uses the time of the machine.
func Late(ctx context.Context, db module.Querier, why string) (bool, error) {
	var ids []string
	err := module.Label(ctx, why).Select(db, (*pump)(nil)).Column("id").Scan(ctx, &ids)
	return time.Now().Year() > 2026 && module.ScopeOf(ctx).Label == "1042", err
}
`

// A team outside this repository runs the analyzer as a tool of its own Go module.
func TestOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: compiles the analyzer in another Go module")
	}
	t.Run("9-module-check-outside", func(t *testing.T) {
		out, err := exec.CommandContext(t.Context(), "go", "env", "GOMOD").Output()
		require.NoError(t, err)
		root := filepath.Dir(strings.TrimSpace(string(out)))
		own, err := os.ReadFile(filepath.Join(root, "go.mod"))
		require.NoError(t, err)
		sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
		require.NoError(t, err)

		// The test follows docs/modules.md, except for "go mod tidy", which needs the network: it copies the requirements of the portal
		// instead.
		dir := t.TempDir()
		write := func(name, text string) {
			t.Helper()
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		write("go.mod", regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(own), "module acme.example/heat")+
			"\ntool github.com/wattle-portal/wattle/core/moduletest/check\n"+
			"\nrequire github.com/wattle-portal/wattle v0.0.0\n\nreplace github.com/wattle-portal/wattle => "+root+"\n")
		write("go.sum", string(sums))
		write("heat.go", mistakes)
		run := func(args ...string) (string, error) {
			t.Helper()
			cmd := exec.CommandContext(t.Context(), "go", args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod")
			text, err := cmd.CombinedOutput()
			return string(text), err
		}
		for _, args := range [][]string{{"tool", "check"}, {"run", "github.com/wattle-portal/wattle/core/moduletest/check"}} {
			found, err := run(append(args, "-labels", filepath.Join(root, "labels"), "./...")...)
			require.Error(t, err, found)
			for _, want := range []string{
				"heat.go:9:2: a module imports of a sibling only usageapi: call it with Host.Client",
				"heat.go:20:", "the reason of module.Label is a text literal",
				"heat.go:21:14: time.Now: the time of a module is Host.Now",
				"heat.go:21:", "1042",
			} {
				require.Contains(t, found, want)
			}
		}
		right := strings.NewReplacer("\t_ \"github.com/wattle-portal/wattle/modules/usage\"\n", "", "why)", `"a pump has no relation")`,
			`time.Now().Year() > 2026 && module.ScopeOf(ctx).Label == "1042"`, `len(ids) > int(time.January)`).Replace(mistakes)
		write("heat.go", right)
		found, err := run("tool", "check", "-labels", filepath.Join(root, "labels"), "./...")
		require.NoError(t, err, found)
	})
}
