// Package contract defines which versions of the module contract a portal runs (docs/contract.md).
package contract

import (
	"fmt"
	"strconv"
)

// Current is the version of the contract: of plugin.json and its protocol, and of remote.json.
const Current Version = 1

// Version is a version of the module contract. The first one is 1.
type Version int

// Runs reports whether a portal of version v runs plugins and remotes that were built for version built, which must be v or v-1.
func (v Version) Runs(built int) bool {
	return built > 0 && (built == int(v) || built == int(v)-1)
}

// Range returns the versions that a portal of version v runs, for use in a message: "1", "1 and 2".
func (v Version) Range() string {
	if v.Runs(int(v) - 1) {
		return fmt.Sprintf("%d and %d", v-1, v)
	}
	return strconv.Itoa(int(v))
}
