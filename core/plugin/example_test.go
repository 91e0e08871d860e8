package plugin_test

import (
	"github.com/wattle-portal/wattle/core/plugin"
	"github.com/wattle-portal/wattle/test/plugin/fixture"
)

// This is the whole main function of a plugin. If it is started manually, it prints that it is a plugin, and exits.
func ExampleServe() {
	plugin.Serve(fixture.Module)
}
