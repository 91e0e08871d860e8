// Package production tells what the projects of a cooperative make, and under what weather. Start here; README.md says its words.
package production

import (
	"embed"
	"sync"

	"github.com/wattle-portal/wattle/core/module"
)

var (
	//go:embed label.cue
	settings string
	//go:embed migrations
	migrations embed.FS
)

// Settings is what a label may set under modules: production. Its source is label.cue.
type Settings struct {
	Weather WeatherSettings `json:"weather" browser:"true"`
	// DefaultProject is the project of a call that names none (7.6-production-defaults).
	DefaultProject string `json:"default_project"`
}

// WeatherSettings says where the weather comes from, and of which station the widget tells (7.2-get-weather).
type WeatherSettings struct {
	Provider string `json:"provider"`
	URL      string `json:"url"`
	Station  string `json:"station" browser:"true"`
}

var manifest = module.Manifest{
	Key:        "production",
	Version:    "0.1.0",
	Settings:   settings,
	Uses:       []string{"marketplace"}, // whose shares they are
	Imports:    []string{kindProject, kindDay, kindHour, kindMeasurement},
	Browser:    module.BrowserSettings[Settings](),
	Demo:       demo,
	Migrations: migrations,
}

// Module is the production module: the same value in the program and in a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host  module.Host
	mu    sync.Mutex
	feeds map[string]*feed // by URL, so that a feed is asked once for all labels
}

var (
	_ module.Instance = (*service)(nil)
	_ module.Importer = (*service)(nil)
)

func newService(h module.Host) module.Instance {
	s := &service{Router: module.NewRouter(manifest), host: h, feeds: map[string]*feed{}}
	module.ShowSettings[Settings](s.API)
	s.routes()
	return s
}
