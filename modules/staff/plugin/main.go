// Command plugin is module staff as a process of its own.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/staff"
)

func main() { plugin.Serve(staff.Module) }
