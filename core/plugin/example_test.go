package plugin_test

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// The whole main function of a plugin. Started by hand it prints that it is a plugin, and exits.
func ExampleServe() {
	plugin.Serve(fixture.Module)
}
