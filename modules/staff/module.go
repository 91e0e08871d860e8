// Package staff is for those who help customers: it finds a customer and shows who that is. The queue of change requests,
// impersonation and the audit log are core's; other modules have staff operations of their own. Start here; README.md says its words.
package staff

import (
	_ "embed"

	"github.com/wattle-portal/wattle/core/module"
)

//go:embed label.cue
var settings string

// Settings is what a label may set under modules: staff. Its source is label.cue.
type Settings struct {
	// PageSize is how many customers a page of search results shows.
	PageSize int `json:"page_size" browser:"true"`
}

var manifest = module.Manifest{
	Key:      "staff",
	Version:  "0.1.0",
	Settings: settings,
	Needs:    []string{"account"},
	Browser:  module.BrowserSettings[Settings](),
}

// Module is the staff module: the same value in the program and in a plugin.
var Module = module.New(manifest, newService)

// service is the running module. It keeps nothing.
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
