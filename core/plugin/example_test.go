package plugin_test

import (
	"github.com/wattle-portal/wattle/core/plugin"
	acme "github.com/wattle-portal/wattle/docs/example-module"
)

// The whole main function of a plugin. Started by hand it prints that it is a plugin, and exits.
func ExampleServe() {
	plugin.Serve(acme.Module)
}
