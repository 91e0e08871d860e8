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
		Args:  cobra.NoArgs,
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
