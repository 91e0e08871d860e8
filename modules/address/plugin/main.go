// Command plugin runs module address as a separate process.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/address"
)

func main() { plugin.Serve(address.Module) }
