// Package address looks up which addresses there are. Start here; README.md says its words.
package address

import (
	_ "embed" // settings

	"github.com/wattle-portal/wattle/core/module"
)

//go:embed label.cue
var settings string

// Settings is what a label may set under modules: address. Its source is label.cue. None of it is the browser's business.
type Settings struct {
	Register Provider `json:"register"`
}

// Provider says who answers, and where.
type Provider struct {
	Name string `json:"provider"`
	URL  string `json:"url"`
}

var manifest = module.Manifest{
	Key:      "address",
	Version:  "0.1.0",
	Settings: settings,
	Browser:  module.BrowserSettings[Settings](),
}

// Module is the address module: the same value in the program and in a plugin.
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
