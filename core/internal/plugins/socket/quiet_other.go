//go:build !unix

package socket

// wouldBlock reports true: what has happened to a connection shows when it is used.
func wouldBlock(uintptr) bool { return true }
