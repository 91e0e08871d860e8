package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
)

func configCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "Check the configuration"}
	cmd.AddCommand(configCheck(), &cobra.Command{
		Use:     "example",
		Short:   "Print a configuration file with every setting, its meaning and its default",
		Example: "  wattle config example > wattle.cue",
		Run:     func(cmd *cobra.Command, _ []string) { fmt.Fprint(cmd.OutOrStdout(), config.Example()) },
	})
	return cmd
}

func configCheck() *cobra.Command {
	c := config.Default()
	var asJSON *bool
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check the configuration, and print where each value comes from",
		Long: "Read FILE, or the file of --config, and apply the environment and the flags of this command, as `wattle serve` does. Print every mistake " +
			"and exit with status 1, or print each setting with its value and its origin.",
		Example: "  wattle config check /etc/wattle/wattle.cue",
		// The configuration is not resolved before the command runs, because the command itself reports its errors.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if cmd.Flags().Changed("config") {
					return cli.Usagef(cmd, "FILE and --config cannot be used together")
				}
				if err := cmd.Flags().Set("config", args[0]); err != nil {
					return err
				}
			}
			report := c.Inspect(cmd.Flags(), os.Environ())
			return printReport(cmd, report, report.OK, *asJSON)
		},
	}
	c.Flags(cmd.Flags())
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// printReport prints the findings of a command as text or JSON. It returns exit status 1 when the report is not ok.
func printReport(cmd *cobra.Command, report interface{ Print(io.Writer) }, ok, asJSON bool) error {
	if err := cli.Print(cmd, asJSON, report, report.Print); err != nil {
		return err
	}
	if !ok {
		return exitStatus(1)
	}
	return nil
}
