// Command plugin runs module billing as a separate process.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/billing"
)

func main() { plugin.Serve(billing.Module) }
