package main

import (
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/plan"
	"github.com/wattle-portal/wattle/modules"
)

// importPlanCommand returns the command that plans the import of a folder.
func importPlanCommand() *cobra.Command {
	c, o := config.Default(), plan.Options{}
	var asJSON *bool
	cmd := &cobra.Command{
		Use:   "plan DIR",
		Short: "Plan the import of a folder of CSV files, and list what would be refused",
		Long: "Recognize the kind of record and the columns of each CSV file in DIR by their Dutch and English names, and write a mapping for each to DIR/" +
			plan.MappingsFile + ". If that file exists, use its mappings: correct them, and run the command again.\n\n" +
			"The files are imported into an empty database, which is removed afterwards; nothing is stored, and a portal may be running. The exit status is 2 if " +
			"records or files would be refused.",
		Example: "  wattle import plan --label acme back-office",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Dir, o.Labels, o.Modules, o.Progress, o.Now = args[0], c.Labels, modules.All, cmd.ErrOrStderr(), time.Now()
			p, err := plan.Make(cmd.Context(), o)
			if err != nil {
				return err
			}
			err = cli.Print(cmd, *asJSON, p, func(out io.Writer) { p.Print(out, o) })
			if err == nil && !p.OK() {
				err = exitStatus(2)
			}
			return err
		},
	}
	c.Only(cmd.Flags(), "config", "labels")
	needLabel(cmd, &o.Label)
	cmd.Flags().StringVar(&o.Mappings, "mappings", "", "file with the mappings; if empty, DIR/"+plan.MappingsFile)
	cmd.Flags().BoolVar(&o.Overwrite, "overwrite", false, "guess the mappings again, and overwrite the file")
	cmd.Flags().StringToStringVar(&o.Settings, "set", nil, "setting of a mapping as `NAME=VALUE`, such as electricity=EAN")
	asJSON = cli.JSONFlag(cmd)
	return cmd
}
