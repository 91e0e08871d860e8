// Package schemas embeds the schema of a label (docs/labels.md).
package schemas

import _ "embed"

// Label is the CUE source of #Label without the modules' part, which core composes from the available modules.
//
//go:embed label.cue
var Label string
