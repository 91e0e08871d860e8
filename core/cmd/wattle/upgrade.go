package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
)

func upgradeCommand() *cobra.Command {
	c, o, unit, goOn, back := config.Default(), upgrade.Options{Settle: 2 * time.Second}, "", false, false
	cmd := &cobra.Command{
		Use:   "upgrade",
		Short: "Upgrade the program, and roll back when it is not healthy",
		Long: "Stop the service, make a verified backup, migrate, try the new program on an address that nobody else can reach, replace the installed " +
			"program and keep a copy of it, and start the service. If the new program does not become healthy in time, restore the previous program and its " +
			"data, and exit with status 1.\n\n" +
			"Give --to, --continue or --back, and the configuration of `wattle serve`. After a kill or a power failure, use --continue.",
		Example: "  wattle upgrade --to wattle_1.2.0_linux_amd64.tar.gz --sums SHA256SUMS --unit wattle\n  wattle upgrade --back",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := c.Check(); err != nil {
				return err
			}
			if unit != "" {
				if o.Start != "" || o.Stop != "" {
					return cli.Usagef(cmd, "--unit cannot be used together with --stop and --start")
				}
				o.Stop, o.Start = "systemctl stop "+unit, "systemctl start "+unit
			}
			if o.Running, err = os.Executable(); err != nil {
				return err
			}
			if o.Program == "" {
				o.Program = upgrade.Installed(o.Running)
			}
			if o.Program, err = filepath.Abs(o.Program); err != nil {
				return err
			}
			if o.Env, err = c.Environ(os.Environ()); err != nil {
				return err
			}
			o.Config, o.Out = c, cmd.OutOrStdout()
			switch {
			case goOn && back, (goOn || back) == (o.To != ""):
				return cli.Usagef(cmd, "use one of --to, --continue and --back")
			case goOn:
				err = upgrade.Continue(cmd.Context(), o)
			case back:
				err = upgrade.Revert(cmd.Context(), o)
			default:
				err = upgrade.Run(cmd.Context(), o)
			}
			if errors.Is(err, upgrade.ErrStuck) {
				fmt.Fprintln(cmd.ErrOrStderr(), "wattle:", cli.Message(err))
				return exitStatus(2)
			}
			return err
		},
	}
	c.Flags(cmd.Flags())
	cmd.Flags().StringVar(&o.To, "to", "", "the new program, or the .tar.gz or .deb of a release")
	cmd.Flags().StringVar(&o.Sums, "sums", "", "SHA256SUMS of the release, to verify the file of --to")
	cmd.Flags().StringVar(&o.Key, "key", "", "public key of minisign, to verify the signature of --sums")
	cmd.Flags().StringVar(&unit, "unit", "", "systemd unit of the portal, to stop and start it")
	cmd.Flags().StringVar(&o.Stop, "stop", "", "shell command that stops the portal; it must succeed if the portal is stopped already")
	cmd.Flags().StringVar(&o.Start, "start", "", "shell command that starts the portal; without it and --unit, you stop and start it yourself")
	cmd.Flags().StringVar(&o.Program, "program", "", "installed program; if empty, the one that runs this command")
	cmd.Flags().DurationVar(&o.Healthy, "healthy-within", time.Minute, "how long the new program may take to become ready")
	cmd.Flags().BoolVar(&goOn, "continue", false, "continue an upgrade or a rollback that was interrupted")
	cmd.Flags().BoolVar(&back, "back", false, "undo the last upgrade: restore the previous program and its data")
	cmd.AddCommand(upgradeStep())
	return cmd
}

// upgradeStep returns the command that an upgrade runs to change data as the user that owns the data.
func upgradeStep() *cobra.Command {
	c, s := config.Default(), upgrade.Step{}
	cmd := &cobra.Command{
		Use:    "step NAME",
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.Check(); err != nil {
				return err
			}
			s.Name, s.Token = args[0], os.Getenv(hold.Env)
			return s.Run(cmd.Context(), c)
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().StringVar(&s.Work, "work", "", "folder of the upgrade")
	cmd.Flags().StringVar(&s.Program, "driver", "", "program that continues the upgrade")
	cmd.Flags().StringVar(&s.Version, "from", "", "version of the data")
	return cmd
}
