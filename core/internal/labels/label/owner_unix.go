//go:build unix

package label

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether the folder belongs to the user of this process or to the owner of its parent folder, as when root runs a command.
func isOwn(folder, around fs.FileInfo) bool {
	f, ok := folder.Sys().(*syscall.Stat_t)
	a, known := around.Sys().(*syscall.Stat_t)
	return !ok || int(f.Uid) == os.Geteuid() || known && f.Uid == a.Uid
}
