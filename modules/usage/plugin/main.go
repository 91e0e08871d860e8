// Command plugin runs module usage as a separate process.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/usage"
)

func main() { plugin.Serve(usage.Module) }
