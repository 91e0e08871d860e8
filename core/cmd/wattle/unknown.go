package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/modules/reference"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
)

// unknownCommand is the error for a name that is not a command of its group. The exit status is 2.
type unknownCommand struct{ group, name, near string }

func (e *unknownCommand) Error() string {
	text := fmt.Sprintf("there is no command %q", e.group+" "+e.name)
	if e.near != "" {
		text += "; did you mean " + e.near + "?"
	}
	return text + " (" + e.group + " --help lists them)"
}

// refuseUnknown makes each command group return unknownCommand for an unknown name. By default, cobra prints the help of the group and
// succeeds.
func refuseUnknown(group *cobra.Command) {
	for _, c := range group.Commands() {
		refuseUnknown(c)
	}
	if group.Runnable() || !group.HasSubCommands() {
		return
	}
	group.SuggestionsMinimumDistance = 2
	group.Annotations = map[string]string{reference.Group: group.Name()}
	group.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return unknown(cmd, args[0])
	}
	group.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	// The flags of a mistyped command are unknown to its group too, so report the name instead.
	group.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if args := cmd.Flags().Args(); cmd == group && len(args) > 0 {
			return unknown(cmd, args[0])
		}
		return cli.FlagError(cmd, err)
	})
}

func unknown(group *cobra.Command, name string) error {
	near := group.SuggestionsFor(name)
	for i := range near {
		near[i] = group.CommandPath() + " " + near[i]
	}
	return &unknownCommand{group.CommandPath(), name, strings.Join(near, " or ")}
}

// helpCommand returns `wattle help`, which also refuses an unknown command.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [command…]",
		Short:   "Describe a command, or the flags that many commands share",
		Example: "  wattle help import\n  wattle help options",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 && about.HasSubCommands() {
				return unknown(about, rest[0])
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, c := range about.Commands() {
				if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
					names = append(names, c.Name()+"\t"+c.Short)
				}
			}
			return startingWith(names, typed), cobra.ShellCompDirectiveNoFileComp
		},
	}
}
