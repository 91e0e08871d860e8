package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/config"
	"github.com/wattle-portal/wattle/core/internal/imports"
)

func importCommand() *cobra.Command {
	c, o := config.Default(), imports.Options{Pause: true}
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Take a back office's records in, also while the portal runs",
		Long: "Takes records of a label in, from NDJSON or CSV files, by natural key: importing a file again changes nothing.\n" +
			"Refused records go to FILE.rejected.ndjson with line and reason; the exit status is then 2.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) (err error) {
			a, done, err := open(cmd, &c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			target, order, err := a.Importer(o.Label)
			if err != nil {
				return err
			}
			o.Files, o.Order, o.Progress = files, order, cmd.ErrOrStderr()
			report, err := imports.Run(cmd.Context(), o, target)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d records, %d refused\n", report.Rows, report.Refused)
			for _, file := range report.Rejected {
				fmt.Fprintln(cmd.OutOrStdout(), "refused records:", file)
			}
			if status := report.ExitCode(); status != 0 {
				return exitStatus(status)
			}
			return nil
		},
	}
	c.Place(cmd.Flags())
	needLabel(cmd, &o.Label)
	cmd.Flags().StringVar(&o.Kind, "kind", "", "kind of record; without it the files' names tell: 03-connection.ndjson")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "check everything and keep nothing")
	return cmd
}
