// Package moduletest is the conformance suite that every module passes, built into the program and as a plugin:
//
//	func TestModule(t *testing.T) {
//		moduletest.Run(t, acme.Module, moduletest.Options{Main: "./plugin", State: []moduletest.Call{{Path: "/acme/things"}}, …})
//	}
//
// It checks what the contract requires of every module: every operation declares its access and effect, events may be delivered
// late, twice and in any order, every published event is described and its data matches the description, a read-only scope writes nothing,
// an import may be repeated, a change is decided once, labels cannot read each other's data, and a plugin gives the same responses as
// the in-process module.
package moduletest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
)

// Options give the suite an example of everything in the manifest. A missing example fails the suite.
type Options struct {
	// Main is the package of the plugin's main, as `go build` takes it: "./plugin". Empty: only in-process.
	Main string
	// Data is the folder of the databases; empty: a temporary folder.
	Data string
	// Database is the URL of a PostgreSQL database; empty: SQLite in Data.
	Database string
	// Durable waits until writes are on disk, as in production: for benchmarks.
	Durable bool
	// Settings are the module's settings in the labels of the suite; nil: {}.
	Settings any
	// Siblings are the modules (and "core") that this one calls; see Fake.
	Siblings []module.Module
	// Prepare is called on an empty database before each check.
	Prepare []Call
	// Records are imported before Prepare.
	Records []Record
	// State are reads whose responses are compared: together they show the module's state.
	State []Call
	// Writes has one call, by operation id, for each operation that writes; it succeeds after Prepare. Skip has the operations for
	// which there is no example, with the reason; it may also have kinds of change and types of published events.
	Writes map[string]Call
	Skip   map[string]string
	// Events has at least one event of every type that the module handles. Delivered in this order, in reverse and twice, and with any
	// of them late and twice, they must lead to the same state. ID, Label, Seq and At are set when empty.
	Events []module.Event
	// Changes has one call by kind of change, which files a change of that kind after Prepare.
	Changes map[string]Call
	// Args are the arguments of commands that have any, by the name of the command.
	Args map[string][]string
}

// Call is a request to the module.
type Call struct {
	Method string // empty: GET
	Path   string // relative to /api/v0
	Body   string // JSON
	Key    string // Idempotency-Key; empty: none
	As     module.Scope
}

// Record is one record to import.
type Record struct{ Kind, Data string }

// Fake returns a module that has operations only, to replace a sibling or, with the key "core", core.
func Fake(key string, routes func(huma.API)) module.Module {
	m := module.Manifest{Key: key, Version: "0.0.0", Settings: "#Settings: {}"}
	return module.New(m, func() module.Instance {
		f := fake{module.NewRouter(m)}
		routes(f.API)
		return f
	})
}

type fake struct{ module.Router }

// Handle implements module.Instance; a fake handles no events.
func (fake) Handle(context.Context, module.Event) error { return nil }

// Run runs the suite: each check in-process and, with Options.Main, as a plugin, which go test -short leaves out.
func Run(t *testing.T, m module.Module, o Options) {
	t.Helper()
	modes := []bool{false}
	plugin := o.Main != "" && !testing.Short()
	if plugin {
		modes = append(modes, true)
	}
	docs, outputs := map[bool]string{}, map[bool]string{}
	for _, asPlugin := range modes {
		name := "in-process"
		if asPlugin {
			name = "plugin"
		}
		t.Run(name, func(t *testing.T) {
			s := &suite{module: m, options: o, plugin: asPlugin, seen: map[string]bool{}}
			t.Run("operations declare their access and effect", func(t *testing.T) { docs[asPlugin] = s.operations(t) })
			t.Run("events may be delivered late, twice and in any order", s.events)
			t.Run("a read-only scope writes nothing", s.readOnly)
			t.Run("an import may be repeated", s.imports)
			t.Run("a change is decided once", s.decisions)
			t.Run("labels cannot read each other's data", s.labels)
			t.Run("a call in a loop ends", s.loops)
			if !asPlugin { // a plugin sends its rows at any time
				t.Run("every described event is published", func(t *testing.T) { s.described(t) })
			}
			t.Run("commands run", func(t *testing.T) { outputs[asPlugin] = s.commands(t) })
		})
	}
	if plugin && !t.Failed() && docs[false] != docs[true] {
		t.Error("the operations of the plugin differ from those of the in-process module")
	}
	if plugin && !t.Failed() && outputs[false] != outputs[true] {
		t.Errorf("commands print with the plugin:\n%s\nand with the in-process module:\n%s", outputs[true], outputs[false])
	}
}

func settingsOf(v any) (json.RawMessage, error) {
	if v == nil {
		return json.RawMessage("{}"), nil
	}
	return json.Marshal(v)
}
