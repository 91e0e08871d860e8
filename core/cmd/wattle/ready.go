package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/health"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
)

// readiness is the output of `wattle ready --json`.
type readiness struct {
	Ready  bool   `json:"ready"`
	Reason string `json:"reason,omitempty"` // why it is not ready
}

// readyCommand returns the command for health checks of containers without a shell.
func readyCommand() *cobra.Command {
	c := config.Default()
	var asJSON *bool
	cmd := &cobra.Command{
		Use:     "ready",
		Short:   "Check that the portal on this machine is ready",
		Long:    "Check that the portal on this machine is ready. If it is not, print the reason and exit with status 1.",
		Example: "  wattle ready --addr 127.0.0.1:8080",
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := health.QueryReady(cmd.Context(), c.Addr)
			if err != nil && !*asJSON {
				return err
			}
			r := readiness{Ready: err == nil}
			if err != nil {
				r.Reason = cli.Plain(err.Error())
			}
			if err := cli.Print(cmd, *asJSON, r, func(out io.Writer) { fmt.Fprintln(out, "ready") }); err != nil {
				return err
			}
			if !r.Ready {
				return exitStatus(1)
			}
			return nil
		},
	}
	c.Only(cmd.Flags(), "config")
	cmd.Flags().StringVar(&c.Addr, "addr", c.Addr, "host:port of the portal")
	asJSON = cli.JSONFlag(cmd)
	return cmd
}
