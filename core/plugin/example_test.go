package plugin_test

import (
	"github.com/wattle-portal/wattle/core/plugin"
	acme "github.com/wattle-portal/wattle/docs/example-module"
)

// All of a plugin's main. Started by hand it says that it is a plugin, and exits.
func ExampleServe() {
	plugin.Serve(acme.Module)
}
