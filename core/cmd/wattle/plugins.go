package main

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/words"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/modules"
)

func pluginsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "plugins", Short: "Manage plugins"}
	cmd.AddCommand(pluginsList(), pluginsInstall(), pluginsSeal(), pluginsEnable(), pluginsDisable(), pluginsRollback(),
		pluginsRemove(), pluginsLogs())
	return cmd
}

func pluginsList() *cobra.Command {
	c := config.Default()
	var asJSON *bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List plugins, and why one is refused",
		Long: "Start every plugin in --plugins next to the modules of this program, with temporary data, and print whether a portal would serve it, or why " +
			"not. A running portal is not affected; its /readyz reports the plugins that it serves.",
		Example: "  wattle plugins list --plugins /etc/wattle/plugins",
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := app.CheckPlugins(cmd.Context(), c, modules.All, slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			lines := [][]any{{"PLUGIN", "VERSION", "CONTRACT", "STATE", "REASON"}}
			for _, s := range found {
				contract := "-"
				if s.Contract > 0 {
					contract = strconv.Itoa(s.Contract)
				}
				lines = append(lines, []any{cmp.Or(s.Folder, c.Plugins), cmp.Or(s.Version, "-"), contract, s.State, cmp.Or(s.Detail, "-")})
			}
			return cli.Print(cmd, *asJSON, append([]pluginhost.Status{}, found...), func(out io.Writer) {
				cli.Table(out, lines)
				listPermissions(out, found)
			})
		},
	}
	c.Only(cmd.Flags(), pluginFlags...)
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// listPermissions prints the requests and grants of each plugin that requests something.
func listPermissions(out io.Writer, found []pluginhost.Status) {
	lines := [][]any{{"PLUGIN", "ASKS FOR", "GRANTED"}}
	for _, s := range found {
		kinds, granted := []string{"modules", "core", "hosts"}, [][]string{s.Granted.Modules, s.Granted.Core, s.Granted.Hosts}
		for i, list := range [][]string{s.Requested.Modules, s.Requested.Core, s.Requested.Hosts} {
			switch {
			case s.Key == "" || list != nil && len(list) == 0 || list == nil && kinds[i] == "modules":
			case list == nil:
				lines = append(lines, []any{s.Key, kinds[i] + ": it does not say", cmp.Or(strings.Join(granted[i], ", "), "none")})
			default:
				lines = append(lines, []any{s.Key, kinds[i] + ": " + strings.Join(list, ", "), cmp.Or(strings.Join(granted[i], ", "), "none")})
			}
		}
	}
	if len(lines) > 1 {
		fmt.Fprintln(out)
		cli.Table(out, lines)
	}
}

func pluginsSeal() *cobra.Command {
	binary, remote := "", ""
	cmd := &cobra.Command{
		Use:   "seal FOLDER",
		Short: "Write the checksums of a plugin folder to plugin.json",
		Long: "Run the binary in FOLDER to read its manifest, and write plugin.json with key, version, contract, the modules that it calls, and the size " +
			"and checksums of all files. The name of FOLDER is the key of the plugin.",
		Example: "  wattle plugins seal plugins/outages --binary outages --remote remote",
		RunE: func(cmd *cobra.Command, args []string) error {
			log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelError}))
			s, err := pluginhost.Pack(cmd.Context(), args[0], binary, remote, log)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s %s: plugin.json has %s\n", s.Key, s.Version, words.Count(s.FileCount(), "file", "files"))
			return nil
		},
	}
	cmd.Flags().StringVar(&binary, "binary", "", "name of the binary in FOLDER")
	cmd.Flags().StringVar(&remote, "remote", "", "subfolder of FOLDER with the built remote; if empty, the plugin has none")
	_ = cmd.MarkFlagRequired("binary") // the flag has just been registered
	return cmd
}
