package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/cobra"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/internal/base/logline"
	"github.com/wattle-portal/wattle/core/internal/base/mistake"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/modules/reference"
	"github.com/wattle-portal/wattle/core/internal/operate/about"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/modules"
)

// Groups of commands in the help of the program.
const (
	toRun    = "run"
	toManage = "manage"
	toStore  = "store"
	toExtend = "extend"
)

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "wattle",
		Short:         "White-label customer portal for energy retailers and cooperatives",
		Example:       "  wattle serve --demo\n  wattle doctor --config /etc/wattle/wattle.cue",
		SilenceUsage:  true,
		SilenceErrors: true, // main prints the error once
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if !reference.Runs(cmd) { // prints its help
				return nil
			}
			if err := config.Resolve(cmd.Flags(), os.LookupEnv); err != nil {
				return err
			}
			return cli.CheckFlags(cmd)
		},
	}
	root.AddGroup(&cobra.Group{ID: toRun, Title: "Run a portal"}, &cobra.Group{ID: toManage, Title: "Manage labels and accounts"},
		&cobra.Group{ID: toStore, Title: "Import, keep and verify data"}, &cobra.Group{ID: toExtend, Title: "Extend a portal"})
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
		}
		root.AddCommand(commands...)
	}
	add(toRun, serveCommand(), configCommand(), doctorCommand(), readyCommand(), upgradeCommand(), demoCommand())
	add(toManage, labelsCommand(), staffCommand(), keysCommand())
	add(toStore, importCommand(), migrateCommand(), backupCommand(), restoreCommand(), auditCommand(), identityCommand())
	add(toExtend, modulesCommand(), pluginsCommand())
	add("", versionCommand())
	for _, m := range modules.All {
		addGroup(root, m.Manifest)
	}
	if p, err := about.Of(app.Version, nil, nil); err == nil { // fails only for migrations, and there are none here
		root.Version = p.String()
		root.SetVersionTemplate("{{.Version}}\n")
		root.Flags().BoolP("version", "v", false, "print the version")
	}
	root.SetHelpCommand(helpCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	describeCompletion(root)
	cli.Setup(root)
	refuseUnknown(root)
	complete(root)
	return root
}

// open starts the parts of the program that a database command needs. It works while a portal is running. done stops them.
func open(cmd *cobra.Command, c *config.Config) (a *app.App, done func(*error), err error) {
	return start(cmd, c, false)
}

// openCore is like open, without the plugins, for commands on the data of core.
func openCore(cmd *cobra.Command, c *config.Config) (a *app.App, done func(*error), err error) {
	return start(cmd, c, true)
}

func start(cmd *cobra.Command, c *config.Config, withoutPlugins bool) (a *app.App, done func(*error), err error) {
	if err := c.Check(); err != nil {
		return nil, nil, err
	}
	own := *c
	own.WithoutPlugins = withoutPlugins
	if a, err = app.New(own, modules.All, quiet()); err != nil {
		return nil, nil, err
	}
	if err := a.Open(cmd.Context()); err != nil {
		return nil, nil, err
	}
	return a, func(err *error) {
		if stop := a.Stop(cmd.Context()); *err == nil {
			*err = stop
		}
	}, nil
}

// quiet makes a command log warnings and errors only, because its output is its result.
func quiet() fx.Option {
	return fx.Replace(slog.New(logline.NewHandler(os.Stderr, slog.LevelWarn)))
}

// labelOf returns a label of the installation.
func labelOf(a *app.App, key string) (*label.Label, error) {
	if l := a.Labels.ByKey(key); l != nil {
		return l, nil
	}
	var keys []string
	for _, l := range a.Labels.All() {
		keys = append(keys, l.Key)
	}
	if near := mistake.Nearest(key, keys); near != "" {
		return nil, fmt.Errorf("there is no label %s; did you mean %s?", key, near)
	}
	return nil, fmt.Errorf("there is no label %s; see `wattle labels list`", key)
}

// needLabel registers the required flag --label.
func needLabel(cmd *cobra.Command, key *string) {
	cmd.Flags().StringVar(key, "label", "", "key of the label")
	_ = cmd.MarkFlagRequired("label") // the flag has just been registered
}
