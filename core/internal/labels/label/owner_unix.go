//go:build unix

package label

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether the user of this process owns the folder, or the owner of the folder around it, as for a command of root.
func isOwn(folder, around fs.FileInfo) bool {
	f, ok := folder.Sys().(*syscall.Stat_t)
	a, known := around.Sys().(*syscall.Stat_t)
	return !ok || int(f.Uid) == os.Geteuid() || known && f.Uid == a.Uid
}
