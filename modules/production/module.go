// Package production returns the production of a cooperative's projects, and the weather. README.md explains the terms.
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

// Settings contains the settings of a label under modules: production, as defined in label.cue.
type Settings struct {
	Weather WeatherSettings `json:"weather" browser:"true" doc:"Settings of the weather"`
	// DefaultProject is the project for calls without a project (7.6-production-defaults).
	DefaultProject string `json:"default_project"`
	// HouseholdUse is the electricity that a household uses in a year, in kWh, for comparison with production.
	HouseholdUse int `json:"household_use" browser:"true" doc:"Electricity that a household uses in a year in kWh, with which the portal compares production"`
	// Charts selects the charts on the production page: one of the shares and one of the project, or one chart with a switch
	// (9-production-one-chart).
	Charts string `json:"charts" browser:"true" doc:"Charts of the page with the production: two, or one with a switch between shares and project"`
	// YieldPrices contains the values of a kWh of a share.
	YieldPrices []YieldPrice `json:"yield_prices"`
}

// WeatherSettings select the source of the weather and the station of the widget (7.2-get-weather).
type WeatherSettings struct {
	Provider string `json:"provider"`
	URL      string `json:"url"`
	Station  string `json:"station" browser:"true" doc:"Name of the weather station that the portal shows"`
}

var manifest = module.Manifest{
	Key:        "production",
	Version:    "0.1.0",
	Settings:   settings,
	Uses:       []string{"marketplace"}, // shares of members
	Imports:    []string{kindProject, kindDay, kindHour, kindMeasurement},
	Records:    recordKinds,
	Browser:    module.BrowserSettings[Settings](),
	Demo:       demo,
	Migrations: migrations,
	Problems:   problems,
}

// Module is the production module, for the program and for a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host  module.Host
	mu    sync.Mutex
	feeds map[string]*feed // by URL, so that all labels share one request
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
