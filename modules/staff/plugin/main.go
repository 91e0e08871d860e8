// Command plugin runs module staff as a separate process.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/staff"
)

func main() { plugin.Serve(staff.Module) }
