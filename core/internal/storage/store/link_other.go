//go:build !linux

package store

import "syscall"

// userTimeout does nothing on systems whose sockets lack this limit; keep-alive and the watch detect a dead peer there.
func userTimeout(_, _ string, _ syscall.RawConn) error { return nil }
