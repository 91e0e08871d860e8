package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginfile"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

// onPlugin returns a command that changes a plugin in the plugins folder. A running portal watches the folder.
func onPlugin(use, short, long, example string, run func(cmd *cobra.Command, dir, key string) error) *cobra.Command {
	c := config.Default()
	cmd := &cobra.Command{
		Use:     use,
		Short:   short,
		Long:    long,
		Example: example,
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.Plugins == "" {
				return cli.Missing(cmd, "--plugins")
			}
			return run(cmd, c.Plugins, args[0])
		},
	}
	c.Only(cmd.Flags(), "config", "plugins")
	return cmd
}

func pluginsDisable() *cobra.Command {
	return onPlugin("disable KEY", "Disable a plugin, and keep its files and data",
		"Disable all versions of a plugin in every portal that uses the folder of plugins, as if it were not installed: its operations answer 404, its "+
			"pages are gone, and its process ends after its running calls. /readyz names the labels that enable it. Events for it wait. A running portal "+
			"follows within a second. The plugin stays disabled over restarts and upgrades, until `wattle plugins enable`.",
		"  wattle plugins disable outages --plugins /etc/wattle/plugins",
		func(cmd *cobra.Command, dir, key string) error {
			if err := pluginhost.Disable(dir, key); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "plugin %s is disabled\n", key)
			return nil
		})
}

func pluginsEnable() *cobra.Command {
	return onPlugin("enable KEY", "Enable a disabled plugin",
		"Enable a plugin that `wattle plugins disable` has disabled. A running portal starts it within seconds.",
		"  wattle plugins enable outages --plugins /etc/wattle/plugins",
		func(cmd *cobra.Command, dir, key string) error {
			if err := pluginhost.Enable(dir, key); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "plugin %s is enabled\n", key)
			return nil
		})
}

func pluginsRollback() *cobra.Command {
	to := ""
	cmd := onPlugin("rollback KEY", "Roll back a plugin to its previous version",
		"Remove the highest version of a plugin and restore another one: the version of --to, or else the next lower version that is installed, or else "+
			"the version that was replaced last. The removed version is kept, so that another rollback restores it. The three versions that were replaced "+
			"last are kept. The data stays as it is: migrations only add, so the previous version works with it.",
		"  wattle plugins rollback outages --plugins /etc/wattle/plugins\n  wattle plugins rollback outages --to 1.0.0 --plugins /etc/wattle/plugins",
		func(cmd *cobra.Command, dir, key string) error {
			from, now, err := pluginfile.Rollback(dir, key, to)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "plugin %s is rolled back from %s to %s\n", key, from, now)
			return nil
		})
	cmd.Flags().StringVar(&to, "to", "", "version to restore")
	return cmd
}

func pluginsRemove() *cobra.Command {
	c, withData := config.Default(), false
	cmd := &cobra.Command{
		Use:   "remove KEY",
		Short: "Remove a plugin, and on request its data",
		Long: "Remove all versions of a plugin from the folder of plugins, also those kept for `wattle plugins rollback`. A running portal follows within a " +
			"second: labels that enable the plugin are served without it, or with the module of the program that it replaced. Its data stays, and a plugin that " +
			"is installed again continues with it. With --delete-data also delete its database, its log and its copies in the data folder, once its " +
			"process has ended. This cannot be undone, so make a backup first. The audit log, change requests and sent mail stay.",
		Example: "  wattle plugins remove outages --plugins /etc/wattle/plugins\n  wattle plugins remove outages --delete-data --config /etc/wattle/wattle.cue",
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.Plugins == "" {
				return cli.Missing(cmd, "--plugins")
			}
			if withData { // checked first: with wrong settings nothing is removed
				if err := c.Check(); err != nil {
					return err
				}
			}
			key := args[0]
			versions, err := pluginfile.Remove(c.Plugins, key)
			switch {
			case err != nil && (!withData || !errors.Is(err, pluginfile.ErrNotInstalled)): // its data may have been kept before
				return err
			case len(versions) > 0:
				fmt.Fprintf(cmd.OutOrStdout(), "plugin %s %s is removed\n", key, strings.Join(versions, ", "))
			}
			if !withData {
				return nil
			}
			found, failed := pluginhost.RemoveData(cmd.Context(), c.Data, c.Server(), key)
			switch {
			case failed != nil:
				return failed
			case !found && err != nil:
				return err
			case !found:
				fmt.Fprintf(cmd.OutOrStdout(), "plugin %s has no data\n", key)
				return nil
			}
			fmt.Fprintf(cmd.OutOrStdout(), "the data of plugin %s is deleted\n", key)
			return nil
		},
	}
	c.Only(cmd.Flags(), "config", "plugins", "data", "database", "database-file", "database-direct", "database-direct-file")
	cmd.Flags().BoolVar(&withData, "delete-data", false, "also delete its data")
	return cmd
}

func pluginsLogs() *cobra.Command {
	c, since := config.Default(), time.Hour
	var asJSON *bool
	cmd := &cobra.Command{
		Use:   "logs KEY",
		Short: "Print the log of a plugin",
		Long: "Print what a plugin and its process have logged, and what the portal has logged about it. The portal keeps up to 2 MB for each plugin in its " +
			"data folder, without passwords, tokens and keys. With --json, print one object per line.",
		Example: "  wattle plugins logs outages --since 24h",
		RunE: func(cmd *cobra.Command, args []string) error {
			lines, err := pluginhost.ReadLog(c.Data, args[0], time.Now().Add(-since))
			if err != nil {
				return err
			}
			for _, l := range lines {
				if *asJSON {
					if err := json.NewEncoder(cmd.OutOrStdout()).Encode(l); err != nil {
						return err
					}
					continue
				}
				fmt.Fprintln(cmd.OutOrStdout(), logText(l))
			}
			return nil
		},
	}
	c.Only(cmd.Flags(), "config", "data")
	cmd.Flags().DurationVar(&since, "since", since, "how far back to begin")
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// logText returns a log line for a terminal. Control characters in a plugin's output stay quoted.
func logText(l pluginhost.LogLine) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %-5s %s", l.Time.Local().Format(time.DateTime), l.Level, strings.Trim(fmt.Sprintf("%q", l.Message), `"`))
	for _, key := range slices.Sorted(maps.Keys(l.Fields)) {
		if key != "plugin" {
			fmt.Fprintf(&b, " %s=%q", key, fmt.Sprint(l.Fields[key]))
		}
	}
	return b.String()
}
