package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginfile"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

func pluginsInstall() *cobra.Command {
	c, beside := config.Default(), false
	cmd := &cobra.Command{
		Use:   "install FILE",
		Short: "Install a plugin file",
		Long: "Unpack a plugin file that `wattle modules pack` wrote, check it against its plugin.json, and install it in the folder of plugins. It replaces a " +
			"plugin with the same key in one step, and keeps the previous version for `wattle plugins rollback`. With --beside it is installed next to the " +
			"other versions: the highest version serves the labels that choose none. The plugin is not run: a portal with this folder starts it, if " +
			"--plugin-digest allows it.",
		Example: "  wattle plugins install outages-1.0.0.wattle --plugins /etc/wattle/plugins",
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.Plugins == "" {
				return cli.Missing(cmd, "--plugins")
			}
			put := pluginfile.Install
			if beside {
				put = pluginfile.InstallAlongside
			}
			spec, err := put(args[0], c.Plugins)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "plugin %s %s, sha256:%s\n", spec.Key, spec.Version, spec.SHA256)
			if pluginhost.Disabled(c.Plugins)[spec.Key] {
				fmt.Fprintf(cmd.OutOrStdout(), "It is disabled; wattle plugins enable %s brings it back.\n", spec.Key)
			}
			return nil
		},
	}
	c.Only(cmd.Flags(), "config", "plugins")
	cmd.Flags().BoolVar(&beside, "beside", false, "install it in the folder KEY@VERSION, next to other versions")
	return cmd
}
