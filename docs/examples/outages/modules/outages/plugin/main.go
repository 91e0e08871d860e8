// Command plugin runs module outages as a separate process.
package main

import (
	"example.org/outages/modules/outages"
	"github.com/wattle-portal/wattle/core/plugin"
)

func main() { plugin.Serve(outages.Module) }
