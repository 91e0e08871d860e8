// Command plugin runs module onboarding as a separate process.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/onboarding"
)

func main() { plugin.Serve(onboarding.Module) }
