package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/command"
	"github.com/wattle-portal/wattle/core/internal/modules/reference"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/module"
)

// maxRun is the timeout of a module's command in one label.
const maxRun = 30 * time.Minute

// addGroup adds the commands of a module as `wattle <key> <name>`, to core's own group if there is one with that name. It panics when two
// commands have the same name, which is a programming error.
func addGroup(root *cobra.Command, m module.Manifest) {
	if len(m.Commands.All) == 0 {
		return
	}
	named := func(in *cobra.Command, name string) *cobra.Command {
		i := slices.IndexFunc(in.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
		if i < 0 {
			return nil
		}
		return in.Commands()[i]
	}
	group := named(root, m.Key)
	if group == nil {
		group = &cobra.Command{Use: m.Key, Short: m.Commands.Short}
		root.AddCommand(group)
	}
	for _, one := range m.Commands.All {
		if group.Runnable() && group.Annotations[reference.Group] == "" || named(group, one.Name) != nil || one.Audit && len(one.Args) > 0 {
			panic("the command of module " + m.Key + " cannot be added: wattle " + m.Key + " " + one.Name)
		}
		group.AddCommand(commandOf(m, one))
	}
}

func commandOf(m module.Manifest, one command.Command) *cobra.Command {
	c, only := config.Default(), ""
	cmd := &cobra.Command{
		Use:   strings.Join(append([]string{one.Name}, one.Args...), " "),
		Short: one.Short,
		Long:  one.Long,
		Args:  cobra.ExactArgs(len(one.Args)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			if only != "" && a.Labels.ByKey(only) == nil {
				return fmt.Errorf("there is no label %s; see wattle labels list", only)
			}
			ran, err := runEach(cmd, a, m, one, only, args)
			switch {
			case err != nil || ran > 0:
				return err
			case only != "":
				return fmt.Errorf("label %s has no %s", only, cmp.Or(m.Commands.Noun, "module "+m.Key))
			}
			return fmt.Errorf("no label has a %s", cmp.Or(m.Commands.Noun, "module "+m.Key))
		},
	}
	if len(one.Args) == 0 {
		cmd.Args = cobra.NoArgs
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().StringVar(&only, "label", "", "key of the label; without it all")
	return cmd
}

// runEach runs a module's command in one label, or in each label that has the module. It returns the number of labels, and an exitStatus
// when there were findings.
func runEach(cmd *cobra.Command, a *app.App, m module.Manifest, one command.Command, only string, args []string) (ran int, err error) {
	findings := 0
	for _, l := range a.Labels.All() {
		scope, on := a.Hub.ScopeFor(l.Key, m.Key)
		if !on || only != "" && l.Key != only {
			continue
		}
		ran++
		found, err := runIn(cmd.Context(), scope, one, command.Call{Label: l.Key, Client: a.Hub.Client(module.Manifest{Key: registry.Core}),
			Args: args, In: cmd.InOrStdin(), Out: cmd.OutOrStdout()})
		if err != nil {
			return ran, fmt.Errorf("label %s: %w", l.Key, err)
		}
		findings += found
	}
	if findings > 0 {
		return ran, exitStatus(1)
	}
	return ran, nil
}

// runIn runs a command in the scope of a label until ctx ends, for at most maxRun.
func runIn(ctx, scope context.Context, one command.Command, c command.Call) (findings int, err error) {
	scope, cancel := context.WithTimeout(scope, maxRun)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	return one.Run(scope, c)
}
