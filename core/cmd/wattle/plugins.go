package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/modules"
)

func pluginsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "plugins", Short: "Manage plugins"}
	cmd.AddCommand(pluginsList(), pluginsInstall(), pluginsSeal(), pluginsEnable(), pluginsDisable(), pluginsRollback(), pluginsLogs())
	return cmd
}

func pluginsList() *cobra.Command {
	asJSON, c := false, config.Default()
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List plugins, and why one is refused",
		Long: "Starts every plugin in --plugins next to the modules of this program, with temporary data, and says of each whether a portal\n" +
			"would serve it or why not. A portal that runs is not asked and does not notice; its /readyz says the same of what it serves.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := app.CheckPlugins(cmd.Context(), c, modules.All, slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(append([]pluginhost.Status{}, found...))
			}
			lines := [][]any{{"PLUGIN", "VERSION", "CONTRACT", "STATE", "REASON"}}
			for _, s := range found {
				contract := "-"
				if s.Contract > 0 {
					contract = strconv.Itoa(s.Contract)
				}
				lines = append(lines, []any{cmp.Or(s.Folder, c.Plugins), cmp.Or(s.Version, "-"), contract, s.State, cmp.Or(s.Detail, "-")})
			}
			columns(cmd.OutOrStdout(), lines)
			listPermissions(cmd.OutOrStdout(), found)
			return nil
		},
	}
	pluginFlags(cmd.Flags(), &c)
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
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
		columns(out, lines)
	}
}

func pluginsSeal() *cobra.Command {
	binary, remote := "", ""
	cmd := &cobra.Command{
		Use:   "seal FOLDER",
		Short: "Write the checksums of a plugin folder to plugin.json",
		Long: "Runs the binary in FOLDER to read its manifest, and writes plugin.json with key, version, contract, the modules that it calls, and\n" +
			"the size and checksums of all files. The name of FOLDER is the key of the plugin.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelError}))
			s, err := pluginhost.Pack(cmd.Context(), args[0], binary, remote, log)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s %s: plugin.json has %d files\n", s.Key, s.Version, s.FileCount())
			return nil
		},
	}
	cmd.Flags().StringVar(&binary, "binary", "", "name of the binary in FOLDER")
	cmd.Flags().StringVar(&remote, "remote", "", "subfolder of FOLDER with the built remote; without it, the plugin has none")
	_ = cmd.MarkFlagRequired("binary") // the flag has just been registered
	return cmd
}
