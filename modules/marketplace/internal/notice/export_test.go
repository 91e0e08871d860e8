package notice

import (
	"maps"
	"slices"
)

// Kinds are all kinds of notice.
var Kinds = slices.Sorted(maps.Keys(letters))
