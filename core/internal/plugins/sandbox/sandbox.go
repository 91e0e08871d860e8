// Package sandbox configures how a plugin's process runs: as a separate user, with or without a network, and within limits that the kernel
// enforces.
package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// GrantsFile is the operator's file in the plugins folder that sets the user and the network of a plugin. Errors mention it.
const GrantsFile = "grants.json"

// Sandbox is the user and the network of a process. The zero value uses those of the portal.
type Sandbox struct {
	User      string // as named by the operator; empty: the portal's user
	NoNetwork bool
	uid, gid  int
}

// New returns the sandbox of a process. Its error is one sentence that says what the system cannot provide.
func New(user string, noNetwork bool) (s Sandbox, err error) {
	s.NoNetwork = noNetwork
	if user != "" {
		s.User = user
		if s.uid, s.gid, err = lookUp(user); err != nil {
			return s, err
		}
	}
	return s, checkSupport(s)
}

// lookUp returns the ids of a user, given as a name or as UID:GID.
func lookUp(name string) (uid, gid int, err error) {
	id, group, numbers := strings.Cut(name, ":")
	if !numbers {
		u, err := user.Lookup(name)
		if err != nil {
			return 0, 0, fmt.Errorf("%s gives it user %s, which this system does not have", GrantsFile, name)
		}
		id, group = u.Uid, u.Gid
	}
	uid, err = strconv.Atoi(id)
	gid, errGroup := strconv.Atoi(group)
	switch {
	case errors.Join(err, errGroup) != nil || uid < 0 || gid < 0:
		return 0, 0, fmt.Errorf("%s gives it user %q, which is neither a name nor UID:GID", GrantsFile, name)
	case uid == 0 || gid == 0:
		return 0, 0, fmt.Errorf("%s gives it user %s, which is root or in its group", GrantsFile, name)
	}
	return uid, gid, nil
}

// HasUser reports whether the process runs as a different user than the portal.
func (s Sandbox) HasUser() bool { return s.User != "" }

// Sockets returns the folder in dir in which the process creates its sockets. The portal keeps owning dir: the process must not be able to
// replace a file whose owner the portal is about to change.
func (s Sandbox) Sockets(dir string) (string, error) {
	if !s.HasUser() {
		return dir, nil
	}
	own := filepath.Join(dir, "own")
	err := errors.Join(os.Mkdir(own, 0o700), os.Chown(own, s.uid, s.gid), os.Chmod(dir, throughMode))
	return own, err
}

// throughMode is the mode of a folder through which other users can open files that they have access to, by name. Package private does not
// change a data folder with this mode.
const throughMode fs.FileMode = 0o711

// Open lets the user read the files of a folder and run one of them, but not write them.
func (s Sandbox) Open(dir, binary string) error {
	if !s.HasUser() || dir == "" {
		return nil
	}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() || path == binary:
			return errors.Join(os.Chown(path, -1, s.gid), os.Chmod(path, 0o750))
		}
		return errors.Join(os.Chown(path, -1, s.gid), os.Chmod(path, 0o640))
	})
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	return s.reach(filepath.Dir(binary))
}

// ChownFile makes the user the owner of a file that the portal has created for the process, such as a socket.
func (s Sandbox) ChownFile(path string) error {
	if !s.HasUser() {
		return nil
	}
	return os.Chown(path, s.uid, s.gid)
}

// ChownData makes the user of the sandbox the owner of the process's data folder and its content.
func (s Sandbox) ChownData(data string) error {
	if !s.HasUser() {
		return nil
	}
	root, err := os.OpenRoot(data) // names in it cannot lead outside
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	defer func() { _ = root.Close() }() // nothing was written through it
	err = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && isLinked(info) { // a hard link to another file
			return nil
		}
		if err == nil {
			err = root.Lchown(name, s.uid, s.gid)
		}
		if errors.Is(err, fs.ErrNotExist) { // another running version of the plugin has removed it
			return nil
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	return s.reach(data)
}

// OpenData lets other users pass through the portal's data folder to the listed folders in it, and to the process's own data. Everything
// else in the data folder is made private first.
func (s Sandbox) OpenData(data string, open ...string) error {
	if !s.HasUser() {
		return nil
	}
	entries, err := os.ReadDir(data)
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	through := []string{data}
	for _, folder := range open {
		through = append(through, filepath.Join(data, folder))
	}
	for _, e := range entries {
		path := filepath.Join(data, e.Name())
		if info, err := e.Info(); slices.Contains(through, path) || err != nil || info.Mode()&fs.ModeSymlink != 0 ||
			info.Mode().Perm()&0o077 == 0 {
			continue // or a file that has just been removed
		} else if err := os.Chmod(path, info.Mode().Perm()&0o700); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sandbox: %w", err)
		}
	}
	for _, dir := range through {
		if err := os.Chmod(dir, throughMode); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sandbox: %w", err)
		}
	}
	return nil
}

// reach returns an error of one sentence if the user of the sandbox may not pass through the folders above path.
func (s Sandbox) reach(path string) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return fmt.Errorf("sandbox: %w", err)
		}
		if !s.passes(info) {
			return fmt.Errorf("user %s, which %s gives it, may not pass through %s: chmod o+x", s.User, GrantsFile, dir)
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// Put configures the user and the network of a process before it is started.
func (s Sandbox) Put(cmd *exec.Cmd) {
	if s.HasUser() || s.NoNetwork {
		cmd.SysProcAttr = attributes(s)
	}
}
