// Package staff lets staff search for and open customers. The queue of change requests, impersonation and the audit log are in core; other
// modules have their own operations for staff. README.md explains the terms.
package staff

import (
	_ "embed"

	"github.com/wattle-portal/wattle/core/module"
)

//go:embed label.cue
var settings string

// Settings contains the settings of a label under modules: staff, as defined in label.cue.
type Settings struct {
	// PageSize is the number of customers on a page of search results.
	PageSize int `json:"page_size" browser:"true" doc:"Number of customers on a page of search results"`
}

var manifest = module.Manifest{
	Key:      "staff",
	Version:  "0.1.0",
	Settings: settings,
	Needs:    []string{"account"},
	Browser:  module.BrowserSettings[Settings](),
}

// Module is the staff module, for the program and for a plugin.
var Module = module.New(manifest, newService)

// service is the running module. It has no database.
type service struct {
	module.Router
	host module.Host
}

var _ module.Instance = (*service)(nil)

func newService(h module.Host) module.Instance {
	s := &service{module.NewRouter(manifest), h}
	module.ShowSettings[Settings](s.API)
	s.routes()
	return s
}
