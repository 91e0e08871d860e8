// Command wattle is the portal: the server, and the commands for its operator.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/wattle-portal/wattle/core/internal/operate/cli"
)

//go:generate go run . modules openapi --out ../../../schemas/openapi
//go:generate go run . modules asyncapi --out ../../../schemas/asyncapi
//go:generate go test . -run TestCommandsPage -update

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends a command that is waiting for something else
	err := newRoot().ExecuteContext(ctx)
	var status exitStatus
	switch {
	case errors.As(err, &status):
		os.Exit(int(status))
	case err != nil:
		fmt.Fprintln(os.Stderr, "wattle:", cli.Message(err))
		if _, mistyped := errors.AsType[*unknownCommand](err); mistyped {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// exitStatus ends the program with this status, after the command has printed the reason.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }
