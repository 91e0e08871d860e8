package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginfile"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
)

func pluginsInstall() *cobra.Command {
	c, beside := config.Default(), false
	cmd := &cobra.Command{
		Use:   "install FILE",
		Short: "Install a plugin file",
		Long: `Unpack a plugin file that wattle modules pack wrote, check it against its plugin.json, and put it into the folder of plugins. It replaces
a plugin with the same key in one step, and keeps it for wattle plugins rollback. With --beside it stands next to the versions that are
there: the highest version serves the labels that pick none. Nothing of it is run: a portal with this folder does that, if
--plugin-digest allows it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.Plugins == "" {
				return errors.New("--plugins names the folder of plugins")
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
	c.FileFlag(cmd.Flags())
	cmd.Flags().StringVar(&c.Plugins, "plugins", c.Plugins, "folder of the plugins")
	cmd.Flags().BoolVar(&beside, "beside", false, "put it into the folder KEY@VERSION, next to other versions")
	return cmd
}
