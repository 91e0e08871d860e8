//go:build unix

package backup

import (
	"os"
	"syscall"
)

// giveToOwner changes the owner of a file that root has created to the owner of a folder.
func giveToOwner(file, folder string) error {
	info, err := os.Stat(folder)
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return os.Lchown(file, int(s.Uid), int(s.Gid))
}
