// Package mykey keeps notes of customers.
package mykey

import (
	"embed"

	"example.org/mykey/modules/mykey/mykeyapi"
	"github.com/wattle-portal/wattle/core/module"
)

//go:embed migrations
var migrations embed.FS

// {setting}

//go:embed label.cue
var settings string

// Settings contains the settings of a label under modules: mykey.
type Settings struct {
	MaxNotes int64 `json:"max_notes" browser:"true" doc:"Number of notes that a customer can have"`
}

// {/setting}
// {mail}

//go:embed messages
var messages embed.FS

var texts = module.MustTexts(messages)

// {/mail}

var manifest = module.Manifest{
	Key:     "mykey",
	Version: "1.0.0", // of both halves
	// {setting}
	Settings: settings,
	Browser:  module.BrowserSettings[Settings](),
	Problems: problems,
	// {/setting}
	// {staff}
	Needs: []string{"account"},
	// {/staff}
	// {mail}
	Permissions: &module.Permissions{Core: []string{"accounts"}},
	Texts:       texts,
	// {/mail}
	// {event,job}
	Publishes: mykeyapi.Events,
	// {/event,job}
	// {job}
	Handles:  []string{mykeyapi.EventNight},
	Schedule: map[string]string{mykeyapi.EventNight: "30 3 * * *"},
	// {/job}
	// {change}
	Changes: []string{kindRemoval},
	// {/change}
	// {import}
	Imports: []string{kindNote},
	// {/import}
	Migrations: migrations,
}

// Module is the module, for the main package of the plugin.
var Module = module.New(manifest, newService)

type service struct {
	module.Router
	host module.Host
}

func newService(h module.Host) module.Instance {
	s := &service{module.NewRouter(manifest), h}
	s.routes()
	return s
}
