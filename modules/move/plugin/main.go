// Command plugin is module move as a process of its own.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/move"
)

func main() { plugin.Serve(move.Module) }
