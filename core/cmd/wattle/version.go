package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/about"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/modules"
)

func versionCommand() *cobra.Command {
	var asJSON *bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Long:    "Print the version, the commit, the version of Go and the platform. With --json, also print the modules and their newest migrations.",
		Example: "  wattle version --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := about.Of(app.Version, app.CoreMigrations(), modules.All)
			if err != nil {
				return err
			}
			return cli.Print(cmd, *asJSON, p, func(out io.Writer) { fmt.Fprintln(out, p) })
		},
	}
	asJSON = cli.JSONFlag(cmd)
	return cmd
}
