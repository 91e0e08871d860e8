package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/about"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/modules"
)

func versionCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := about.Of(app.Version, app.CoreMigrations(), modules.All)
			if err != nil {
				return err
			}
			if asJSON {
				lines := json.NewEncoder(cmd.OutOrStdout())
				lines.SetIndent("", "  ")
				return lines.Encode(p)
			}
			fmt.Fprintln(cmd.OutOrStdout(), p)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, with modules and migrations")
	return cmd
}
