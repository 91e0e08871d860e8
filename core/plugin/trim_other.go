//go:build !linux

package plugin

import "runtime/debug"

// trim releases the memory that only the start needed.
func trim() { debug.FreeOSMemory() }
