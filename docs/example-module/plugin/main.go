// Command plugin runs module acme as a separate process.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	acme "github.com/wattle-portal/wattle/docs/example-module"
)

func main() { plugin.Serve(acme.Module) }
