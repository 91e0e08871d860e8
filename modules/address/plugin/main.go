// Command plugin is module address as a process of its own.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/address"
)

func main() { plugin.Serve(address.Module) }
