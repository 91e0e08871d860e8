// Package moduletest is the conformance suite that every module passes, built into the program and as a plugin:
//
//	func TestModule(t *testing.T) {
//		moduletest.Run(t, acme.Module, moduletest.Options{Main: "./plugin", State: []moduletest.Call{{Path: "/acme/things"}}, …})
//	}
//
// It checks what the contract requires of every module: every operation declares its access and effect, events may arrive late, twice and
// in any order, every published event is described and its data matches the description, a read-only scope writes nothing, an import can be
// repeated, a change is decided only once, labels cannot read each other's data, and a plugin gives the same responses as the in-process
// module.
package moduletest

import (
	"encoding/json"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/wattle-portal/wattle/core/module"
)

// Options provide the suite with an example of everything in the manifest. A missing example fails the suite.
type Options struct {
	// Main is the main package of the plugin, in the form that `go build` accepts: "./plugin". If it is empty, the suite only runs
	// in-process.
	Main string
	// Data is the database folder; empty: a temporary folder.
	Data string
	// Database is the URL of a PostgreSQL database; empty: SQLite in Data.
	Database string
	// Durable makes writes wait until they are on disk, as in production. It is for benchmarks.
	Durable bool
	// Settings are the module's settings in the labels of the suite; nil: {}.
	Settings any
	// Siblings are the modules (and "core") that this one calls; see Fake.
	Siblings []module.Module
	// Prepare contains the calls that are made on an empty database before each check.
	Prepare []Call
	// Records are imported before Prepare.
	Records []Record
	// State contains reads whose responses are compared. Together they show the module's state.
	State []Call
	// Writes contains one call, by operation id, for each operation that writes. The call must succeed after Prepare. Skip contains the
	// operations for which there is no example, with the reason. It may also contain change kinds and published event types.
	Writes map[string]Call
	Skip   map[string]string
	// Events contains at least one event of every type that the module handles. They must lead to the same state when they are delivered in
	// this order, in reverse order, twice, or with some of them late and twice. ID, Label, Seq and At are set if they are empty.
	Events []module.Event
	// Changes contains one call for each change kind, which files a change of that kind after Prepare.
	Changes map[string]Call
	// Args contains the arguments of commands that have any, by command name.
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

// Fake returns a module that only has operations. It replaces a sibling or, with the key "core", core.
func Fake(key string, routes func(huma.API)) module.Module {
	m := module.Manifest{Key: key, Version: "0.0.0"}
	return module.New(m, func() module.Instance {
		f := fake{module.NewRouter(m)}
		routes(f.API)
		return f
	})
}

type fake struct{ module.Router }

// Run runs the suite: each check in-process and, if Options.Main is set, as a plugin. `go test -short` skips the plugin.
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
			if !asPlugin { // a plugin may send its rows at any time
				t.Run("every described event is published", func(t *testing.T) { s.checkDescribed(t) })
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
