package store

import (
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// userTimeout limits how long sent bytes may stay unacknowledged (RFC 5482); the default is at least 15 minutes.
func userTimeout(network, _ string, c syscall.RawConn) error {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	var err error
	if outer := c.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(unackedTimeout.Milliseconds()))
	}); outer != nil {
		return outer
	}
	return err
}
