// Package move lets customers move an agreement to another address: it looks up addresses and connections, files requests, which staff
// decide, and provides the days of a move as a calendar file. Start here; README.md explains the module.
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
	//go:embed messages
	messages embed.FS
)

// texts contains the module's email texts.
var texts = module.MustTexts(messages)

// Settings contains the settings of a label under modules: move, as defined in label.cue. The browser receives none of them.
type Settings struct {
	Connections Provider `json:"connections"`
}

// Provider is the source of connections that a label uses: its name and base URL.
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
	Texts:      texts,
	Problems:   problems,
}

// Module is the move module, for the program and for a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host    module.Host
	sources *connectionSources
}

var _ module.Instance = (*service)(nil)

func newService(h module.Host) module.Instance {
	s := &service{module.NewRouter(manifest), h, newConnectionSources(h)}
	s.routes()
	return s
}
