// Package private keeps files and folders for their owner only, whatever the umask of the process is.
package private

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
)

// Modes of what is private.
const (
	FolderMode fs.FileMode = 0o700
	FileMode   fs.FileMode = 0o600
)

// Folder makes a folder with mode 0700 when it is missing, and takes the rights of others away from one that is there. changed
// reports that others had some.
func Folder(dir string) (changed bool, err error) {
	if err := os.MkdirAll(dir, FolderMode); err != nil {
		return false, err
	}
	return tighten(dir, FolderMode)
}

// File makes an empty file with mode 0600 when it is missing, and takes the rights of others away from one that is there.
func File(path string) (changed bool, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, FileMode)
	switch {
	case err == nil:
		// Nobody has it open yet: closing a file drops all locks that the process holds on it.
		if err := f.Close(); err != nil {
			return false, err
		}
		return false, os.Chmod(path, FileMode) // a umask may have taken even the owner's rights
	case errors.Is(err, fs.ErrExist):
		return tighten(path, FileMode)
	}
	return false, err
}

// tighten gives path the mode when others than its owner may do something with it.
func tighten(path string, mode fs.FileMode) (changed bool, err error) {
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&^mode == 0 || runtime.GOOS == "windows" {
		return false, err
	}
	return true, os.Chmod(path, info.Mode().Perm()&mode|mode&0o600)
}

// kept are the files of a data folder that hold what is secret or personal.
var kept = []string{"*.db", "*.db-wal", "*.db-shm", "*.key", "*.lock"}

// Data keeps a data folder for its owner: the folder, databases and keys. What others could reach is logged. A folder of
// another user, whose rights cannot be taken away, is logged and used.
func Data(dir string, log *slog.Logger) error {
	told := func(path string, changed bool, err error) error {
		switch {
		case errors.Is(err, fs.ErrPermission):
			log.Warn("others may read or change what the portal keeps, and its rights cannot be changed: the folder belongs to another user", "path", path)
			return nil
		case err != nil:
			return fmt.Errorf("private: %w", err)
		case changed:
			log.Warn("others could read or change what the portal keeps: from now on only its owner can", "path", path)
		}
		return nil
	}
	if err := os.MkdirAll(dir, FolderMode); err != nil {
		return fmt.Errorf("private: %w", err)
	}
	changed, err := tighten(dir, FolderMode)
	if err := told(dir, changed, err); err != nil {
		return err
	}
	for _, pattern := range kept {
		found, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			return fmt.Errorf("private: %w", err)
		}
		for _, name := range found {
			path := filepath.Join(dir, name)
			changed, err := tighten(path, FileMode)
			if errors.Is(err, fs.ErrNotExist) { // another process has just removed it
				continue
			}
			if err := told(path, changed, err); err != nil {
				return err
			}
		}
	}
	return nil
}
