// Command plugin is module billing as a process of its own.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/billing"
)

func main() { plugin.Serve(billing.Module) }
