package doctor

import "golang.org/x/sys/unix"

// freeSpace returns the number of bytes that a user may still write to the disk of a folder, and its size.
func freeSpace(dir string) (free, total uint64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil || s.Bsize <= 0 {
		return 0, 0, false
	}
	return s.Bavail * uint64(s.Bsize), s.Blocks * uint64(s.Bsize), true
}
