//go:build !linux

package store

import "syscall"

// userTimeout does nothing where a socket has no such bound; keep-alive and the watch find a dead peer there.
func userTimeout(_, _ string, _ syscall.RawConn) error { return nil }
