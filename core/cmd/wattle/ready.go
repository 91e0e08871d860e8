package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
)

// readyCommand returns the command for health checks of containers without a shell.
func readyCommand() *cobra.Command {
	c := config.Default()
	cmd := &cobra.Command{
		Use:   "ready",
		Short: "Check that the portal on this machine is ready",
		Long:  "Ask the portal on this machine whether it is ready. Exits with status 1, and says what is down, when it is not.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := health.QueryReady(cmd.Context(), c.Addr); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), "ready")
			return nil
		},
	}
	c.FileFlag(cmd.Flags())
	cmd.Flags().StringVar(&c.Addr, "addr", c.Addr, "host:port of the portal")
	return cmd
}
