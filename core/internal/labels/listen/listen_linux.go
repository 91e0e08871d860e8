package listen

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// zfsMagic is the file system type of OpenZFS, which Linux does not contain.
const zfsMagic = 0x2fc12fc1

// reportsChanges returns an error for a folder of a file system that does not report each change, such as a network file system, which
// other machines change too.
func reportsChanges(dir string) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return err
	}
	if !isReporting(int64(fs.Type)) {
		return fmt.Errorf("its file system (type %#x) may not report changes", fs.Type)
	}
	return nil
}

// isReporting reports whether a file system type (statfs(2)) reports each change.
func isReporting(fileSystem int64) bool {
	switch fileSystem {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.RAMFS_MAGIC,
		unix.OVERLAYFS_SUPER_MAGIC, zfsMagic:
		return true
	}
	return false
}

// isLimit reports whether the system refuses more watches or more listeners.
func isLimit(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) }
