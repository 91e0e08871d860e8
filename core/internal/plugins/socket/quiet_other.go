//go:build !unix

package socket

// wouldBlock always returns true: the state of a connection is then detected when it is used.
func wouldBlock(uintptr) bool { return true }
