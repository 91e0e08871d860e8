// Package usage is what a customer takes and feeds in: connections, meter readings, usage by the hour, the consent for historical
// meter data and its retrieval. Start here; README.md says its words.
package usage

import (
	"embed"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/modules/usage/usageapi"
)

var (
	//go:embed label.cue
	settings string
	//go:embed migrations
	migrations embed.FS
)

// Settings is what a label may set under modules: usage. Its source is label.cue.
type Settings struct {
	// ConsentTextVersion is the version of the text that a consent given now agrees to.
	ConsentTextVersion string `json:"consent_text_version" browser:"true"`
	// HistoryMonths is how far historical meter data reaches back (9-historical-span).
	HistoryMonths int `json:"history_months" browser:"true"`
	// Intervals is the legal basis on which daily and finer values of smart meters are shown (9-usage-intervals-basis).
	Intervals Basis `json:"intervals" browser:"true" enum:"consent,contract"`
}

var manifest = module.Manifest{
	Key:        "usage",
	Version:    "0.1.0",
	Settings:   settings,
	Needs:      []string{"account", "billing"},
	Handles:    []string{usageapi.EventRetrievalAdvanced},
	Publishes:  usageapi.Events,
	Imports:    []string{kindConnection, kindReading, kindInterval, kindIntervalDay},
	Browser:    module.BrowserSettings[Settings](),
	Demo:       demo,
	Migrations: migrations,
}

// Module is the usage module: the same value in the program and in a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host   module.Host
	source Source
}

var (
	_ module.Instance = (*service)(nil)
	_ module.Importer = (*service)(nil)
)

func newService(h module.Host) module.Instance {
	s := &service{module.NewRouter(manifest), h, stored{h.DB}}
	module.ShowSettings[Settings](s.API)
	s.routes()
	return s
}
