package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/app"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Args:  cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			revision := ""
			if about, ok := debug.ReadBuildInfo(); ok {
				for _, s := range about.Settings {
					if s.Key == "vcs.revision" {
						revision = " " + s.Value[:min(12, len(s.Value))]
					}
				}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wattle %s%s %s %s/%s\n", app.Version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		},
	}
}
