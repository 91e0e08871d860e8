// Command plugin runs module production as a separate process.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/production"
)

func main() { plugin.Serve(production.Module) }
