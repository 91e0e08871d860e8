package pluginhost

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// sandbox is what the process of a plugin runs as: a user of its own, with or without a network. The zero value is the user and the network
// of the portal.
type sandbox struct {
	user      string // as grants.json has it; empty: that of the portal
	uid, gid  int
	noNetwork bool
}

// newSandbox returns the sandbox that the operator grants. The error is one sentence: what the operator asks for and cannot have.
func (p *Plugin) newSandbox() (c sandbox, err error) {
	g, _ := p.o.grants.grant(p.Spec.Key) // an error leaves what was granted before
	c.noNetwork = g.Network != nil && !*g.Network
	if c.noNetwork && p.o.Database != "" {
		config, err := pgx.ParseConfig(p.o.Database)
		if err == nil && !strings.HasPrefix(config.Host, "/") {
			return c, fmt.Errorf("%s gives it no network, and its database is reached over one: name the folder of PostgreSQL's socket in --database, or use SQLite", grantsFile)
		}
	}
	if g.User == "" {
		return c, supported(c)
	}
	c.user = g.User
	if c.uid, c.gid, err = lookUp(g.User); err != nil {
		return c, err
	}
	return c, supported(c)
}

// lookUp returns the ids of a user: of a name, or of UID:GID.
func lookUp(name string) (uid, gid int, err error) {
	id, group, numbers := strings.Cut(name, ":")
	if !numbers {
		u, err := user.Lookup(name)
		if err != nil {
			return 0, 0, fmt.Errorf("%s gives it user %s, which this system does not have", grantsFile, name)
		}
		id, group = u.Uid, u.Gid
	}
	uid, err = strconv.Atoi(id)
	gid, errGroup := strconv.Atoi(group)
	switch {
	case errors.Join(err, errGroup) != nil || uid < 0 || gid < 0:
		return 0, 0, fmt.Errorf("%s gives it user %q, which is neither a name nor UID:GID", grantsFile, name)
	case uid == 0 || gid == 0:
		return 0, 0, fmt.Errorf("%s gives it user %s, which is root or in its group", grantsFile, name)
	}
	return uid, gid, nil
}

// hasUser reports whether the process runs as another user than the portal.
func (c sandbox) hasUser() bool { return c.user != "" }

// sockets returns the folder in dir in which the process makes its sockets. dir stays that of the portal: a process must not be able to
// put something else in the place of a file whose owner the portal is about to change.
func (c sandbox) sockets(dir string) (string, error) {
	if !c.hasUser() {
		return dir, nil
	}
	own := filepath.Join(dir, "own")
	err := errors.Join(os.Mkdir(own, 0o700), os.Chown(own, c.uid, c.gid), os.Chmod(dir, throughMode))
	return own, err
}

// throughMode is the mode of a folder in which another user may open what is open to it, by its name. Package private leaves a data folder
// with it as it is.
const throughMode fs.FileMode = 0o711

// open lets the user of the sandbox read the files that were installed. It may not write them.
func (c sandbox) open(in installation) error {
	if !c.hasUser() || in.dir == "" {
		return nil
	}
	err := filepath.WalkDir(in.dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() || path == in.binary:
			return errors.Join(os.Chown(path, -1, c.gid), os.Chmod(path, 0o750))
		}
		return errors.Join(os.Chown(path, -1, c.gid), os.Chmod(path, 0o640))
	})
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	return c.reach(filepath.Dir(in.binary))
}

// give makes the user of the sandbox the owner of the plugin's data folder and of what is in it.
func (c sandbox) give(data string) error {
	if !c.hasUser() {
		return nil
	}
	root, err := os.OpenRoot(data) // names in it cannot lead out of it
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	defer func() { _ = root.Close() }() // nothing was written through it
	err = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && isLinked(info) { // a second name of another file
			return nil
		}
		if err == nil {
			err = root.Lchown(name, c.uid, c.gid)
		}
		if errors.Is(err, fs.ErrNotExist) { // another version of the plugin, which runs, has removed it
			return nil
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	return c.reach(data)
}

// openData lets other users pass through the data folder of the portal, to what they may open below it. Everything in it is made private
// first.
func (c sandbox) openData(data, key string) error {
	if !c.hasUser() {
		return nil
	}
	entries, err := os.ReadDir(data)
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	for _, e := range entries {
		through := e.Name() == "plugins" || e.Name() == installedFolder
		if info, err := e.Info(); through || err != nil || info.Mode()&fs.ModeSymlink != 0 || info.Mode().Perm()&0o077 == 0 {
			continue // also a file that has just gone
		} else if err := os.Chmod(filepath.Join(data, e.Name()), info.Mode().Perm()&0o700); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("pluginhost: %w", err)
		}
	}
	for _, dir := range []string{data, filepath.Join(data, "plugins"), filepath.Join(data, installedFolder), filepath.Join(data, installedFolder, key)} {
		if err := os.Chmod(dir, throughMode); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("pluginhost: %w", err)
		}
	}
	return nil
}

// reach returns an error, which is one sentence, when the user of the sandbox may not pass through the folders above path.
func (c sandbox) reach(path string) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("pluginhost: %w", err)
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return fmt.Errorf("pluginhost: %w", err)
		}
		if !c.passes(info) {
			return fmt.Errorf("user %s, which %s gives it, may not pass through %s: chmod o+x", c.user, grantsFile, dir)
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// put sets what the process runs as.
func (c sandbox) put(cmd *exec.Cmd) {
	if c.hasUser() || c.noNetwork {
		cmd.SysProcAttr = attributes(c)
	}
}
