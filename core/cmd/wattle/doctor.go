package main

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/operate/about"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/doctor"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/modules"
)

func doctorCommand() *cobra.Command {
	c, o := config.Default(), doctor.Options{}
	var asJSON *bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check an installation for problems",
		Long: "Check configuration, database, identity key, clock, labels, plugins, mail, files, proxy, certificates and backup, with the configuration of " +
			"`wattle serve`. Print a line for each, and below each that is not ok what to do. The exit status is 1 if there is a problem.",
		Example: "  wattle doctor --config /etc/wattle/wattle.cue\n  wattle doctor --mail-to you@example.org --url https://my.example.org",
		// The configuration is not resolved before the command runs, because the command itself reports its errors.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, _ []string) error {
			report := examine(cmd, &c, o)
			return printReport(cmd, report, report.OK, *asJSON)
		},
	}
	c.Flags(cmd.Flags())
	cmd.Flags().StringVar(&o.MailTo, "mail-to", "", "email address to send a test message to")
	cmd.Flags().StringVar(&o.URL, "url", "", "public address of a label, such as https://my.acme.example, to send a request to through the proxy")
	cmd.Flags().DurationVar(&o.MaxBackupAge, "max-backup-age", 48*time.Hour, "maximum age of the last verified backup")
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// examine resolves the configuration and examines the installation.
func examine(cmd *cobra.Command, c *config.Config, o doctor.Options) doctor.Report {
	if r := c.Inspect(cmd.Flags(), os.Environ()); !r.OK {
		return doctor.ConfigReport(r.Problems)
	}
	o.Config, o.Core, o.Modules = *c, app.CoreMigrations(), modules.All
	if p, err := about.Of(app.Version, nil, nil); err == nil {
		o.CommitTime, _ = time.Parse(time.RFC3339, p.CommitTime) // zero when the program has no commit time
	}
	o.Vet = func(context.Context) ([]label.Problem, error) {
		problems, _, err := vetLabels(cmd, c, c.Demo)
		return problems, err
	}
	o.Labels = func() ([]*label.Label, error) {
		available, err := availableModules(cmd, c)
		if err != nil {
			return nil, err
		}
		if c.Demo {
			available.fragments = append(available.fragments, label.Fragment{Demo: true})
		}
		s, err := label.Open(c.Labels, func() []label.Fragment { return available.fragments })
		if err != nil {
			return nil, err
		}
		return s.All(), s.Unreadable()
	}
	o.Plugins = func(ctx context.Context) ([]pluginhost.Status, error) {
		return app.CheckPlugins(ctx, *c, modules.All, slog.New(slog.DiscardHandler))
	}
	return doctor.Run(cmd.Context(), o)
}
