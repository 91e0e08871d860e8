// Package module is the contract between core and a module.
//
// A module consists of a Manifest (data that can be read without building the module) and fx constructors. The last constructor returns an
// Instance, which serves HTTP requests, describes them in OpenAPI and handles events. The same value runs inside the program and, through
// core/plugin, as a separate process; neither the module nor its callers notice a difference.
//
// Start with ten names: New and Manifest define a module; NewRouter and Declare define its operations; Host provides its database, clock
// and clients; DB and Tx read and write; Mine and Label select the rows of the call; Settings returns the module's settings in the label.
// The packages value, problem, record, files and source contain the types that operations use. Few modules need more of core:
// docs/modules.md lists what a module may import. A module never imports another module (a sibling); it calls siblings through
// Host.Client.
package module

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"go.uber.org/fx"

	"github.com/wattle-portal/wattle/core/command"
	"github.com/wattle-portal/wattle/core/demodata"
	"github.com/wattle-portal/wattle/core/event"
	"github.com/wattle-portal/wattle/core/problem"
	"github.com/wattle-portal/wattle/core/record"
)

// Manifest describes a module. The label check, the schema, the import and a plugin's Describe call read it without building an fx graph.
type Manifest struct {
	Key      string   // folder name, prefix of tables, events, message ids and operation ids
	Version  string   // semantic version of the module
	Settings string   // CUE source that defines #Settings, without imports; empty: the module has no settings
	Needs    []string // siblings that a label with this module must also have; they must not form a cycle
	Uses     []string // siblings that the module calls if the label has them; otherwise their part of a response is omitted
	Handles  []string // event types that Instance.Handle receives
	// Permissions lists what the module requests from the operator when it runs as a plugin, in addition to Needs and Uses. If it is nil, the
	// module declares nothing, and may do everything that the operator's grants allow.
	Permissions *Permissions
	// Publishes describes the events that the module publishes, including the events that it sends to itself and those of Schedule. The
	// AsyncAPI document of the module is generated from this list; see moduletest.AsyncAPI.
	Publishes []event.Type
	Changes   []string // change request kinds that the module decides, such as "account.phone"
	Imports   []string // record kinds that `wattle import` accepts for it, in the order in which they must be imported

	// Records describes the record kinds in Imports, for `wattle import schema`, `wattle import template` and error messages that list the
	// allowed values. The program does not have this list for a plugin.
	Records []record.Kind

	// Problems contains an English sentence for each error code of the module, such as "outages.area_unknown": "no area has this code". It
	// is the detail of a problem for callers of the API, and the reason in the report of an import. Customers and staff see the translated
	// text of the code.
	Problems map[string]string

	// Texts contains the module's email texts, which a label can replace; see MustTexts.
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

// Permissions lists what a plugin requests from the operator. It is written to plugin.json. Services and hosts that are not listed are
// refused.
type Permissions struct {
	Core  []string // core services that it calls: "accounts", "tokens", "files", "limits", "secrets", "audit"
	Hosts []string // hosts that it calls through Host.Web: "api.example.nl", or "*.example.nl" for every subdomain of example.nl
}

// Module is a manifest with its constructors. The program and a plugin use the same value.
type Module struct {
	Manifest
	constructors []any
}

// New returns a module with a manifest and fx constructors, the last of which must return an Instance. Constructors may take a Host as a
// parameter.
func New(m Manifest, constructors ...any) Module {
	problem.Describe(m.Problems)
	m.Settings = cmp.Or(m.Settings, "#Settings: {}")
	return Module{m, constructors}
}

// HostFor returns the Host of a module: core's own inside the program, the broker's in a plugin.
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
	// Handle receives each event at least once, in any order. If it returns problem.ErrRetry (wrapped), core retries with back-off; any
	// other error makes the delivery a dead letter that an operator can replay.
	Handle(ctx context.Context, e Event) error
}

// Importer is an optional interface of an Instance. Import upserts one batch of rows by natural key, in one Tx: at most 500 rows, or 2,500
// with `wattle import --bulk`.
type Importer interface {
	Import(ctx context.Context, kind string, rows []record.Row) ([]record.Refusal, error)
}
