// Package usage contains a customer's connections, meter readings and usage by period, the consent to historical meter data and its
// retrieval. Start here; README.md explains the module.
package usage

import (
	"embed"

	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/core/value"
	"github.com/wattle-portal/wattle/modules/usage/internal/history"
	"github.com/wattle-portal/wattle/modules/usage/internal/meter"
	"github.com/wattle-portal/wattle/modules/usage/usageapi"
)

var (
	//go:embed label.cue
	settings string
	//go:embed migrations
	migrations embed.FS
)

// Settings contains the settings of a label under modules: usage, as defined in label.cue.
type Settings struct {
	// ConsentTextVersion is the version of the text that customers agree to when they give consent.
	ConsentTextVersion string `json:"consent_text_version" browser:"true" doc:"Version of the text that customers agree to when they give consent"`
	// HistoryMonths is the number of months of historical meter data (9-historical-span).
	HistoryMonths int `json:"history_months" browser:"true" doc:"Number of months of historical meter data"`
	// Intervals is the legal basis on which daily and finer values of smart meters are shown (9-usage-intervals-basis).
	Intervals history.Basis `json:"intervals" browser:"true" enum:"consent,contract" doc:"Legal basis for hourly and daily values: the customer's consent, or the contract"`
	// NetMeteringUntil is the last day on which feed-in is subtracted from usage (9-cost-net-metering).
	NetMeteringUntil value.Day `json:"net_metering_until"`
	// VATPercent is added to prices that do not include VAT.
	VATPercent int `json:"vat_percent"`
}

var manifest = module.Manifest{
	Key:        "usage",
	Version:    "0.1.0",
	Settings:   settings,
	Needs:      []string{"account", "billing"},
	Handles:    []string{usageapi.EventRetrievalAdvanced},
	Publishes:  usageapi.Events,
	Imports:    []string{meter.KindConnection, meter.KindReading, meter.KindInterval, meter.KindIntervalDay},
	Records:    recordKinds,
	Browser:    module.BrowserSettings[Settings](),
	Demo:       demo,
	Migrations: migrations,
	Problems:   problems,
}

// Module is the usage module, for the program and for a plugin.
var Module = module.New(manifest, newService)

// service is the running module.
type service struct {
	module.Router
	host   module.Host
	source history.Source
}

var (
	_ module.Instance = (*service)(nil)
	_ module.Importer = (*service)(nil)
)

func newService(h module.Host) module.Instance {
	s := &service{module.NewRouter(manifest), h, history.NewStoredSource(h.DB)}
	module.ShowSettings[Settings](s.API)
	s.routes()
	return s
}
