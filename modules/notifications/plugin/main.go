// Command plugin is module notifications as a process of its own.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/notifications"
)

func main() { plugin.Serve(notifications.Module) }
