package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/internal/modules/reference"
)

// A mistyped command is an error in every group, including those of modules and of the library, with and without flags.
func TestUnknownCommands(t *testing.T) {
	t.Run("11-command-unknown", func(t *testing.T) {
		var groups []*cobra.Command
		var walk func(*cobra.Command)
		walk = func(c *cobra.Command) {
			if c.HasSubCommands() && (c.RunE == nil && c.Run == nil || c.Annotations[reference.Group] != "") {
				groups = append(groups, c)
			}
			for _, sub := range c.Commands() {
				walk(sub)
			}
		}
		walk(newRoot())
		require.Greater(t, len(groups), 8)
		for _, group := range groups {
			path := strings.Fields(group.CommandPath())[1:]
			sub := group.Commands()[slices.IndexFunc(group.Commands(), (*cobra.Command).IsAvailableCommand)].Name()
			mistyped := sub[:len(sub)-1] + "#"
			for _, more := range [][]string{nil, {"x"}, {"x", "--label", "acme"}, {"--data=y"}} {
				args := append(append(path[:len(path):len(path)], mistyped), more...)
				out, err := run(t, args...)
				unknown, is := err.(*unknownCommand)
				if assert.True(t, is, "%q: %v %s", args, err, out) {
					assert.Empty(t, out, args)
					assert.Contains(t, unknown.near, group.CommandPath()+" "+sub, args)
				}
			}
			out, err := run(t, append([]string{"help"}, append(path[:len(path):len(path)], mistyped)...)...)
			_, is := err.(*unknownCommand)
			assert.True(t, is, "help %s: %v %s", path, err, out)
			for _, ask := range [][]string{path, append(path[:len(path):len(path)], "--help"), append([]string{"help"}, path...)} {
				assert.Contains(t, must(t, ask...), "Usage:\n  "+group.CommandPath()+" [command]\n", ask)
			}
		}
		_, err := run(t, "plugins", "instal", "x")
		require.EqualError(t, err, `there is no command "wattle plugins instal"; did you mean wattle plugins install? (wattle plugins --help lists them)`)
		_, err = run(t, "plugins", "xyzzy")
		require.EqualError(t, err, `there is no command "wattle plugins xyzzy" (wattle plugins --help lists them)`)
		_, err = run(t, "plugins", "--xyzzy")
		require.ErrorContains(t, err, "unknown flag: --xyzzy")
	})
}
