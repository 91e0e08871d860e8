// Package outages shows customers the outages of power and gas near their addresses.
package outages

import (
	"embed"

	"example.org/outages/modules/outages/outagesapi"
	"github.com/wattle-portal/wattle/core/module"
)

//go:embed label.cue
var settings string

//go:embed migrations
var migrations embed.FS

//go:embed messages
var messages embed.FS

var texts = module.MustTexts(messages)

// Settings contains the settings of a label under modules: outages.
type Settings struct {
	FaultNumber  string `json:"fault_number" browser:"true"`
	AnnounceDays int    `json:"announce_days"`
	KeepDays     int    `json:"keep_days"`
}

var manifest = module.Manifest{
	Key: "outages", Version: "1.0.0", Settings: settings,
	Needs:       []string{"account"},
	Permissions: &module.Permissions{Core: []string{"accounts"}},
	Handles:     []string{outagesapi.EventChanged, outagesapi.EventMailsDue, outagesapi.EventNight},
	Schedule:    map[string]string{outagesapi.EventNight: "30 3 * * *"},
	Publishes:   outagesapi.Events,
	Imports:     []string{"outages_report"},
	Texts:       texts,
	Browser:     module.BrowserSettings[Settings](),
	Migrations:  migrations,
}

// Module is the outages module, for the main package of the plugin.
var Module = module.New(manifest, newService)

type service struct {
	module.Router
	host module.Host
}

func newService(h module.Host) module.Instance {
	s := &service{module.NewRouter(manifest), h}
	module.ShowSettings[Settings](s.API)
	module.Declare(s.Router, module.Customer, "GET /", "listNear", "List outages near the customer",
		"For customers. Returns the outages in the areas of the customer's addresses, and whether the customer gets mails.", s.listNear)
	module.Declare(s.Router, module.Customer, "PUT /subscription", "subscribe", "Switch mails about outages on or off",
		"For customers. Mails are about the addresses that the customer has at that moment. Repeating the call changes nothing.", s.subscribe)
	module.Declare(s.Router, module.APIKey, "GET /", "listOutages", "List all outages, newest first", // at /staff/outages
		"For staff and API keys. Returns 50 per page. Problem: 404 for an unknown value of after.", s.list)
	module.Declare(s.Router, module.APIKey, "PUT /{id}", "saveOutage", "Report an outage, or change it",
		"For staff and API keys: also the push operation of a grid operator. Subscribers get a mail when it is new, and when its end is reported. "+
			"A report that is older than the stored one, by changed_at, changes nothing. Problem: 400 for fields that are invalid.", s.save)
	module.Declare(s.Router, module.APIKey, "DELETE /{id}", "deleteOutage", "Delete an outage",
		"For staff and API keys. Nobody gets a mail about it. Problem: 404 for an unknown outage.", s.delete)
	return s
}
