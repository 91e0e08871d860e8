package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/plugins/pluginfile"
	"github.com/wattle-portal/wattle/core/internal/plugins/pluginhost"
	"github.com/wattle-portal/wattle/core/internal/teams/scaffold"
)

func modulesPack() *cobra.Command {
	dir, out := ".", ""
	cmd := &cobra.Command{
		Use:   "pack [KEY]",
		Short: "Build a module as a plugin file",
		Long: "Build both halves of a module of a repository, and write them to one file: the binary, the remote, and plugin.json with checksums and the " +
			"permissions that the plugin requests. The binary is run once, to describe itself. `wattle plugins install` installs the file.",
		Example: "  wattle modules pack\n  wattle modules pack outages --dir ../outages --out outages.wattle",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			r, err := scaffold.Open(dir, append(args, "")[0])
			if err != nil {
				return err
			}
			work, err := os.MkdirTemp("", "wattle-pack-")
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
			folder := filepath.Join(work, r.Key)
			if err := os.Mkdir(folder, 0o700); err != nil {
				return err
			}
			steps := append([]scaffold.Step{{What: "the plugin", Args: []string{"go", "build", "-trimpath", "-ldflags", "-s -w", "-o",
				filepath.Join(folder, r.Key), "./modules/" + r.Key + "/plugin"}}},
				r.BuildRemote()...)
			if err := r.Run(cmd.Context(), cmd.ErrOrStderr(), steps); err != nil {
				return err
			}
			remote := ""
			if built := r.Built(); built != "" {
				remote = "remote"
				if err := os.CopyFS(filepath.Join(folder, remote), os.DirFS(built)); err != nil {
					return err
				}
			}
			log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelError}))
			spec, err := pluginhost.Pack(cmd.Context(), folder, r.Key, remote, log)
			if err != nil {
				return err
			}
			if out == "" {
				out = filepath.Join(r.Root, spec.Key+"-"+spec.Version+".wattle")
			}
			if err := writePlugin(out, folder); err != nil {
				return err
			}
			info, err := os.Stat(out)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s, %.1f MB\n", out, float64(info.Size())/1e6)
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", dir, "folder of the repository, or a folder in it")
	cmd.Flags().StringVar(&out, "out", "", "file to write; if empty, KEY-VERSION.wattle in the repository")
	return cmd
}

// writePlugin writes the file under a temporary name first, so that a file with the final name is always complete.
func writePlugin(out, folder string) error {
	part := out + ".part"
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	if err := errors.Join(pluginfile.Write(f, folder), f.Close()); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return os.Rename(part, out)
}
