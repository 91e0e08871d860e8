package main

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/modules/reference"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
)

const commandsPage = "../../../docs/reference/commands.md"

// TestCommandsPage compares the commands page with the commands of the program.
func TestCommandsPage(t *testing.T) {
	page := reference.Commands(newRoot(), config.Groups(), config.Group)
	if flag.Lookup("update").Value.String() == "true" { // the flag of moduletest
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
		_, shared, _ := strings.Cut(page, "\n## Shared flags\n")
		count := 0
		var walk func(c *cobra.Command)
		walk = func(c *cobra.Command) {
			for _, sub := range c.Commands() {
				name := strings.TrimPrefix(sub.CommandPath(), "wattle ")
				if sub.Hidden {
					assert.NotContains(t, page, "\n## wattle "+name+"\n", "hidden")
				}
				if !sub.IsAvailableCommand() || sub.Name() == "help" || sub.Name() == "completion" {
					continue
				}
				count++
				require.Contains(t, page, "\n## wattle "+name+"\n")
				own := of(name)
				sub.LocalFlags().VisitAll(func(f *pflag.Flag) {
					row := "\n| `--" + f.Name + "` | "
					switch {
					case f.Name == "help" || !reference.Runs(sub):
					case f.Hidden:
						assert.NotContains(t, own, "`--"+f.Name+"`", name)
					default:
						where := own
						if !strings.Contains(own, row) {
							require.Contains(t, own, "`--"+f.Name+"`", name)
							where = shared
						}
						assert.Contains(t, where, row, name)
						if d := reference.Default(f); d != "" && d != "[]" && d != "false" {
							assert.Regexp(t, regexp.QuoteMeta(row)+`[^|]* \| `+regexp.QuoteMeta("`"+d+"` |"), where, name)
						}
					}
				})
				walk(sub)
			}
		}
		walk(newRoot())
		require.Greater(t, count, 50)
		assert.Contains(t, shared, "| `--drain` | duration | `5s` |")
		t.Run("11-upgrade-back", func(t *testing.T) { // a new program has 60 seconds
			assert.Contains(t, of("upgrade"), "| `--healthy-within` | duration | `1m` |")
		})
		assert.Contains(t, page, "\n## wattle marketplace audit\n", "the command of a module")
		assert.NotContains(t, page, "--unsafe", "a hidden flag")
		assert.Contains(t, shared, "| `--data` | string | `data` |")
		assert.NotContains(t, shared, "required", "a command names what it requires itself")
		assert.Contains(t, of("labels vet"), "`--labels`", "a flag of its group")
		assert.Contains(t, of("audit verify"), "| `--label` | string |  | key of the label; if empty, all labels |")
		assert.Contains(t, of("marketplace audit"), "| `--label` | string |  | key of the label; if empty, all labels |")
		assert.Contains(t, of("staff list"), "| `--label` | string | required | key of the label |")
	})
}
