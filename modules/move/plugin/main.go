// Command plugin runs module move as a separate process.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/move"
)

func main() { plugin.Serve(move.Module) }
