package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/demo"
	"github.com/wattle-portal/wattle/core/internal/teams/scaffold"
	"github.com/wattle-portal/wattle/modules"
)

func demoCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "demo", Short: "Show what the demo contains"}
	cmd.AddCommand(demoAccounts())
	return cmd
}

func demoAccounts() *cobra.Command {
	c := config.Default()
	var asJSON *bool
	cmd := &cobra.Command{
		Use:     "accounts [USERNAME…]",
		Short:   "List the demo accounts",
		Long:    "Print the usernames and passwords of all accounts of the demo, or of the given ones.",
		Example: "  wattle demo accounts\n  wattle demo accounts --json",
		RunE: func(cmd *cobra.Command, names []string) error {
			logins, err := demoLogins(c.Labels)
			if err != nil {
				return err
			}
			for _, name := range names {
				if !slices.ContainsFunc(logins, func(l demo.Login) bool { return l.Username == name }) {
					return cli.Usagef(cmd, "the demo has no account %q", name)
				}
			}
			logins = slices.DeleteFunc(logins, func(l demo.Login) bool { return len(names) > 0 && !slices.Contains(names, l.Username) })
			return cli.Print(cmd, *asJSON, logins, func(out io.Writer) {
				lines := [][]any{{"LABEL", "HOST", "USERNAME", "PASSWORD", "ROLE", "NOTE"}}
				for _, l := range logins {
					lines = append(lines, []any{l.Label, l.Host, l.Username, l.Password, l.Role, l.Note})
				}
				cli.Table(out, lines)
			})
		},
	}
	c.Only(cmd.Flags(), "config", "labels")
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// demoLogins returns the demo accounts of the labels in a folder. Their accounts do not depend on the settings of plugins.
func demoLogins(folder string) ([]demo.Login, error) {
	labels, err := label.Open(folder, func() []label.Fragment {
		all := app.Fragments(modules.All)
		for _, own := range scaffold.Plugins(folder) { // 10-demo-accounts-repository
			all = append(all, label.Fragment{Module: own.Key, Absent: true})
		}
		return all
	})
	if err == nil {
		err = labels.Unreadable()
	}
	if err != nil {
		return nil, err
	}
	return demo.Accounts(labels)
}
