//go:build unix

package socket

import (
	"errors"
	"syscall"
)

// wouldBlock reports whether reading from a descriptor would block, because it is open and has no data. If there is data, wouldBlock
// consumes it.
func wouldBlock(fd uintptr) bool {
	var b [1]byte
	_, err := syscall.Read(int(fd), b[:])
	return errors.Is(err, syscall.EAGAIN)
}
