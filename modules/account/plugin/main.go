// Command plugin is module account as a separate process.
package main

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/modules/account"
)

func main() { plugin.Serve(account.Module) }
