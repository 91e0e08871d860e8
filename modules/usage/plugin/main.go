// Command plugin is module usage as a process of its own.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/usage"
)

func main() { plugin.Serve(usage.Module) }
