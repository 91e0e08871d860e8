package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/logline"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/teams/scaffold"
)

func modulesDev() *cobra.Command {
	dir, c := ".", config.Default()
	c.Demo, c.Dev, c.Drain, c.Addr = true, true, 0, "127.0.0.1:8080"
	labels, data := "", ""
	cmd := &cobra.Command{
		Use:   "dev [KEY]",
		Short: "Run the demo with a module, and reload it on save",
		Long: "Build both halves of a module of a repository, and run the demo portal with them. When a file is saved, the half that changed is built and " +
			"replaced while the portal runs, and open pages are reloaded. Errors, those of TypeScript included, are printed, and the last valid build " +
			"continues to serve.",
		Example: "  wattle modules dev\n  wattle modules dev outages --dir ../outages",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			r, err := scaffold.Open(dir, append(args, "")[0])
			if err != nil {
				return err
			}
			work, err := os.MkdirTemp("", "wattle-dev-")
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
			d := &scaffold.Dev{Repo: r, Plugins: filepath.Join(work, "plugins"), Remotes: filepath.Join(work, "remotes"), Out: cmd.ErrOrStderr()}
			if err := d.Check(cmd.Context()); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Join(d.Remotes, r.Key), 0o700); err != nil {
				return err
			}
			c.Plugins, c.Remotes, c.Labels, c.Data = d.Plugins, d.Remotes, labels, data
			if labels == "" {
				c.Labels = filepath.Join(r.Root, "labels")
			}
			if data == "" {
				c.Data = filepath.Join(r.Root, "data")
			}
			if err := c.Check(); err != nil {
				return err
			}
			slog.SetDefault(slog.New(logline.NewHumanHandler(cmd.ErrOrStderr(), slog.LevelWarn)))
			ctx, stop := context.WithCancel(cmd.Context())
			defer stop()
			ended, built := make(chan error, 1), make(chan struct{})
			go func() {
				ended <- d.Follow(ctx, func() { close(built) })
				stop() // without the watcher, the portal would serve an outdated build
			}()
			select {
			case <-built: // the demo data of the module need it
			case err := <-ended:
				return err
			}
			err = serve(ctx, c, cmd.OutOrStdout())
			stop()
			return errors.Join(err, <-ended)
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "dir", dir, "folder of the repository, or a folder in it")
	f.StringVar(&c.Addr, "addr", c.Addr, "host:port of the portal")
	f.StringVar(&labels, "labels", "", "folder of the labels; if empty, labels/ of the repository")
	f.StringVar(&data, "data", "", "data folder; if empty, data/ of the repository")
	return cmd
}
