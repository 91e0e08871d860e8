package label

// Fragment is what a module, built in or plugged in, adds to #Label.
type Fragment struct {
	Module string   // its key
	Source string   // CUE that defines #Settings, without imports
	Needs  []string // modules that a label that has this one has too
	Kinds  []string // of record that can be imported
	Core   bool     // core itself, which has no settings and which every label has
	Demo   bool     // no module: the labels are those of a demo, and may have what only a demo may
	Absent bool     // a plugin that is installed and does not run: nothing of it is known but its key

	// Slots are what its remote offers others to fill, "<module>.<slot>"; nil when its remote.json is not known, and then a label
	// may name any of its slots.
	Slots []string
}
