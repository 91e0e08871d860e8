package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/command"
	"github.com/wattle-portal/wattle/core/internal/modules/reference"
	"github.com/wattle-portal/wattle/core/internal/modules/registry"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
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
		group = &cobra.Command{Use: m.Key, Short: m.Commands.Short, GroupID: toStore}
		root.AddCommand(group)
	}
	for _, one := range m.Commands.All {
		if group.Runnable() && group.Annotations[reference.Group] == "" || named(group, one.Name) != nil || one.Audit && len(one.Args) > 0 {
			panic("the command of module " + m.Key + " cannot be added: wattle " + m.Key + " " + one.Name)
		}
		group.AddCommand(commandOf(m, one))
	}
}

// ran is one run of a module's command, in the output of its --json.
type ran struct {
	Label    string   `json:"label"`
	Findings int      `json:"findings"`
	Output   []string `json:"output"` // lines
}

func commandOf(m module.Manifest, one command.Command) *cobra.Command {
	c, only := config.Default(), ""
	var asJSON *bool
	path := strings.Join(append([]string{"wattle", m.Key, one.Name}, one.Args...), " ")
	cmd := &cobra.Command{
		Use:     strings.Join(append([]string{one.Name}, one.Args...), " "),
		Short:   one.Short,
		Long:    one.Long,
		Example: "  " + path + "\n  " + path + " --label acme",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			if only != "" {
				if _, err := labelOf(a, only); err != nil {
					return err
				}
			}
			var out io.Writer
			if !*asJSON {
				out = cmd.OutOrStdout()
			}
			all, err := runEach(cmd, a, m, one, only, args, out)
			switch {
			case len(all) > 0 && *asJSON:
				return cmp.Or(cli.Print(cmd, true, all, nil), err)
			case err != nil || len(all) > 0:
				return err
			case only != "":
				return fmt.Errorf("label %s has no %s", only, cmp.Or(m.Commands.Noun, "module "+m.Key))
			}
			return fmt.Errorf("no label has a %s", cmp.Or(m.Commands.Noun, "module "+m.Key))
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().StringVar(&only, "label", "", "key of the label; if empty, all labels")
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// runEach runs a module's command in one label, or in each label that has the module. It returns the runs, with their output if out is nil,
// and an exitStatus when there were findings.
func runEach(cmd *cobra.Command, a *app.App, m module.Manifest, one command.Command, only string, args []string, out io.Writer) (all []ran,
	err error) {
	findings := 0
	for _, l := range a.Labels.All() {
		scope, on := a.Hub.ScopeFor(l.Key, m.Key)
		if !on || only != "" && l.Key != only {
			continue
		}
		var kept bytes.Buffer
		to := out
		if to == nil {
			to = &kept
		}
		found, err := runIn(cmd.Context(), scope, one, command.Call{Label: l.Key, Client: a.Hub.Client(module.Manifest{Key: registry.Core}),
			Args: args, In: cmd.InOrStdin(), Out: to})
		all = append(all, ran{l.Key, found, notNil(strings.FieldsFunc(kept.String(), func(r rune) bool { return r == '\n' }))})
		if err != nil {
			return all, fmt.Errorf("label %s: %w", l.Key, err)
		}
		findings += found
	}
	if findings > 0 {
		return all, exitStatus(1)
	}
	return all, nil
}

// runIn runs a command in the scope of a label until ctx ends, for at most maxRun.
func runIn(ctx, scope context.Context, one command.Command, c command.Call) (findings int, err error) {
	scope, cancel := context.WithTimeout(scope, maxRun)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	return one.Run(scope, c)
}
