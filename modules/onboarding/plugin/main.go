// Command plugin is module onboarding as a process of its own.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/onboarding"
)

func main() { plugin.Serve(onboarding.Module) }
