//go:build !unix

package socket

// wouldBlock reports true: the state of a connection shows when it is used.
func wouldBlock(uintptr) bool { return true }
