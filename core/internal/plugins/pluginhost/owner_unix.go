//go:build unix

package pluginhost

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwnFile reports whether the file belongs to root or to the user of this process.
func isOwnFile(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return !ok || s.Uid == 0 || int(s.Uid) == os.Geteuid()
}
