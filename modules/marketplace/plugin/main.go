// Command plugin runs module marketplace as a separate process.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/marketplace"
)

func main() { plugin.Serve(marketplace.Module) }
