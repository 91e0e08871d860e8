// Command plugin runs module mykey as a separate process.
package main

import (
	"example.org/mykey/modules/mykey"
	"github.com/wattle-portal/wattle/core/plugin"
)

func main() { plugin.Serve(mykey.Module) }
