// Command plugin runs module notifications as a separate process.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/notifications"
)

func main() { plugin.Serve(notifications.Module) }
