package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/modules/reference"
)

const commandsPage = "../../../docs/reference/commands.md"

// TestCommandsPage compares the page with the commands of the program.
func TestCommandsPage(t *testing.T) {
	page := reference.Commands(newRoot())
	if flag.Lookup("update").Value.String() == "true" { // of moduletest
		require.NoError(t, os.WriteFile(commandsPage, []byte(page), 0o644))
	}
	t.Run("11-reference-commands", func(t *testing.T) {
		committed, err := os.ReadFile(commandsPage)
		require.NoError(t, err, "run make generate")
		assert.Equal(t, string(committed), page, "the page is stale: run make generate")
		of := func(command string) string {
			_, own, _ := strings.Cut(page, "\n## wattle "+command+"\n")
			own, _, _ = strings.Cut(own, "\n## ")
			return own
		}
		assert.Contains(t, of("serve"), "| `--drain` | duration | `5s` |")
		assert.Contains(t, page, "\n## wattle marketplace audit\n", "the command of a module")
		assert.NotContains(t, page, "--unsafe", "a hidden flag")
		_, shared, _ := strings.Cut(page, "\n## Flags of many commands\n")
		assert.Contains(t, shared, "| `--data` | string | `data` |")
		assert.NotContains(t, shared, "required", "a command names what it requires itself")
		assert.Contains(t, of("labels vet"), "`--labels`", "a flag of its group")
		assert.Contains(t, of("audit verify"), "| `--label` | string |  | key of the label; without it all |")
		assert.Contains(t, of("marketplace audit"), "| `--label` | string |  | key of the label; without it all |")
		assert.Contains(t, of("staff list"), "| `--label` | string | required | key of the label |")
	})
}
