// Package move is a customer's move of house: what lies at an address, the request that is checked, filed and decided, and the day in
// the customer's calendar. Start here; README.md says its words.
package move

import (
	"embed"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/move/moveapi"
)

var (
	//go:embed label.cue
	settings string
	//go:embed migrations
	migrations embed.FS
)

// Settings is what a label may set under modules: move. Its source is label.cue. None of it is the browser's business.
type Settings struct {
	Connections Provider `json:"connections"`
}

// Provider says who answers, and where.
type Provider struct {
	Name string `json:"provider"`
	URL  string `json:"url"`
}

var manifest = module.Manifest{
	Key:        "move",
	Version:    "0.1.0",
	Settings:   settings,
	Needs:      []string{"account", "address", "billing"},
	Publishes:  moveapi.Events,
	Changes:    []string{kindMove},
	Browser:    module.BrowserSettings[Settings](),
	Migrations: migrations,
}

// Module is the move module: the same value in the program and in a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host   module.Host
	places *places
}

var _ module.Instance = (*service)(nil)

func newService(h module.Host) module.Instance {
	s := &service{module.NewRouter(manifest), h, newPlaces(h)}
	s.routes()
	return s
}
