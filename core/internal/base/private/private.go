// Package private makes files and folders accessible only to their owner, whatever the umask of the process.
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

// Modes of private folders and files.
const (
	FolderMode fs.FileMode = 0o700
	FileMode   fs.FileMode = 0o600
	// ThroughMode is the mode of a private folder in which another user may open entries by name but cannot list them.
	ThroughMode fs.FileMode = 0o711
)

// MakeFolder creates a folder with mode 0700, or removes the rights of other users from an existing one. changed reports whether
// they had any.
func MakeFolder(dir string) (changed bool, err error) {
	if err := os.MkdirAll(dir, FolderMode); err != nil {
		return false, err
	}
	return tighten(dir, FolderMode)
}

// MakeFile creates an empty file with mode 0600, or removes the rights of other users from an existing one. changed reports
// whether they had any.
func MakeFile(path string) (changed bool, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, FileMode)
	switch {
	case err == nil:
		// Closing a file releases all locks that the process holds on it. The file is new and nobody else has opened it, so no lock is
		// lost.
		if err := f.Close(); err != nil {
			return false, err
		}
		return false, os.Chmod(path, FileMode) // the umask may have removed even the owner's rights
	case errors.Is(err, fs.ErrExist):
		return tighten(path, FileMode)
	}
	return false, err
}

// tighten removes the rights of users other than the owner. changed reports whether they had any.
func tighten(path string, mode fs.FileMode) (changed bool, err error) {
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&^mode == 0 || runtime.GOOS == "windows" {
		return false, err
	}
	return true, os.Chmod(path, info.Mode().Perm()&mode|mode&0o600)
}

// privatePatterns are the files of a data folder that contain secrets or personal data.
var privatePatterns = []string{"*.db", "*.db-wal", "*.db-shm", "*.key", "*.lock"}

// SecureFolder makes a data folder private: the folder itself, databases, keys and locks. It logs each path that other users could access.
// A folder of another user, whose mode cannot be changed, is logged and used anyway.
func SecureFolder(dir string, log *slog.Logger) error {
	report := func(path string, changed bool, err error) error {
		switch {
		case errors.Is(err, fs.ErrPermission):
			log.Warn("others may read or change data of the portal, and its rights cannot be changed: the folder belongs to another user", "path",
				path)
			return nil
		case err != nil:
			return fmt.Errorf("private: %w", err)
		case changed:
			log.Warn("others could read or change data of the portal: from now on only the owner can", "path", path)
		}
		return nil
	}
	if err := os.MkdirAll(dir, FolderMode); err != nil {
		return fmt.Errorf("private: %w", err)
	}
	mode := FolderMode
	if info, err := os.Stat(dir); err == nil && info.Mode().Perm() == ThroughMode { // a plugin has its own user
		mode = ThroughMode
	}
	changed, err := tighten(dir, mode)
	if err := report(dir, changed, err); err != nil {
		return err
	}
	for _, pattern := range privatePatterns {
		found, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			return fmt.Errorf("private: %w", err)
		}
		for _, name := range found {
			path := filepath.Join(dir, name)
			changed, err := tighten(path, FileMode)
			if errors.Is(err, fs.ErrNotExist) { // another process has just removed the file
				continue
			}
			if err := report(path, changed, err); err != nil {
				return err
			}
		}
	}
	return nil
}
