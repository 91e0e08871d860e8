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

	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginfile"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

// errNoPlugins is returned by commands that change the plugins folder when the folder is not configured.
var errNoPlugins = errors.New("--plugins names the folder of plugins")

// onPlugin returns a command that changes a plugin in the plugins folder. A running portal watches the folder.
func onPlugin(use, short, long string, run func(cmd *cobra.Command, dir, key string) error) *cobra.Command {
	c := config.Default()
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long,
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.Plugins == "" {
				return errNoPlugins
			}
			return run(cmd, c.Plugins, args[0])
		},
	}
	c.FileFlag(cmd.Flags())
	cmd.Flags().StringVar(&c.Plugins, "plugins", c.Plugins, "folder of the plugins")
	return cmd
}

func pluginsDisable() *cobra.Command {
	return onPlugin("disable KEY", "Take a plugin out of the portal, and leave its files and data",
		`Take a plugin out of every portal that uses the folder of plugins, in all its versions, as if it were not installed: its operations
answer 404, its pages are gone, and its process ends when its running calls have. /readyz names the labels that switch it on. Events for
it wait. A portal that runs follows within a second, and it stays out over restarts and upgrades until wattle plugins enable.`,
		func(cmd *cobra.Command, dir, key string) error {
			if err := pluginhost.Disable(dir, key); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "plugin %s is disabled\n", key)
			return nil
		})
}

func pluginsEnable() *cobra.Command {
	return onPlugin("enable KEY", "Bring a disabled plugin back",
		"Bring a plugin back that wattle plugins disable has taken out. A portal that runs starts it within seconds.",
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
	cmd := onPlugin("rollback KEY", "Go back to the version of a plugin that was replaced last",
		`Take the highest version of a plugin out and bring another one back: that of --to, or the next one next to it, or the one that
was replaced last. What is taken out is kept, so that another rollback brings it back. The three versions that were replaced last are
kept. Data stays: migrations are additive, and the previous version works with newer ones.`,
		func(cmd *cobra.Command, dir, key string) error {
			from, now, err := pluginfile.Rollback(dir, key, to)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "plugin %s went back from %s to %s\n", key, from, now)
			return nil
		})
	cmd.Flags().StringVar(&to, "to", "", "the version to bring back")
	return cmd
}

func pluginsLogs() *cobra.Command {
	c, since, asJSON := config.Default(), time.Hour, false
	cmd := &cobra.Command{
		Use:   "logs KEY",
		Short: "Print the log of a plugin",
		Long: "Shows what a plugin and its process have logged, and what the portal has logged about it. The portal keeps up to 2 MB of each plugin\n" +
			"in its data folder, without passwords, tokens and keys.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			lines, err := pluginhost.ReadLog(c.Data, args[0], time.Now().Add(-since))
			if err != nil {
				return err
			}
			for _, l := range lines {
				if asJSON {
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
	c.FileFlag(cmd.Flags())
	cmd.Flags().StringVar(&c.Data, "data", c.Data, "data folder of the portal")
	cmd.Flags().DurationVar(&since, "since", since, "how far back")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, one object a line")
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
