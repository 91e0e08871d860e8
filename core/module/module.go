// Package module is the contract between core and a module.
//
// A module is a Manifest (data that can be read without building anything) with fx constructors. The last of them returns an
// Instance, which serves HTTP, says its OpenAPI and handles events. The very same value runs inside the program and, through
// core/plugin, as a process of its own; neither the module nor its callers can tell.
//
// Ten names come first: New and Manifest make a module, NewRouter and Route its operations, Host gives its database, clock and
// clients, DB and Tx read and write, Mine and Label say whose rows, Settings reads what the label configured. The packages value,
// problem, record, files and source beside this one hold what operations speak in. A module imports nothing else of core, and no
// sibling: those are called over Host.Client.
package module

import (
	"context"
	"encoding/json"
	"io/fs"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/command"
	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/record"
)

// Manifest is data: label check, schema, import and a plugin's Describe read it without building a graph.
type Manifest struct {
	Key      string   // folder name, prefix of tables, events, message ids and operation ids
	Version  string   // semantic version of the module
	Settings string   // CUE source that defines #Settings, without imports
	Needs    []string // siblings that a label with this module has too; acyclic
	Uses     []string // siblings that are called when the label has them; absent, their part of an answer is left out
	Handles  []string // types of the events that Instance.Handle wants
	// Publishes describes the events of the module, those that it sends to itself and those of Schedule too. Its AsyncAPI document is
	// made of them; see moduletest.AsyncAPI.
	Publishes []event.Type
	Changes   []string // kinds of change request that it owns, such as "account.phone"
	Imports   []string // kinds of record that `wattle import` accepts for it, in the order in which they must be imported

	// Schedule maps an event type of its own to a cron expression in the label's zone; one event per label.
	Schedule map[string]string

	// Commands are what an operator runs of it: `wattle <key> <name>`.
	Commands command.Group

	// Demo is what it adds to a demo.
	Demo demodata.Data

	// Browser lists the settings that the browser may see, derived from the fields tagged `browser:"true"`; see BrowserSettings.
	Browser func(json.RawMessage) (json.RawMessage, error)

	// Migrations holds goose files, expand and contract only, in its root or in its folder migrations; a folder postgres/ next to them
	// replaces files of the same name for that engine.
	Migrations fs.FS
}

// Module is a value; the program and a plugin use the very same one.
type Module struct {
	Manifest
	constructors []any
}

// New pairs a manifest with fx constructors, the last of which returns an Instance. A constructor may ask for a Host.
func New(m Manifest, constructors ...any) Module { return Module{m, constructors} }

// HostFor gives a module its Host: core's inside the program, the broker's in a plugin.
type HostFor func(Manifest) Host

// Option puts the module into an fx app that supplies HostFor, and feeds the value group "modules" with its Running.
func (m Module) Option() fx.Option {
	own := append([]any{func(f HostFor) Host { return f(m.Manifest) }}, m.constructors...)
	return fx.Module(m.Key,
		fx.Provide(append(own, fx.Private)...),
		fx.Provide(fx.Annotate(func(i Instance) Running { return Running{m.Manifest, i} }, fx.ResultTags(`group:"modules"`))))
}

// Running is a module that has been built.
type Running struct {
	Manifest
	Instance
}

// Instance is a built module.
type Instance interface {
	// ServeHTTP is reached only for operations that OpenAPI documents, after core has enforced their Access and Effect.
	// Paths are relative to /api/v0.
	http.Handler
	// OpenAPI describes the operations; every one carries x-access and x-effect (see Route).
	OpenAPI() *huma.OpenAPI
	// Handle receives an event at least once, in no promised order. ErrRetry (wrapped) backs off, any other error makes the
	// delivery a dead letter that an operator can replay.
	Handle(ctx context.Context, e Event) error
}

// Importer is optional for an Instance. One call is one Tx of at most 500 rows, upserted by natural key.
type Importer interface {
	Import(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error)
}
