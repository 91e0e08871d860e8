// Command acme is the example as a process of its own.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	acme "github.com/wattle-portal/wattle/docs/example-module"
)

func main() { plugin.Serve(acme.Module) }
