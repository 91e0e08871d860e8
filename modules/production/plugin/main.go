// Command plugin is module production as a process of its own.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/production"
)

func main() { plugin.Serve(production.Module) }
