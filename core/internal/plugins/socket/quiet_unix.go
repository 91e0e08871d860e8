//go:build unix

package socket

import (
	"errors"
	"syscall"
)

// wouldBlock reports whether reading from a descriptor would wait: it is open and has nothing to read. It takes what there is.
func wouldBlock(fd uintptr) bool {
	var b [1]byte
	_, err := syscall.Read(int(fd), b[:])
	return errors.Is(err, syscall.EAGAIN)
}
