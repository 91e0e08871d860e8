// Command pgrun runs a command with one PostgreSQL cluster for all its tests: pgrun go test ./…
//
// It uses the server in WATTLE_TEST_POSTGRES if that is set. If PostgreSQL is not installed, it runs the command without a server.
// PostgreSQL tests are then skipped, or fail if WATTLE_REQUIRE_POSTGRES is 1.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/wattle-portal/wattle/core/internal/testing/storetest/cluster"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: pgrun COMMAND [ARGUMENT…]")
		return 2
	}
	if os.Getenv(cluster.Env) == "" {
		c, err := cluster.Start()
		switch {
		case errors.Is(err, cluster.ErrMissing):
			fmt.Fprintln(os.Stderr, "pgrun:", err)
		case err != nil:
			fmt.Fprintln(os.Stderr, "pgrun:", err)
			return 1
		default:
			defer c.Stop() //nolint:errcheck // the cluster also removes itself
			os.Setenv(cluster.Env, c.URL)
		}
	}
	// Signals are caught and not ignored, because the command would inherit ignored signals. The command also receives Ctrl-C, and pgrun
	// ends when the command ends.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "pgrun:", err)
		return 1
	}
	go func() {
		for s := range signals {
			if s == syscall.SIGTERM { // unlike Ctrl-C, SIGTERM is not sent to the whole group
				_ = cmd.Process.Signal(s)
			}
		}
	}()
	err := cmd.Wait()
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return max(1, e.ExitCode())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pgrun:", err)
		return 1
	}
	return 0
}
