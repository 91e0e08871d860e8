// Package module is the contract between core and a module.
//
// A module is a Manifest (data that can be read without building anything) with fx constructors. The last of them returns an
// Instance, which serves HTTP, describes its OpenAPI and handles events. The same value runs inside the program and, through
// core/plugin, as a separate process; neither the module nor its callers see a difference.
//
// Start with ten names: New and Manifest define a module, NewRouter and Route its operations, Host gives its database, clock and
// clients, DB and Tx read and write, Mine and Label select the rows of the call, Settings returns what the label configured. The
// packages value, problem, record, files and source hold the types of operations. Few modules need more of core: docs/modules.md lists
// what a module may import. It never imports a sibling: siblings are called through Host.Client.
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

// Manifest describes a module: label check, schema, import and a plugin's Describe read it without building an fx graph.
type Manifest struct {
	Key      string   // folder name, prefix of tables, events, message ids and operation ids
	Version  string   // semantic version of the module
	Settings string   // CUE source that defines #Settings, without imports
	Needs    []string // siblings that a label with this module must have too; acyclic
	Uses     []string // siblings that are called when the label has them; without them, their part of a response is omitted
	Handles  []string // types of the events that Instance.Handle receives
	// Asks is what the module as a plugin asks of the operator, besides Needs and Uses; nil: it does not say, and may do all of it that
	// the operator does not refuse.
	Asks *Asks
	// Publishes describes the events of the module, including those that it sends to itself and those of Schedule. Its AsyncAPI
	// document is generated from it; see moduletest.AsyncAPI.
	Publishes []event.Type
	Changes   []string // kinds of change request that the module decides, such as "account.phone"
	Imports   []string // kinds of record that `wattle import` accepts for it, in the order in which they must be imported

	// Records describes the kinds of Imports, for people who write records: `wattle import schema` and `template`, and refusals that name
	// the allowed values. A plugin's are not known to the program.
	Records []record.Kind

	// Texts are the texts of its mails, which a label can replace; see MustTexts.
	Texts Texts

	// Schedule maps an event type of the module to a cron expression in the label's time zone. Core publishes one event per label.
	Schedule map[string]string

	// Commands are the commands for operators: `wattle <key> <name>`.
	Commands command.Group

	// Demo is the demo data of the module.
	Demo demodata.Data

	// Browser returns the settings that the browser may see: the fields with the tag `browser:"true"`; see BrowserSettings.
	Browser func(json.RawMessage) (json.RawMessage, error)

	// Migrations contains goose files (expand and contract only) in its root or in its folder migrations. Files in a folder postgres/
	// next to them replace files of the same name on PostgreSQL.
	Migrations fs.FS
}

// Asks has what a plugin asks of the operator. It is written to plugin.json, and the plugin may do nothing else.
type Asks struct {
	Core  []string // services of core that it calls: "accounts", "tokens", "files", "limits", "secrets", "audit"
	Hosts []string // hosts that it calls with Host.Web: "api.example.nl", or "*.example.nl" for all hosts below that one
}

// Module is a manifest with its constructors. The program and a plugin use the same value.
type Module struct {
	Manifest
	constructors []any
}

// New returns a module with a manifest and fx constructors, the last of which returns an Instance. Constructors may have a Host as
// parameter.
func New(m Manifest, constructors ...any) Module { return Module{m, constructors} }

// HostFor returns the Host of a module: core's inside the program, the broker's in a plugin.
type HostFor func(Manifest) Host

// Option returns the fx option that builds the module in an app that supplies HostFor, and adds its Running to the value group
// "modules".
func (m Module) Option() fx.Option {
	own := append([]any{func(f HostFor) Host { return f(m.Manifest) }}, m.constructors...)
	return fx.Module(m.Key,
		fx.Provide(append(own, fx.Private)...),
		fx.Provide(fx.Annotate(func(i Instance) Running { return Running{m.Manifest, i} }, fx.ResultTags(`group:"modules"`))))
}

// Running is a module whose instance has been built.
type Running struct {
	Manifest
	Instance
}

// Instance is a built module.
type Instance interface {
	// ServeHTTP is called only for operations in OpenAPI, after core has enforced their Access and Effect. Paths are relative to
	// /api/v0.
	http.Handler
	// OpenAPI describes the operations; each of them has x-access and x-effect (see Route).
	OpenAPI() *huma.OpenAPI
	// Handle receives an event at least once, in any order. After problem.ErrRetry (wrapped) core retries with back-off; any other error
	// makes the delivery a dead letter that an operator can replay.
	Handle(ctx context.Context, e Event) error
}

// Importer is optional for an Instance. A call imports one batch of rows in one Tx, upserted by natural key: at most 500 rows, or 2,500
// with `wattle import --bulk`.
type Importer interface {
	Import(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error)
}
