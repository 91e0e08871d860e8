package label

import "github.com/wattle-portal/wattle/core/record"

// Fragment is the part of #Label that a module defines; the module is part of the program or a plugin.
type Fragment struct {
	Module string   // key of the module
	Source string   // CUE that defines #Settings, without imports
	Needs  []string // modules that a label with this module must also have
	Kinds  []string // record kinds that can be imported
	// Records describes the entries of Kinds, except those of plugins.
	Records []record.Kind
	Core    bool // the fragment of core, which has no settings and is part of every label
	Demo    bool // not a module: marks the labels as those of a demo, which may have demo settings
	Absent  bool // an installed plugin that does not run: only its key is known
	// Disabled is set for a plugin that the operator has disabled. Absent is then set too.
	Disabled bool
	// Versions lists the running versions of a plugin, highest first; nil for a built-in module.
	Versions []string

	// Slots lists the slots that the module's remote offers to other modules, "<module>.<slot>"; nil when its remote.json is not available.
	// A label may then configure any slot of the module.
	Slots []string
}
