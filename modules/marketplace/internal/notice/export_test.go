package notice

import (
	"maps"
	"slices"
)

// Kinds lists all notice kinds.
var Kinds = slices.Sorted(maps.Keys(buttonPaths))
