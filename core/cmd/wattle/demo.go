package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/demo"
	"github.com/wattle-portal/wattle/modules"
)

func demoCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "demo", Short: "Show what the demo has"}
	c, asJSON := config.Default(), false
	accounts := &cobra.Command{
		Use:   "accounts",
		Short: "List the demo accounts",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			labels, err := label.Open(c.Labels, func() []label.Fragment { return app.Fragments(modules.All) })
			if err == nil {
				err = labels.Unreadable()
			}
			if err != nil {
				return err
			}
			logins, err := demo.Accounts(labels)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(logins)
			}
			lines := [][]any{{"LABEL", "HOST", "USERNAME", "PASSWORD", "ROLE", "NOTE"}}
			for _, l := range logins {
				lines = append(lines, []any{l.Label, l.Host, l.Username, l.Password, l.Role, l.Note})
			}
			columns(cmd.OutOrStdout(), lines)
			return nil
		},
	}
	c.FileFlag(accounts.Flags())
	accounts.Flags().StringVar(&c.Labels, "labels", c.Labels, "folder of the labels")
	accounts.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.AddCommand(accounts)
	return cmd
}
