package pluginfile

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// cannotExchange lists the errors of file systems that cannot exchange two folders.
var cannotExchange = []error{syscall.EINVAL, syscall.ENOSYS, syscall.ENOTSUP}

// exchange exchanges two folders in one step, so that there is a complete folder at every moment.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}
