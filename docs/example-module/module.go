// Package acme stores notes of customers.
package acme

import (
	"embed"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/module"
	"github.com/wattle-portal/wattle/docs/example-module/acmeapi"
)

//go:embed label.cue
var settings string // CUE: #Settings: max_notes: *10 | int & >=1 & <=100

//go:embed migrations
var migrations embed.FS // goose: migrations/00001_notes.sql

//go:embed messages
var messages embed.FS

var texts = module.MustTexts(messages)

//go:embed demo
var samples embed.FS

// Settings are the settings of a label under modules: acme.
type Settings struct {
	MaxNotes int    `json:"max_notes" browser:"true"` // only tagged fields reach the browser
	MailTo   string `json:"mail_to"`
}

var manifest = module.Manifest{
	Key: "acme", Version: "1.0.0", Settings: settings,
	Handles:    []string{acmeapi.EventNoteSaved, acmeapi.EventWeek},
	Schedule:   map[string]string{acmeapi.EventWeek: "0 7 * * 1"}, // jobs, in the time zone of the label
	Publishes:  acmeapi.Events,                                    // published events, with types
	Changes:    []string{"acme.limit"},                            // kinds of change requests
	Imports:    []string{"acme_note"},                             // kinds of records
	Texts:      texts,
	Browser:    module.BrowserSettings[Settings](),
	Commands:   commands,
	Demo:       demodata.Data{Sample: samples},
	Migrations: migrations,
}

// Module is the value for modules.go and for the main of a plugin.
var Module = module.New(manifest, newService)

type service struct {
	module.Router
	host module.Host
}

func newService(h module.Host) module.Instance {
	s := &service{module.NewRouter(manifest), h}
	module.ShowSettings[Settings](s.API) // the type of the browser's settings, in the OpenAPI document
	route := func(id, method, path, summary, description string) huma.Operation {
		return huma.Operation{OperationID: id, Method: method, Path: "/acme" + path, Summary: summary, Description: description}
	}
	module.Route(s.API, route("listNotes", http.MethodGet, "/notes",
		"List the notes of the customer", "All notes of the customer, by id."), module.Customer, module.Read, s.list)
	module.Route(s.API, route("saveNote", http.MethodPut, "/notes/{id}",
		"Save a note", "Adds a note or replaces its text. 409 acme.notes_full above the limit of the label."), module.Customer, module.Write, s.save)
	module.Route(s.API, route("askLimit", http.MethodPost, "/limit",
		"Ask for more notes", "Files a change request that the back office decides."), module.Customer, module.Write, s.askLimit)
	module.Route(s.API, route("listAllNotes", http.MethodGet, "/all",
		"List the notes of all customers", "For a back office: the notes of the label."), module.APIKey, module.Read, s.all)
	module.Route(s.API, route("recount", http.MethodPost, "/recount",
		"Count all notes", "Counts the notes of the label and those without a text."), module.Sibling, module.Read, s.recount)
	module.Decisions(s.API, "acme", h.DB, s.apply) // the operation that decides change requests
	return s
}
