package main

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wattle-portal/wattle/core/command"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules"
)

// A module adds commands that run for each label with the module.
func TestCommandsOfModules(t *testing.T) {
	account := slices.IndexFunc(modules.All, func(m module.Module) bool { return m.Key == "account" })
	before := modules.All
	modules.All = slices.Clone(before)
	t.Cleanup(func() { modules.All = before })
	findings := 0
	modules.All[account].Commands = command.Group{Short: "Manage accounts", All: []command.Command{
		{Name: "count", Args: []string{"WORD"}, Short: "Count", Run: func(ctx context.Context, c command.Call) (int, error) {
			if module.ScopeOf(ctx).Label != c.Label {
				return 0, fmt.Errorf("the scope is of %s", module.ScopeOf(ctx).Label)
			}
			_, err := fmt.Fprintf(c.Out, "%s %s\n", c.Label, c.Args[0])
			return findings, err
		}},
		{Name: "prove", Short: "Prove", Audit: true, Run: func(context.Context, command.Call) (int, error) { return 0, nil }},
	}}
	place := []string{"--labels", shipped, "--data", t.TempDir()}
	t.Run("9-module-commands", func(t *testing.T) {
		out := must(t, append([]string{"account", "count", "word"}, place...)...)
		require.Contains(t, out, "1024 word\n")
		require.Contains(t, out, "1042 word\n")
		require.Equal(t, "1042 word\n", must(t, append([]string{"account", "count", "word", "--label", "1042"}, place...)...))
		findings = 1
		out, err := run(t, append([]string{"account", "count", "word"}, place...)...)
		require.ErrorIs(t, err, exitStatus(1))
		require.Contains(t, out, "1042 word\n", "the labels after one with findings are looked at too")
		_, err = run(t, append([]string{"account", "count"}, place...)...)
		require.ErrorContains(t, err, "missing WORD")
		_, err = run(t, append([]string{"account", "count", "word", "--label", "nobody"}, place...)...)
		require.ErrorContains(t, err, "there is no label nobody")
	})
	t.Run("9-module-audits", func(t *testing.T) {
		require.Equal(t, []string{"`wattle audit verify`", "`wattle account prove`", "`wattle marketplace audit`"}, audits())
	})
}

func TestTwoCommandsOfOneName(t *testing.T) {
	nothing := func(context.Context, command.Call) (int, error) { return 0, nil }
	add := func(key string, c command.Command) func() {
		return func() {
			addGroup(newRoot(), module.Manifest{Key: key, Commands: command.Group{All: []command.Command{c}}})
		}
	}
	require.NotPanics(t, add("staff", command.Command{Name: "count", Run: nothing}), "core has commands of that name, but not this one")
	require.Panics(t, add("staff", command.Command{Name: "add", Run: nothing}))
	require.Panics(t, add("serve", command.Command{Name: "count", Run: nothing}))
	require.Panics(t, add("acme", command.Command{Name: "prove", Args: []string{"FILE"}, Audit: true, Run: nothing}))
}
