// Command wattle is the portal: the server, and the commands with which an operator looks after it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

//go:generate go run . modules openapi --out ../../../schemas/openapi
//go:generate go run . modules asyncapi --out ../../../schemas/asyncapi

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := newRoot().ExecuteContext(ctx)
	var status exitStatus
	switch {
	case errors.As(err, &status):
		os.Exit(int(status))
	case err != nil:
		fmt.Fprintln(os.Stderr, "wattle:", err)
		os.Exit(1)
	}
}

// exitStatus ends the program with a status of its own, after the command has said why.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }
