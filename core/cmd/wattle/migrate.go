package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/config"
)

func migrateCommand() *cobra.Command {
	c := config.Default()
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Migrate the database",
		Long: "Create the database if it is missing, and apply the migrations of this program and its plugins. `wattle serve` does the same when it starts; " +
			"this command does it without starting a portal.",
		Example: "  wattle migrate --config /etc/wattle/wattle.cue",
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "the %s database is up to date\n", a.Store.Engine())
			done(&err)
			return err
		},
	}
	c.BindFlags(cmd.Flags())
	return cmd
}
