//go:build !linux

package plugin

import "runtime/debug"

// trim gives back the memory that only the start needed.
func trim() { debug.FreeOSMemory() }
