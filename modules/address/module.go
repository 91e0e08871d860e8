// Package address looks up Dutch addresses by postal code and house number. Start here; README.md explains the module.
package address

import (
	_ "embed" // settings

	"github.com/wattle-portal/wattle/core/module"
)

//go:embed label.cue
var settings string

// Settings contains the settings of a label under modules: address, as defined in label.cue. The browser receives none of them.
type Settings struct {
	Register Provider `json:"register"`
}

// Provider is the register that a label uses: its name and base URL.
type Provider struct {
	Name string `json:"provider"`
	URL  string `json:"url"`
}

var manifest = module.Manifest{
	Key:      "address",
	Version:  "0.1.0",
	Settings: settings,
	Browser:  module.BrowserSettings[Settings](),
	Problems: problems,
}

// Module is the address module, for the program and for a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host      module.Host
	registers *registers
}

var _ module.Instance = (*service)(nil)

func newService(h module.Host) module.Instance {
	s := &service{module.NewRouter(manifest), h, newRegisters(h)}
	s.routes()
	return s
}
