package label

import "github.com/wattle-portal/wattle/core/record"

// Fragment is the part of #Label of a module, inside the program or a plugin.
type Fragment struct {
	Module string   // key of the module
	Source string   // CUE that defines #Settings, without imports
	Needs  []string // modules that a label with this module must have too
	Kinds  []string // kinds of record that can be imported
	// Records describes the kinds of Kinds; one of a plugin is missing.
	Records []record.Kind
	Core    bool // core itself, which has no settings and is part of every label
	Demo    bool // not a module: the labels are those of a demo, and may have settings for demos
	Absent  bool // a plugin that is installed and does not run: only its key is known
	// Disabled: the plugin does not run because the operator has disabled it. Absent is set too.
	Disabled bool
	// Versions are the versions of a plugin that run, highest first; nil for a module of the program.
	Versions []string

	// Slots are the slots that its remote offers to others, "<module>.<slot>"; nil when its remote.json is not available. A label may
	// then configure any slot of the module.
	Slots []string
}
