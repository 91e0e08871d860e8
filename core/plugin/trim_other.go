//go:build !linux

package plugin

import "runtime/debug"

// trim releases memory that was only needed at the start.
func trim() { debug.FreeOSMemory() }
