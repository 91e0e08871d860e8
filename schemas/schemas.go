// Package schemas carries the schema of a label (docs/labels.md).
package schemas

import _ "embed"

// Label is the CUE source of #Label without the modules' part, which core composes from the modules at hand.
//
//go:embed label.cue
var Label string
