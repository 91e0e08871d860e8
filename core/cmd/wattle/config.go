package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/config"
)

func configCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "Check the configuration"}
	cmd.AddCommand(configCheck(), &cobra.Command{
		Use:   "example",
		Short: "Print a configuration file with every setting, its meaning and its default",
		Args:  cobra.NoArgs,
		Run:   func(cmd *cobra.Command, _ []string) { fmt.Fprint(cmd.OutOrStdout(), config.Example()) },
	})
	return cmd
}

func configCheck() *cobra.Command {
	c, asJSON := config.Default(), false
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check the configuration, and print where each value comes from",
		Long: "Reads FILE, or that of --config, with the environment and the flags of this command over it, as wattle serve does with the same flags.\n" +
			"Prints every mistake and exits with status 1, or prints each setting with its value and where that comes from.",
		Args: cobra.MaximumNArgs(1),
		// The configuration is not resolved before the command runs, because the command itself reports its errors.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if cmd.Flags().Changed("config") {
					return errors.New("name the file once: as FILE or with --config")
				}
				if err := cmd.Flags().Set("config", args[0]); err != nil {
					return err
				}
			}
			report := c.Inspect(cmd.Flags(), os.Environ())
			return printReport(cmd, report, report.OK, asJSON)
		},
	}
	c.Flags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// printReport prints the findings of a command as text or JSON. It returns exit status 1 when the report is not ok.
func printReport(cmd *cobra.Command, report interface{ Print(io.Writer) }, ok, asJSON bool) error {
	if asJSON {
		out := json.NewEncoder(cmd.OutOrStdout())
		out.SetIndent("", "  ")
		if err := out.Encode(report); err != nil {
			return err
		}
	} else {
		report.Print(cmd.OutOrStdout())
	}
	if !ok {
		return exitStatus(1)
	}
	return nil
}
