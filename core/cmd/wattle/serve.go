package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/base/logline"
	"github.com/wattle-portal/wattle/core/internal/operate/app"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/internal/operate/demo"
	"github.com/wattle-portal/wattle/core/internal/operate/upgrade/hold"
	"github.com/wattle-portal/wattle/modules"
)

func serveCommand() *cobra.Command {
	c := config.Default()
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the portal",
		Long: "Serve the portals of all labels until SIGTERM or Ctrl-C, and migrate the database first. Without --database it stores its data in SQLite, in " +
			"the data folder. With --demo it loads demo records and prints the accounts to sign in with.",
		Example:     "  wattle serve --demo\n  wattle serve --config /etc/wattle/wattle.cue",
		Annotations: map[string]string{cli.AllFlags: "true"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.Check(); err != nil {
				return err
			}
			slog.SetDefault(slog.New(logline.NewHandler(cmd.ErrOrStderr(), c.LogLevel)))
			return serve(cmd.Context(), c, cmd.OutOrStdout())
		},
	}
	c.Flags(cmd.Flags())
	return cmd
}

// serve runs the portal until the context ends.
func serve(ctx context.Context, c config.Config, out io.Writer) error {
	if c.Trial = hold.IsTrial(c.Data); c.Trial { // the trial ends with the upgrade, regardless of the outcome
		var end context.CancelFunc
		ctx, end = context.WithCancel(ctx)
		go func() { _, _ = io.Copy(io.Discard, os.Stdin); end() }()
	}
	a, err := app.New(c, modules.All)
	if err != nil {
		return err
	}
	if err := a.Serve(ctx); err != nil {
		return err
	}
	if _, port, err := net.SplitHostPort(c.Addr); err == nil && port == "0" {
		fmt.Fprintln(out, a.Announce())
	} else if c.Demo {
		welcome(out, a)
	}
	<-ctx.Done()
	secondSignal, done := signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt, syscall.SIGTERM)
	defer done()
	a.Drain(secondSignal)
	return a.Stop(ctx)
}

// welcome prints the address of the demo and its accounts.
func welcome(out io.Writer, a *app.App) {
	_, port, _ := net.SplitHostPort(a.Addr().String()) // the address is valid
	fmt.Fprintf(out, "\nWattle is running. All labels: http://localhost:%s\n\n", port)
	accounts, err := demo.Accounts(a.Labels)
	if err != nil {
		fmt.Fprintln(os.Stderr, "wattle:", cli.Message(err))
	}
	var lines [][]any
	last := ""
	for _, login := range accounts {
		url := "http://" + login.Host + ":" + port
		if url == last {
			url = ""
		} else {
			last = url
		}
		lines = append(lines, []any{"  " + url, login.Username, login.Role, login.Note})
	}
	cli.Table(out, lines)
	fmt.Fprintf(out, "\nThe password of all accounts is %s. Sent mail: http://localhost:%s/dev/mailbox\nPress Ctrl-C to stop.\n",
		demo.Password, port)
}
